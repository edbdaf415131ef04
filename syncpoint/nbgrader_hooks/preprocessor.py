"""Marks the judge's place among nbgrader's steps (that of Execute), and has its settings; grades nothing itself."""

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ..course.folder import CourseError
from ..course.settings import SettingTraits

NO_EXPORTER = (
    "c.Autograde.exporter_class in nbgrader_config.py does not name "
    "syncpoint.nbgrader_hooks.exporter.SubmissionExporter: nobody would be judged."
)


class GradeSubmission(SettingTraits, NbGraderPreprocessor):
    """Marks the step at which the judge grades, and has its settings; our own runs never call it."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Raise CourseError, because nbgrader's own converter cannot judge."""
        raise CourseError(NO_EXPORTER)
