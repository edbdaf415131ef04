"""Syncpoint: an auto-graded course on asynchronous and parallel computation in deep-learning engines."""

__version__ = "0.1.0"
