"""nbgrader's own CSV file of scores, written completely or not at all, with one line about the result."""

import tempfile
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from ..nbgrader_hooks.export_plugin import Content, Export
from ..records.grades import ExportSelection

NOBODY = ""  # nbgrader takes an empty list for everybody


class GradesCsvExport(Export):
    """The default exporter of ``nbgrader export``."""

    file = "grades.csv"

    def content(self, gradebook: Gradebook, selection: ExportSelection) -> Content:
        with tempfile.TemporaryDirectory(prefix="syncpoint-export-") as folder:
            path = Path(folder, self.file)
            students = list(selection.students) or [NOBODY]
            plugin = CsvExportPlugin(
                parent=self, to=str(path), student=students, assignment=list(selection.assignments)
            )
            plugin.export(gradebook)
            return Content(path.read_bytes(), len(selection.students))
