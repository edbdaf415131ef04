"""Grades a class: workers judge, here or on other machines, and one coordinator writes their results."""
