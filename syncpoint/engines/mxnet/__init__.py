"""MXNet 1.9.1, with its asynchronous engine inside the student's process."""
