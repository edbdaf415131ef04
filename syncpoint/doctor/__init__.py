"""What ``syncpoint doctor`` looks at: what a machine and a course have and lack for grading."""
