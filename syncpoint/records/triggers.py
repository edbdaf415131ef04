"""Triggers in the gradebook: the database logs each change of a mark, and nobody can change the log.

They are on nbgrader's tables and change nothing there. A first score by the judge is no change.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

LOG = "syncpoint_mark_changes"
# For each column of nbgrader: its name in the log, and whether its first value is a change.
GRADES = {
    "auto_score": ("auto score", False),
    "manual_score": ("manual score", True),
    "extra_credit": ("extra credit", True),
}
PENALTY = ("late_submission_penalty", "late penalty")
REFUSED = ("UPDATE", "DELETE")
READ_ONLY = "the log of marks cannot be changed"
COLUMNS = "at, who, how, why, student, assignment, notebook, exercise, mark, before, after"
# Also covers a grade whose submission is being removed, whatever of it is left.
NAMES = """
    (SELECT 1 AS one) AS it
    LEFT JOIN submitted_notebook AS sn ON sn.id = {notebook}
    LEFT JOIN submitted_assignment AS sa ON sa.id = sn.assignment_id
    LEFT JOIN assignment AS a ON a.id = sa.assignment_id
    LEFT JOIN notebook AS n ON n.id = sn.notebook_id
    LEFT JOIN base_cell AS c ON c.id = {cell}
"""
VALUES = """
    {now}, COALESCE((SELECT who FROM syncpoint_actor), {user}),
    COALESCE((SELECT how FROM syncpoint_actor), ''), COALESCE((SELECT why FROM syncpoint_actor), ''),
    COALESCE(sa.student_id, ''), COALESCE(a.name, ''), COALESCE(n.name, ''), COALESCE(c.name, ''),
    {mark}, {before}, {after}
"""


def install(connection: Connection) -> None:
    """Create missing triggers, in the caller's transaction."""
    for statement in _statements(connection):
        connection.exec_driver_sql(statement)


@contextmanager
def rewriting_the_log(connection: Connection) -> Iterator[None]:
    """Allow this transaction, of the owner of the tables, to delete lines of the log inside the block."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"ALTER TABLE {LOG} DISABLE TRIGGER syncpoint_log_stays")
        yield
        connection.exec_driver_sql(f"ALTER TABLE {LOG} ENABLE TRIGGER syncpoint_log_stays")
    else:
        for act in REFUSED:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS syncpoint_log_stays_{act.lower()}")
        yield
        install(connection)


def installed(connection: Connection) -> bool:
    """Whether the database logs changes now: its owner can remove triggers."""
    catalogue = (
        "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE 'syncpoint_%'"
        if connection.dialect.name == "postgresql"
        else "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'syncpoint_%'"
    )
    wanted = sum(statement.startswith("CREATE TRIGGER") for statement in _statements(connection))
    return int(connection.scalar(text(catalogue)) or 0) >= wanted


def _statements(connection: Connection) -> Iterator[str]:
    if connection.dialect.name != "postgresql":
        return _sqlite()
    return _postgresql(str(connection.scalar(text("SELECT quote_ident(current_schema())"))))


def _sqlite() -> Iterator[str]:
    now = "strftime('%Y-%m-%d %H:%M:%f', 'now') || '000'"  # as SQLAlchemy reads times

    def insert(row: str, cell: str, mark: str, before: str, after: str) -> str:
        names = NAMES.format(notebook=row, cell=cell)
        values = VALUES.format(now=now, user="''", mark=f"'{mark}'", before=before, after=after)
        return f"INSERT INTO {LOG} ({COLUMNS}) SELECT {values} FROM {names};"

    for column, (mark, first) in GRADES.items():
        old, new = f"OLD.{column}", f"NEW.{column}"
        changed = f"{old} IS NOT {new}" + ("" if first else f" AND {old} IS NOT NULL")
        yield (
            f"CREATE TRIGGER IF NOT EXISTS syncpoint_{column}_updated AFTER UPDATE OF {column} ON grade WHEN {changed} "
            f"BEGIN {insert('NEW.notebook_id', 'NEW.cell_id', mark, old, new)} END"
        )
        yield (
            f"CREATE TRIGGER IF NOT EXISTS syncpoint_{column}_deleted AFTER DELETE ON grade WHEN {old} IS NOT NULL "
            f"BEGIN {insert('OLD.notebook_id', 'OLD.cell_id', mark, old, 'NULL')} END"
        )
    column, mark = PENALTY
    yield (
        f"CREATE TRIGGER IF NOT EXISTS syncpoint_penalty_updated AFTER UPDATE OF {column} ON submitted_notebook "
        f"WHEN OLD.{column} IS NOT NEW.{column} "
        f"BEGIN {insert('NEW.id', 'NULL', mark, f'OLD.{column}', f'NEW.{column}')} END"
    )
    yield (
        "CREATE TRIGGER IF NOT EXISTS syncpoint_penalty_deleted BEFORE DELETE ON submitted_notebook "
        f"WHEN OLD.{column} IS NOT NULL BEGIN {insert('OLD.id', 'NULL', mark, f'OLD.{column}', 'NULL')} END"
    )
    for act in REFUSED:
        yield (
            f"CREATE TRIGGER IF NOT EXISTS syncpoint_log_stays_{act.lower()} BEFORE {act} ON {LOG} "
            f"BEGIN SELECT RAISE(ABORT, '{READ_ONLY}'); END"
        )


def _postgresql(schema: str) -> Iterator[str]:
    # A role that may change marks has no rights on the log: the trigger uses its owner's rights and tables, even if the
    # role has created tables of the same names.
    by_owner = f"SECURITY DEFINER SET search_path = {schema}, pg_temp"
    now = "(now() AT TIME ZONE 'UTC')"
    names = NAMES.format(notebook="notebook_", cell="cell_")
    values = VALUES.format(now=now, user="session_user::text", mark="mark_", before="before_", after="after_")
    yield (
        "CREATE OR REPLACE FUNCTION syncpoint_note(notebook_ text, cell_ text, mark_ text, before_ float8, "
        f"after_ float8) RETURNS void LANGUAGE sql AS $$ INSERT INTO {LOG} ({COLUMNS}) SELECT {values} FROM {names} $$"
    )
    updated = deleted = ""
    for column, (mark, first) in GRADES.items():
        old, new = f"OLD.{column}", f"NEW.{column}"
        changed = f"{old} IS DISTINCT FROM {new}" + ("" if first else f" AND {old} IS NOT NULL")
        updated += (
            f"IF {changed} THEN PERFORM syncpoint_note(NEW.notebook_id, NEW.cell_id, '{mark}', {old}, {new}); END IF; "
        )
        deleted += (
            f"IF {old} IS NOT NULL THEN PERFORM syncpoint_note(OLD.notebook_id, OLD.cell_id, '{mark}', {old}, NULL); "
            "END IF; "
        )
    column, mark = PENALTY
    penalty = (
        f"IF OLD.{column} IS DISTINCT FROM NEW.{column} THEN "
        f"PERFORM syncpoint_note(NEW.id, NULL, '{mark}', OLD.{column}, NEW.{column}); END IF; "
    )
    no_penalty = (
        f"IF OLD.{column} IS NOT NULL THEN PERFORM syncpoint_note(OLD.id, NULL, '{mark}', OLD.{column}, NULL); END IF; "
    )
    for name, table, act, body in (
        ("grade_updated", "grade", "AFTER UPDATE", updated),
        ("grade_deleted", "grade", "AFTER DELETE", deleted),
        ("penalty_updated", "submitted_notebook", "AFTER UPDATE", penalty),
        ("penalty_deleted", "submitted_notebook", "BEFORE DELETE", no_penalty),
        ("log_stays", LOG, "BEFORE UPDATE OR DELETE", f"RAISE EXCEPTION '{READ_ONLY}'; "),
    ):
        yield (
            f"CREATE OR REPLACE FUNCTION syncpoint_{name}() RETURNS trigger LANGUAGE plpgsql {by_owner} AS "
            f"$$ BEGIN {body} RETURN OLD; END $$"  # before a row is deleted, NULL would stop the deletion
        )
        yield f"DROP TRIGGER IF EXISTS syncpoint_{name} ON {table}"
        yield (f"CREATE TRIGGER syncpoint_{name} {act} ON {table} FOR EACH ROW EXECUTE FUNCTION syncpoint_{name}()")
