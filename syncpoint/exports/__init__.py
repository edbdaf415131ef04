"""Exports: the gradebook as files for other programs, through ``nbgrader export --exporter=syncpoint.exports...``.

``c.ExportApp.plugin_class`` names the one that is taken without ``--exporter``.

A learning platform has its own file in platforms/; its short name is here.
"""

from ..platforms.blackboard import BlackboardExport
from ..platforms.brightspace import BrightspaceExport
from ..platforms.canvas import CanvasExport
from ..platforms.moodle import MoodleExport
from .grades import GradesCsvExport
from .outcomes import OutcomesCsvExport, OutcomesParquetExport
from .totals import TotalsCsvExport

__all__ = [
    "BlackboardExport",
    "BrightspaceExport",
    "CanvasExport",
    "GradesCsvExport",
    "MoodleExport",
    "OutcomesCsvExport",
    "OutcomesParquetExport",
    "TotalsCsvExport",
]
