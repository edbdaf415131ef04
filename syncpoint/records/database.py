"""Our tables in the gradebook's database: created and upgraded without touching nbgrader's."""

import functools
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.orm import Session

from .errors import GradebookError
from .tables import Base
from .triggers import install

MIGRATIONS = Path(__file__).parent / "migrations"
VERSION_TABLE = "syncpoint_version"  # nbgrader's is in alembic_version
_up_to_date: weakref.WeakSet[Engine] = weakref.WeakSet()  # grading checks this for each notebook
LOCK = 0x53594E43  # an arbitrary number for PostgreSQL's advisory locks that no other program uses
# Errors of SQLite and PostgreSQL that have a known fix.
TROUBLES = {
    "database is locked": "another program has locked the gradebook; wait until it is done, or stop it",
    "disk is full": "there is no room left on the disk of the gradebook",
    "disk I/O error": "the gradebook's disk has an error or is full",
    "readonly database": "the gradebook is read-only; give its file and its folder to the user who grades",
    "unable to open database file": "the gradebook cannot be opened; check the permissions of its file and its folder",
    "malformed": "the gradebook is damaged; restore it from a backup",
    "connection": "the gradebook's server does not respond",
}


@functools.cache
def newest() -> str:
    """The newest revision of our tables: the number at the beginning of the last migration's file name."""
    return max(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def revision(connection: Connection, table: str) -> str | None:
    """Return the revision in one of Alembic's tables, or None.

    It is read for each notebook and at each start, and importing Alembic would take a seventh of a second.
    """
    if not inspect(connection).has_table(table):
        return None
    return connection.scalar(text(f"SELECT version_num FROM {table}"))  # one of our tables or nbgrader's


def upgrade(engine: Engine) -> None:
    """Bring our tables up to date, safely in parallel. Raises GradebookError if they are of a newer Syncpoint."""
    if engine in _up_to_date:
        return
    with engine.connect() as connection:
        if revision(connection, VERSION_TABLE) == newest():
            _up_to_date.add(engine)
            return
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    with locked(engine) as connection:
        current = revision(connection, VERSION_TABLE)
        if current is None:
            _create(connection)
            MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).stamp(scripts, "head")
            return
        if current not in {script.revision for script in scripts.walk_revisions()}:
            raise GradebookError(
                f"the gradebook was written by a newer Syncpoint (tables {current})", "update Syncpoint"
            )
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, "head")


def _create(connection: Connection) -> None:
    """Make all tables as the code knows them, the triggers, and an index of the answers that wait for a person."""
    Base.metadata.create_all(connection)
    install(connection)
    unread = "needs_manual_grade = 1" if connection.dialect.name == "sqlite" else "needs_manual_grade"
    connection.exec_driver_sql(
        f"CREATE INDEX ix_syncpoint_unread ON grade (cell_id, needs_manual_grade) WHERE {unread}"
    )


@contextmanager
def locked(engine: Engine) -> Iterator[Connection]:
    """Yield a transaction that excludes all our other transactions."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # Python's driver would begin a transaction only at the first INSERT, so two processes could read the same
            # old state.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        yield connection
        try:
            connection.commit()
        except BaseException:
            connection.invalidate()  # otherwise SQLAlchemy would reuse it with its transaction still open
            raise


@contextmanager
def one_transaction(gradebook: Gradebook) -> Iterator[Session]:
    """Delay nbgrader's commits in this block to its end, so that its rows and ours are written together.

    Writes about the same student do not mix: the second writer waits until the first is done.
    """
    upgrade(gradebook.engine)
    with locked(gradebook.engine) as connection:
        gradebook.db.remove()
        gradebook.db.configure(bind=connection, join_transaction_mode="rollback_only")
        try:
            yield gradebook.db()
            gradebook.db.flush()
        finally:
            gradebook.db.remove()
            gradebook.db.configure(bind=gradebook.engine, join_transaction_mode="conditional_savepoint")
