"""The step of nbgrader's that stands where the judge grades: nbgrader's Execute stood there."""

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
    """Says where among the steps the judge grades, and what can be set of it; a run of ours never calls it."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Refuse: nbgrader's own converter judges nothing.

        Raises:
            CourseError: Always.
        """
        raise CourseError(NO_EXPORTER)
