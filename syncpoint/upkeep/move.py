"""Copies a gradebook into an empty database of another kind, completely or not at all."""

from nbgrader.api import Base as NbgraderBase
from nbgrader.api import Course as NbgraderCourse
from sqlalchemy import Connection, Table, create_engine, func, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from ..core.atomic_write import write_whole
from ..core.errors import SyncpointError
from ..course.folder import CONFIG, Course
from ..course.gradebook_setting import with_gradebook
from ..records.database import locked, upgrade
from ..records.gradebook import database, open_gradebook, prepare_gradebook
from ..records.owner import adopt
from ..records.tables import ActorRecord, Base, OwnerRecord

ROWS_PER_INSERT = 1000
DONE = (
    "Copied all {rows} rows of {tables} tables to {url}, and nbgrader_config.py now names it. The old gradebook is "
    "unchanged."
)
NOT_NAMED = (
    "copied all {rows} rows of {tables} tables to {url}, but nbgrader_config.py cannot be changed ({problem}): "
    'write     c.CourseDirectory.db_url = "{url}" as its last line. Until then the old gradebook is used: do not grade.'
)
NO_ADDRESS = "{url!r} is not a database address: write it like postgresql+psycopg:///syncpoint."
PASSWORD = "The file does not contain the password: keep it in ~/.pgpass or in PGPASSWORD."


def move(course: Course, url: str) -> list[str]:
    """Copy the course's gradebook into an empty database at this URL, and name the copy in the configuration.

    Nobody can write into the gradebook while it is copied. It is only read, and may belong to another course, so this
    also gives a copied course its own gradebook.

    Raises:
        GradebookError: If one of the two cannot be opened.
        SyncpointError: If the target already has a gradebook or refuses a row, or nbgrader_config.py cannot be changed.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise SyncpointError(NO_ADDRESS.format(url=url)) from None
    prepare_gradebook(url, course.id)
    engine = create_engine(address)
    upgrade(engine)
    tables = [
        *NbgraderBase.metadata.sorted_tables,
        *(
            table
            for table in Base.metadata.sorted_tables
            if table not in (ActorRecord.__table__, OwnerRecord.__table__)
        ),
    ]
    try:
        with (
            open_gradebook(course, whosever=True) as gradebook,
            locked(gradebook.engine) as source,
            engine.begin() as target,
        ):
            _empty(target, tables)
            rows = sum(_copy(table, source, target) for table in tables)
    except DBAPIError as problem:
        raise SyncpointError(f"{address} rejected a row, so nothing was moved ({problem.orig}).") from None
    finally:
        engine.dispose()
    adopt(url, course.root)
    bare = address.set(password=None).render_as_string() if address.password else url
    counts = {"rows": rows, "tables": len(tables), "url": bare}
    try:
        _name(course, bare)
    except (OSError, SyntaxError, ValueError) as problem:
        raise SyncpointError(NOT_NAMED.format(problem=problem, **counts)) from None
    return [DONE.format(**counts), *([PASSWORD] if address.password else [])]


def _name(course: Course, url: str) -> None:
    """Name a gradebook in the course's configuration; raises if the result would name another one."""
    path = course.root / CONFIG
    before = path.read_text(encoding="utf-8")
    write_whole(path, with_gradebook(before, url).encode())
    if database(course) != url:
        write_whole(path, before.encode())
        raise ValueError("another line also sets it")


def _empty(target: Connection, tables: list[Table]) -> None:
    """Remove the courses of an empty gradebook; there may be nothing else."""
    for table in reversed(tables):
        if table is NbgraderCourse.__table__:
            target.execute(table.delete())
        elif target.scalar(select(func.count()).select_from(table)):
            raise SyncpointError(
                f"{target.engine.url} already contains a gradebook: create an empty database for this one."
            )


def _copy(table: Table, source: Connection, target: Connection) -> int:
    found = source.execute(select(table)).mappings()
    count = 0
    while some := [dict(row) for row in found.fetchmany(ROWS_PER_INSERT)]:
        target.execute(table.insert(), some)
        count += len(some)
    number = table.autoincrement_column
    if number is not None and target.dialect.name == "postgresql":  # the next row has the next number
        newest = select(func.coalesce(func.max(number), 0) + 1).scalar_subquery()
        counter = func.pg_get_serial_sequence(table.name, number.name)
        target.execute(select(func.setval(counter, newest, text("false"))))
    return count
