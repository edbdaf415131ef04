"""The checks of ``syncpoint doctor``: what a machine and a course have and lack for grading."""
