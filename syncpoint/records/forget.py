"""Removes records: those that are replaced, and those whose submission nbgrader has no more."""

from typing import Any

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from sqlalchemy import ColumnElement, delete, exists, select
from sqlalchemy.orm import Session

from .tables import FlagRecord, IncidentRecord, NotebookRecord, OutcomeRecord, VerdictRecord


def forget(session: Session, *which: ColumnElement[bool]) -> None:
    """Remove the notebooks for which all conditions hold, with all that hangs on them."""
    notebooks = select(NotebookRecord.id).where(*which)
    verdicts = select(VerdictRecord.id).where(VerdictRecord.notebook_id.in_(notebooks))
    # SQLite checks no foreign keys by itself, so the order is ours.
    removals: list[tuple[Any, ColumnElement[bool]]] = [
        (OutcomeRecord, OutcomeRecord.verdict_id.in_(verdicts)),
        (VerdictRecord, VerdictRecord.notebook_id.in_(notebooks)),
        (FlagRecord, FlagRecord.notebook_id.in_(notebooks)),
        (IncidentRecord, IncidentRecord.notebook_id.in_(notebooks)),
        (NotebookRecord, NotebookRecord.id.in_(notebooks)),
    ]
    for table, these in removals:
        session.execute(delete(table).where(these).execution_options(synchronize_session=False))


def sweep(gradebook: Gradebook) -> None:
    """Remove the records of submissions that are no longer in the gradebook."""
    submitted = exists().where(
        SubmittedAssignment.student_id == NotebookRecord.student,
        SubmittedAssignment.assignment_id == Assignment.id,
        Assignment.name == NotebookRecord.assignment,
    )
    forget(gradebook.db(), ~submitted)
    gradebook.db.commit()
