"""The old place of ``GradeSubmission``."""

from ..aliases import moved

__getattr__ = moved(__name__, "syncpoint.nbgrader_hooks.preprocessor")
