"""Copies a gradebook into an empty database of another kind, row by row, or not at all."""

from nbgrader.api import Base as NbgraderBase
from nbgrader.api import Course as NbgraderCourse
from sqlalchemy import Connection, Table, create_engine, func, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..records.database import locked, upgrade
from ..records.gradebook import open_gradebook, prepare_gradebook
from ..records.tables import ActorRecord, Base

AT_ONCE = 1000  # rows
NEXT = (
    "All {rows} rows of {tables} tables are there; the old gradebook is as it was. Now write into nbgrader_config.py:",
    '    c.CourseDirectory.db_url = "{url}"',
    "What is graded between the copy and this line goes into the old one: let nobody grade until then.",
)


class MoveError(SyncpointError):
    """The gradebook was not moved; the text says why."""


def move(course: Course, url: str) -> list[str]:
    """Copy all rows of the course's gradebook.  Nobody writes into it meanwhile.

    Args:
        course: Its gradebook is only read.
        url: The address of the other database, with nothing of a gradebook's in it.

    Returns:
        Lines on what to do next.

    Raises:
        GradebookError: If one of the two cannot be opened.
        MoveError: If the other one holds a course already, or refuses a row.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise MoveError(f"{url!r} is no address of a database, as postgresql+psycopg:///syncpoint is one.") from None
    prepare_gradebook(url, course.id)
    engine = create_engine(address)
    upgrade(engine)
    tables = [
        *NbgraderBase.metadata.sorted_tables,
        *(table for table in Base.metadata.sorted_tables if table is not ActorRecord.__table__),
    ]
    try:
        with open_gradebook(course) as gradebook:
            upgrade(gradebook.engine)
            with locked(gradebook.engine) as source, engine.begin() as target:
                _empty(target, tables)
                rows = sum(_copy(table, source, target) for table in tables)
    except DBAPIError as problem:
        raise MoveError(f"{address} refuses a row, and nothing was moved ({problem.orig}).") from None
    finally:
        engine.dispose()
    return [line.format(rows=rows, tables=len(tables), url=address.render_as_string()) for line in NEXT]


def _empty(target: Connection, tables: list[Table]) -> None:
    """Take out the courses that belong to an empty gradebook; there may be nothing else."""
    for table in reversed(tables):
        if table is NbgraderCourse.__table__:
            target.execute(table.delete())
        elif target.scalar(select(func.count()).select_from(table)):
            raise MoveError(f"{target.engine.url} holds a gradebook already: make an empty database for this one.")


def _copy(table: Table, source: Connection, target: Connection) -> int:
    found = source.execute(select(table)).mappings()
    count = 0
    while some := [dict(row) for row in found.fetchmany(AT_ONCE)]:
        target.execute(table.insert(), some)
        count += len(some)
    number = table.autoincrement_column
    if number is not None and target.dialect.name == "postgresql":  # the next row has the next number
        newest = select(func.coalesce(func.max(number), 0) + 1).scalar_subquery()
        counter = func.pg_get_serial_sequence(table.name, number.name)
        target.execute(select(func.setval(counter, newest, text("false"))))
    return count
