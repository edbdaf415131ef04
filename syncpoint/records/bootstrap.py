"""Initializes a gradebook: creates nbgrader's tables, one program at a time.

nbgrader does so whenever it opens an empty database, in steps that two programs cannot take at the same time: the
tables, their version, a row for the course.  This module leaves existing rows alone.
"""

from collections.abc import Collection

from nbgrader.api import Base, Course
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import Connection, create_engine, insert, inspect, select
from sqlalchemy.exc import IntegrityError, ProgrammingError

from .database import locked, revision

NBGRADER = "alembic_version"  # the table in which nbgrader keeps its revision
UNNAMED = "default_course"  # the course name with which nbgrader's preprocessors open the gradebook
# nbgrader outside our commands (formgrader) ignores our lock. It may create the tables, their version and each of two
# courses first, so there can be four surprises.
SURPRISES = 4


def prepare(db_url: str, course_id: str | None) -> None:
    """Make a gradebook, or complete it; returns at once if it is complete. Safe in parallel."""
    courses = {course_id, UNNAMED} - {None, ""}
    engine = create_engine(db_url)
    try:
        with engine.connect() as connection:
            if _is_whole(connection, courses):
                return
        for surprises in range(SURPRISES + 1):
            try:
                with locked(engine) as connection:
                    _complete(connection, courses)
                return
            # PostgreSQL: another program has just created the same table or row
            except (IntegrityError, ProgrammingError):
                if surprises == SURPRISES:
                    raise
    finally:
        engine.dispose()


def _is_whole(connection: Connection, courses: Collection[str | None]) -> bool:
    return (
        Base.metadata.tables.keys() <= set(inspect(connection).get_table_names())
        and revision(connection, NBGRADER) is not None
        and not _missing(connection, courses)
    )


def _complete(connection: Connection, courses: Collection[str | None]) -> None:
    current = _is_current(connection)
    Base.metadata.create_all(connection)
    if current and revision(connection, NBGRADER) is None:
        from alembic.migration import MigrationContext
        from alembic.script import ScriptDirectory

        MigrationContext.configure(connection).stamp(ScriptDirectory(ALEMBIC_DIR), "head")
    for course in _missing(connection, courses):
        connection.execute(insert(Course).values(id=course))


def _is_current(connection: Connection) -> bool:
    """Whether no table is from an older nbgrader, which `nbgrader db upgrade` must not treat as new."""
    found = inspect(connection)
    tables = [table for name, table in Base.metadata.tables.items() if found.has_table(name)]
    return all(
        set(table.columns.keys()) <= {column["name"] for column in found.get_columns(table.name)} for table in tables
    )


def _missing(connection: Connection, courses: Collection[str | None]) -> list[str | None]:
    there = set(connection.scalars(select(Course.id)))
    return sorted(set(courses) - there, key=str)
