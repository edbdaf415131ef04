"""Collecting: what a learning platform hands over, put where nbgrader looks for it."""
