"""The gradebook, opened the way nbgrader opens it, and without making one by accident."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SQLAlchemyError

from .judge.course import Course


class GradebookError(Exception):
    """The gradebook cannot be used; the text says why and what to do."""


class NoGradebook(GradebookError):
    """The course has no gradebook yet; the text says how one comes about."""


def database(course: Course) -> str:
    """The gradebook's address, from the course's configuration."""
    return str(CourseDirectory(config=course.settings(), root=str(course.root)).db_url)


def open_gradebook(course: Course) -> Gradebook:
    """The gradebook, to be used as a context manager.  Raises GradebookError."""
    url = database(course)
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).is_file():
        raise NoGradebook("there is no gradebook yet: `nbgrader generate_assignment <assignment>` makes it.")
    try:
        return Gradebook(url, str(course.settings().CourseDirectory.course_id or "") or None)
    except SQLAlchemyError as problem:
        raise GradebookError(
            f"{url} does not open ({getattr(problem, 'orig', problem)}): move it away and restore it from a backup, "
            "or start anew with `nbgrader generate_assignment <assignment>`."
        ) from None
