"""Exports: the gradebook as files for other programs, through ``nbgrader export --exporter=syncpoint.exports...``."""

from ..platforms.canvas import CanvasExport
from ..platforms.moodle import MoodleExport
from .outcomes import OutcomesCsvExport, OutcomesParquetExport

__all__ = ["CanvasExport", "MoodleExport", "OutcomesCsvExport", "OutcomesParquetExport"]
