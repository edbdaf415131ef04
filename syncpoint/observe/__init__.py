"""Calls and observes student code for graders: the same for the judge and for the check in a notebook.

What a check's wheel takes of it runs in a student's environment, so it is written for Python 3.9.
"""
