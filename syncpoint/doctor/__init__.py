"""The checks of ``syncpoint doctor``: what machine and course have or lack for grading."""
