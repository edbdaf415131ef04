"""Calls and observes student code for graders, both in the judge and in a notebook's check.

What a check's wheel takes of it runs in a student's environment, so it is written for Python 3.9.
"""
