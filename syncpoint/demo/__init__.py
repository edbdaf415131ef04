"""The demo: for each assignment a small class of right, wrong and cheating students, graded end to end."""
