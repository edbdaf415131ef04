"""Removes records: replaced ones, those whose submission nbgrader no longer has, and those of one student."""

import contextlib
from collections.abc import Iterator
from typing import Any

from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment
from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from .database import one_transaction
from .mark_log import acting, log_decision
from .tables import ActRecord, AnswerRecord, Base, IncidentRecord, NotebookRecord, OutcomeRecord, VerdictRecord
from .triggers import rewriting_the_log

FORGET = "forget"
REMOVED = "a student was removed"


def forget(session: Session, *which: ColumnElement[bool]) -> None:
    """Remove the notebooks that meet all conditions, with all dependent rows."""
    notebooks = select(NotebookRecord.id).where(*which)
    if session.scalar(notebooks.limit(1)) is None:
        return
    verdicts = select(VerdictRecord.id).where(VerdictRecord.notebook_id.in_(notebooks))
    # SQLite does not check foreign keys by itself, so this order matters.
    removals: list[tuple[Any, ColumnElement[bool]]] = [
        (OutcomeRecord, OutcomeRecord.verdict_id.in_(verdicts)),
        (VerdictRecord, VerdictRecord.notebook_id.in_(notebooks)),
        (ActRecord, ActRecord.notebook_id.in_(notebooks)),
        (IncidentRecord, IncidentRecord.notebook_id.in_(notebooks)),
        (NotebookRecord, NotebookRecord.id.in_(notebooks)),
    ]
    for table, these in removals:
        session.execute(delete(table).where(these).execution_options(synchronize_session=False))


def sweep(gradebook: Gradebook) -> None:
    """Remove the records of submissions that are no longer in the gradebook."""

    def submitted(table: Any) -> Any:
        return exists().where(
            SubmittedAssignment.student_id == table.student,
            SubmittedAssignment.assignment_id == Assignment.id,
            Assignment.name == table.assignment,
        )

    forget(gradebook.db(), ~submitted(NotebookRecord))
    gone = delete(AnswerRecord).where(~submitted(AnswerRecord))
    gradebook.db.execute(gone.execution_options(synchronize_session=False))
    gradebook.db.commit()


@contextlib.contextmanager
def forget_student(gradebook: Gradebook, student: str, why: str) -> Iterator[None]:
    """Remove every row of a student, even in the log of marks, in a transaction committed with the block.

    The log then says who removed a student, when and why, but not which student.
    """
    with one_transaction(gradebook) as session:
        with acting(session, FORGET, why), contextlib.suppress(MissingEntry):
            gradebook.remove_student(student)
        forget(session, NotebookRecord.student == student)
        with rewriting_the_log(session.connection()):
            for table in Base.metadata.sorted_tables:
                if "student" in table.columns:
                    session.execute(delete(table).where(table.columns.student == student))
        log_decision(session, FORGET, "", "", REMOVED, why)
        session.flush()
        yield


def rows_of(session: Session, student: str) -> dict[str, int]:
    """Return the number of rows about a student in each of our tables that has any."""
    tables = [table for table in Base.metadata.sorted_tables if "student" in table.columns]
    counts = {
        table.name: session.scalar(select(func.count()).select_from(table).where(table.columns.student == student))
        for table in tables
    }
    return {name: count for name, count in counts.items() if count}


def clear_free_pages(gradebook: Gradebook) -> bool:
    """Make SQLite rewrite its file, because deleted data stays in it until overwritten.

    Returns whether this succeeded: no other program may use the file meanwhile.
    """
    if gradebook.engine.dialect.name != "sqlite":
        return True  # a server cleans up by itself
    gradebook.db.remove()
    try:
        with gradebook.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM")
    except OperationalError:
        return False
    return True
