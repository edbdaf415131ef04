"""The old place of ``CheckGraders``."""

from ..aliases import moved

__getattr__ = moved(__name__, "syncpoint.nbgrader_hooks.check_graders")
