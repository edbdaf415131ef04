"""The gradebook, opened the way nbgrader opens it, and without making one by accident."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import URL, create_engine, inspect, make_url
from sqlalchemy.exc import SQLAlchemyError

from .judge.course import Course


class GradebookError(Exception):
    """The gradebook cannot be used; the text says why and what to do.  mend: what to do, alone."""

    def __init__(self, said: str, mend: str):
        super().__init__(f"{said}: {mend}.")
        self.said, self.mend = said, mend


class NoGradebook(GradebookError):
    """The course has no gradebook yet; the text says how one comes about."""


def database(course: Course) -> str:
    """The gradebook's address, from the course's configuration."""
    return str(CourseDirectory(config=course.settings(), root=str(course.root)).db_url)


def open_gradebook(course: Course) -> Gradebook:
    """The gradebook, to be used as a context manager.  Raises GradebookError."""
    url = database(course)
    try:
        address = make_url(url)
        if _is_empty(address):
            raise NoGradebook("there is no gradebook yet", "`nbgrader generate_assignment <assignment>` makes it")
        return Gradebook(url, str(course.settings().CourseDirectory.course_id or "") or None)
    except (SQLAlchemyError, ImportError) as problem:
        raise GradebookError(*_why(url, problem)) from None


def _is_empty(address: URL) -> bool:
    """Whether nbgrader would make the gradebook, and not open it."""
    if address.get_backend_name() == "sqlite":
        return not Path(address.database or "").is_file()
    engine = create_engine(address)
    try:
        return not inspect(engine).has_table("student")
    finally:
        engine.dispose()


def _why(url: str, problem: Exception) -> tuple[str, str]:
    """What a person reads about a gradebook that does not open, and the next step; never the password."""
    reason = " ".join(str(getattr(problem, "orig", None) or problem).split())
    try:
        address = make_url(url)
    except SQLAlchemyError:
        return "c.CourseDirectory.db_url is no address of a database", "see docs/operators.md, PostgreSQL"
    said = f"{address.render_as_string()} does not open ({reason})"
    if isinstance(problem, ImportError):
        return said, "write postgresql+psycopg:// in c.CourseDirectory.db_url"
    if address.get_backend_name() == "sqlite":
        anew = "start anew with `nbgrader generate_assignment <assignment>`"
        return said, f"move it away and restore it from a backup, or {anew}"
    return said, "is the server up, and c.CourseDirectory.db_url in nbgrader_config.py right? See docs/operators.md"
