"""Collecting: imports a learning platform's submissions into nbgrader's folders."""
