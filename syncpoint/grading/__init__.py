"""Grades a class: workers judge, on this machine or others, and one coordinator writes their results."""
