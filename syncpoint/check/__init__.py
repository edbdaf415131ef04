"""The check of a notebook: visible tests, run with gates in the student's own kernel.

Its wheel, which `syncpoint/course/check_wheel.py` makes, contains this package and what it needs: the probe, the inside
of the engines, and what a test sees.  It may use Python 3.9, NumPy, IPython and the engine.
"""
