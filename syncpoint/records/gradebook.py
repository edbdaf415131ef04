"""The gradebook, opened as nbgrader opens it, but never created by accident."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import URL, create_engine, inspect, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, SQLAlchemyError

from ..core.errors import SyncpointError
from ..core.names import did_you_mean
from ..course.folder import Course
from .bootstrap import prepare
from .database import TROUBLES, upgrade
from .errors import GradebookError, NoGradebook
from .owner import check_owner


def database(course: Course) -> str:
    """The gradebook's address, from the course's configuration."""
    return str(CourseDirectory(config=course.settings(), root=str(course.root)).db_url)


def open_gradebook(course: Course, whosever: bool = False) -> AbstractContextManager[Gradebook]:
    """Return the gradebook, with our tables, until the block ends; ``whosever`` it is, if only read.

    Raises:
        NoGradebook: If there is none.
        GradebookError: If it cannot be used.
    """
    url, name = database(course), str(course.settings().CourseDirectory.course_id or "") or None
    with _friendly(url, "does not open", ArgumentError, DBAPIError, ImportError):
        if _is_empty(make_url(url)):
            raise NoGradebook(
                "there is no gradebook yet", "run `nbgrader generate_assignment <assignment>` to create it"
            )
        if not whosever:
            check_owner(url, course.root)
        prepare(url, name)  # it may be incomplete
        gradebook = Gradebook(url, name)
        upgrade(gradebook.engine)
        return _in_use(gradebook, url)


@contextmanager
def _in_use(gradebook: Gradebook, url: str) -> Iterator[Gradebook]:
    with gradebook, _friendly(url, "cannot be used", DBAPIError):
        yield gradebook


@contextmanager
def gradebook_at(url: str, course_id: str | None = None) -> Iterator[Gradebook]:
    """Open a gradebook, with our tables, for a command of nbgrader's, which reports errors itself."""
    with Gradebook(url, course_id) as gradebook:
        upgrade(gradebook.engine)
        yield gradebook


def find_assignment(course: Course, gradebook: Gradebook, name: str) -> Assignment:
    """Return an assignment of the gradebook, or raise CourseError or SyncpointError."""
    try:
        return gradebook.find_assignment(name)
    except MissingEntry:
        course.check_assignment(name)
        problem = f"the gradebook has no assignment {name} yet: run `nbgrader generate_assignment {name}`."
        raise SyncpointError(problem) from None


def find_student(gradebook: Gradebook, name: str) -> Student:
    """Return a student of the gradebook. Raises SyncpointError if there is none of that name."""
    try:
        return gradebook.find_student(name)
    except MissingEntry:
        then = (
            did_you_mean(name, (one.id for one in gradebook.students))
            or ": enroll students with `syncpoint roster FILE`."
        )
        raise SyncpointError(f"the gradebook has no student {name!r}{then}") from None


def prepare_gradebook(url: str, course_id: str, root: Path | None = None) -> None:
    """Create the gradebook if there is none; several processes may do so at the same time.

    ``root`` is its owner, if it gets one.
    """
    with _friendly(url, "does not open", ArgumentError, DBAPIError, ImportError):
        if root is not None:
            check_owner(url, root)
        prepare(url, course_id)


@contextmanager
def _friendly(url: str, what: str, *problems: type[Exception]) -> Iterator[None]:
    """Raise GradebookError instead of these database errors."""
    try:
        yield
    except problems as problem:
        if isinstance(problem, (DataError, IntegrityError)):
            raise  # the data are wrong, not the database
        raise GradebookError(*_why(url, what, problem)) from None


def _is_empty(address: URL) -> bool:
    """Whether nbgrader would create the gradebook instead of opening it."""
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        return True  # opening it would create it
    engine = create_engine(address)
    try:
        return not inspect(engine).has_table("student")
    finally:
        engine.dispose()


def _why(url: str, what: str, problem: Exception) -> tuple[str, str]:
    """Return a message about a failing gradebook and the next step, never with the password."""
    reason = " ".join(str(getattr(problem, "orig", None) or problem).split())
    try:
        address = make_url(url)
    except SQLAlchemyError:
        return "c.CourseDirectory.db_url is not a database address", "see docs/how-to/install.md, Use PostgreSQL"
    what_failed = f"{address.render_as_string()} {what} ({reason})"
    if isinstance(problem, ImportError):
        return what_failed, "write postgresql+psycopg:// in c.CourseDirectory.db_url"
    if address.get_backend_name() == "sqlite":
        fresh = "create a new one with `nbgrader generate_assignment <assignment>`"
        known = (words for sign, words in TROUBLES.items() if sign in reason)
        return what_failed, next(known, f"move it away and restore it from a backup, or {fresh}")
    return (
        what_failed,
        "is the server running, and c.CourseDirectory.db_url right? See docs/how-to/troubleshoot.md, PostgreSQL",
    )
