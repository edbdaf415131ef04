"""Exports: the gradebook as files for other programs, through ``nbgrader export --exporter=syncpoint.exports...``.

A learning platform has its own file in platforms/; here stands its short name.
"""

from ..platforms.canvas import CanvasExport
from ..platforms.moodle import MoodleExport
from .outcomes import OutcomesCsvExport, OutcomesParquetExport

__all__ = ["CanvasExport", "MoodleExport", "OutcomesCsvExport", "OutcomesParquetExport"]
