"""The check of a notebook: visible tests, run with gates in the student's own kernel.

Its wheel, which `syncpoint/course/check_wheel.py` makes, holds this package and what it stands on: the probe, the
inside of the engines, and what a test sees.  Python 3.9, NumPy and IPython are there, and the engine.
"""
