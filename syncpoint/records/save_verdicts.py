"""Writes the verdicts behind the marks into our tables; grading/commit.py writes the marks into nbgrader's."""

import functools
from collections.abc import Hashable, Sequence
from typing import Any

from sqlalchemy import Column, insert, inspect, select, tuple_
from sqlalchemy.orm import Session

from ..core.messages import to_data
from ..core.results import NotebookResult
from ..core.strip import strip_control
from .forget import forget
from .tables import ActRecord, Base, IncidentRecord, NotebookRecord, OutcomeRecord, TitleRecord, VerdictRecord


def save_verdicts(
    session: Session, assignment: str, found: Sequence[tuple[str, str, NotebookResult, str | None]]
) -> None:
    """Replace the stored results of notebooks, with one statement for each table.

    Each of ``found`` is a student, a notebook, its result, and the result's key, if it has one.
    """
    which = tuple_(NotebookRecord.student, NotebookRecord.notebook).in_(
        [(student, name) for student, name, *_ in found]
    )
    forget(session, NotebookRecord.assignment == assignment, which)
    books = [
        {"student": student, "assignment": assignment, "notebook": name, "result_key": key}
        | _columns(NotebookRecord, result.versions)
        | COSTS_UNKNOWN
        | _columns(NotebookRecord, result.cost)
        for student, name, result, key in found
    ]
    results = list(zip(_insert(session, NotebookRecord, books), (result for _, _, result, _ in found), strict=True))
    for table, name in ((IncidentRecord, "incidents"), (ActRecord, "acts")):
        _insert(
            session,
            table,
            [
                {"notebook_id": book, **_columns(table, one)}
                for book, result in results
                for one in getattr(result, name)
            ],
        )
    exercises = [(book, exercise) for book, result in results for exercise in result.exercises]
    verdicts = [
        {"notebook_id": book, "exercise": exercise.name}
        | _columns(VerdictRecord, exercise)
        | {"notes": [to_data(note) for note in exercise.notes]}
        for book, exercise in exercises
    ]
    titles = _titles(session, {test.title for _, exercise in exercises for test in exercise.tests})
    outcomes = [
        {"verdict_id": verdict, "title_id": titles[test.title]}
        | _columns(OutcomeRecord, test)
        | {"status": test.status.value, "detail": strip_control(test.detail)}
        | ({"hint": ""} if test.passed else {})  # nobody reads it, and each submission would have a copy
        for verdict, (_, exercise) in zip(_insert(session, VerdictRecord, verdicts), exercises, strict=True)
        for test in exercise.tests
    ]
    _insert(session, OutcomeRecord, outcomes)


def _titles(session: Session, wanted: set[str]) -> dict[str, int]:
    """Return the ids of titles; new ones are stored."""
    rows = session.execute(select(TitleRecord.text, TitleRecord.id).where(TitleRecord.text.in_(wanted)))
    found: dict[str, int] = {row.text: row.id for row in rows}
    new = sorted(wanted - found.keys())
    return found | dict(zip(new, _insert(session, TitleRecord, [{"text": text} for text in new]), strict=True))


COSTS_UNKNOWN = dict.fromkeys(("kernel_start", "kernel_busy", "kernel_stop", "total", "peak_mib"))


def _insert(session: Session, table: Any, rows: list[dict[str, Any]]) -> Sequence[int]:
    if not rows:
        return []
    # None is stored as NULL, and all rows are inserted with one statement.
    statement = insert(table).execution_options(render_nulls=True)
    return session.scalars(statement.returning(table.id, sort_by_parameter_order=True), rows).all()


@functools.cache
def _names(table: type[Base], result: Hashable) -> tuple[str, ...]:
    fields = {*getattr(result, "__dataclass_fields__", ()), *dir(result)}
    stored = (one.key for one in inspect(table).column_attrs if isinstance(one.columns[0], Column))
    return tuple(name for name in stored if name in fields)


def _columns(table: type[Base], result: Any) -> dict[str, Any]:
    """Return the values of a result for a row: all fields with the name of a column."""
    kind: Any = type(result)
    return {name: getattr(result, name) for name in _names(table, kind)}
