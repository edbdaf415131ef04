"""nbgrader's way in at generate time: an exporter that has the gradebook prepared before nbgrader opens it.

``c.GenerateAssignment.exporter_class`` names it.  nbgrader makes it once per run, before it looks into the gradebook.
"""

from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException

from .gradebook import GradebookError, prepare_gradebook


class ReleaseExporter(NotebookExporter):
    """nbgrader's usual exporter; several that meet an empty gradebook do not get in each other's way."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        # nbconvert makes exporters for other ends too, without a converter as parent.
        if isinstance(self.parent, GenerateAssignment) and not self.parent.no_database:
            coursedir = self.parent.coursedir
            try:
                prepare_gradebook(coursedir.db_url, coursedir.course_id)
            except GradebookError as problem:
                self.log.error(str(problem))
                raise NbGraderException(str(problem)) from None
