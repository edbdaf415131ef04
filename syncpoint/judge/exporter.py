"""The old place of ``SubmissionExporter``."""

from ..aliases import moved

__getattr__ = moved(__name__, "syncpoint.nbgrader_hooks.exporter")
