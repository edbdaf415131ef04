"""How a grader calls student code, and what it sees of it: the same for the judge and for the check in a notebook.

What a check's wheel takes of it runs in a student's environment, so it is written for Python 3.9.
"""
