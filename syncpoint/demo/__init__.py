"""The demo: a small class of right, wrong and cheating students, graded end to end."""
