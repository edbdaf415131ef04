"""Checks before a release: every grade cell has a grader with tests, every module a cell, every mark a text."""

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ..core.messages import Message
from ..course.folder import Course
from ..judge.cells import is_autograded
from ..judge.errors import GraderError
from ..judge.test_runner import collect
from ..report.misconceptions_page import read_misconceptions


class CheckGraders(NbGraderPreprocessor):
    """Stops ``nbgrader generate_assignment`` before it makes a release with cells that have no grader."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Check the graders of this notebook's assignment; nothing is changed, or raise CourseError or GraderError."""
        course = Course(Path.cwd())
        assignment = resources["nbgrader"]["assignment"]
        course.graders(assignment).check(course.source(assignment))
        explained = read_misconceptions(course.misconceptions_page).keys() | {""}
        for cell in filter(is_autograded, nb.cells):
            module = course.graders(assignment).module(cell.metadata.nbgrader.grade_id)
            unknown = sorted(set(collect(module).values()) - explained)
            if unknown:
                raise GraderError(Message.of("no_section", module=str(module), sections=", ".join(unknown)))
        return nb, resources
