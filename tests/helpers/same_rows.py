"""Holds two graded copies of a course against each other: every row of every table, every file of autograded/."""

import json
import re
from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, inspect, text

from syncpoint.core.results import Cost

WHEN = {"graded_at", "at"}
COSTS = {*Cost.__dataclass_fields__, "seconds", "detail"}
OURS = ("verdicts", "incidents", "acts")
# Rows whose keys are made up anew in each gradebook, by the names that they stand for.
OF_SUBMISSION = (
    "SELECT x.*, s.student_id AS student, a.name AS assignment, n.name AS notebook{more} FROM {table} x "
    "JOIN submitted_notebook b ON b.id = x.{key} JOIN submitted_assignment s ON s.id = b.assignment_id "
    "JOIN assignment a ON a.id = s.assignment_id JOIN notebook n ON n.id = b.notebook_id{joins}"
)
IN_CELL = {"key": "notebook_id", "more": ", c.name AS cell", "joins": " JOIN base_cell c ON c.id = x.cell_id"}
NAMED = {
    "submitted_assignment": (
        "SELECT x.*, a.name AS assignment FROM submitted_assignment x JOIN assignment a ON a.id = x.assignment_id"
    ),
    "submitted_notebook": OF_SUBMISSION.format(table="submitted_notebook", key="id", more="", joins=""),
    **{table: OF_SUBMISSION.format(table=table, **IN_CELL) for table in ("grade", "comment")},
    **{f"syncpoint_{table}": f"SELECT * FROM syncpoint_{table}" for table in ("notebooks", "mark_changes", "tries")},
    **{
        f"syncpoint_{table}": f"SELECT x.*, n.student, n.assignment, n.notebook FROM syncpoint_{table} x "
        "JOIN syncpoint_notebooks n ON n.id = x.notebook_id"
        for table in OURS
    },
    "syncpoint_titles": "SELECT text FROM syncpoint_titles",
    "syncpoint_outcomes": (
        "SELECT x.*, t.text, v.exercise, n.student, n.assignment, n.notebook FROM syncpoint_outcomes x "
        "JOIN syncpoint_titles t ON t.id = x.title_id "
        "JOIN syncpoint_verdicts v ON v.id = x.verdict_id JOIN syncpoint_notebooks n ON n.id = v.notebook_id"
    ),
}
KEYS = {"id", "notebook_id", "assignment_id", "cell_id", "verdict_id", "title_id"}


def differences(a: Path, b: Path, judged_again: Collection[str] = (), of_a: str = "", of_b: str = "") -> list[str]:
    """What of two copies of a course is not the same.

    judged_again: students whose result is in no store, so that its cost may differ.  of_a, of_b: the addresses of
    their gradebooks, if these are not in the folders.
    """
    rows_of_a, rows_of_b = (
        _rows(url or f"sqlite:///{root}/gradebook.db", judged_again) for root, url in ((a, of_a), (b, of_b))
    )
    assert rows_of_a["syncpoint_outcomes"], "nothing was graded"
    found = []
    for table in sorted(rows_of_a.keys() | rows_of_b.keys()):
        x, y = rows_of_a.get(table, Counter()), rows_of_b.get(table, Counter())
        found += [f"{table}: only in A: {row}" for row in x - y] + [f"{table}: only in B: {row}" for row in y - x]
    files_of_a, files_of_b = _files(a, judged_again), _files(b, judged_again)
    return found + sorted(
        f"{name}: {'differs' if name in files_of_a and name in files_of_b else 'only in one'}"
        for name in files_of_a.keys() | files_of_b.keys()
        if files_of_a.get(name) != files_of_b.get(name)
    )


def _rows(url: str, judged_again: Collection[str]) -> dict[str, Counter[str]]:
    engine = create_engine(url)
    with engine.connect() as connection:
        tables = [table for table in inspect(connection).get_table_names() if not table.startswith("alembic")]
        found = {table: _of_table(connection, table, judged_again) for table in tables}
    engine.dispose()
    return found


def _of_table(connection: Connection, table: str, judged_again: Collection[str]) -> Counter[str]:
    made_up = WHEN | (KEYS if table in NAMED else set())
    rows: Counter[str] = Counter()
    for row in connection.execute(text(NAMED.get(table, f"SELECT * FROM {table}"))).mappings():
        left = made_up | (COSTS if row.get("student") in judged_again else set())
        rows[str(sorted((name, _plain(value)) for name, value in row.items() if name not in left))] += 1
    return rows


def _plain(value: Any) -> str:
    """A value as each database has it."""
    if isinstance(value, timedelta):
        value = datetime(1970, 1, 1) + value
    if isinstance(value, datetime):
        return value.isoformat(" ", "microseconds")
    if isinstance(value, (bool, int, float)):
        return str(float(value))
    return json.dumps(value) if isinstance(value, (list, dict)) else str(value)


def _files(root: Path, judged_again: Collection[str]) -> dict[str, tuple[int, bytes]]:
    folder = root / "autograded"
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not name.parts[0].startswith("."):
            content = path.read_bytes()
            content = re.sub(rb"[0-9.]+", b"", content) if name.parts[0] in judged_again else content
            found[str(name)] = path.stat().st_mode, content
    return found
