"""Accommodations: who is excused from what, and who has more time for everything."""

import datetime
from collections.abc import Callable

from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy import select
from sqlalchemy.orm import Session

from .tables import ExcuseRecord, ExtensionRecord, TimeFactorRecord

HOUR = datetime.timedelta(hours=1)
SECOND = 1 / 3600  # hours: what databases may round

Opens = Callable[[str], datetime.datetime | None]


def excused(session: Session) -> dict[tuple[str, str], str]:
    """Why, by student and assignment."""
    rows = session.execute(select(ExcuseRecord.student, ExcuseRecord.assignment, ExcuseRecord.reason))
    return {(row.student, row.assignment): row.reason for row in rows}


def excuse(session: Session, student: str, assignment: str, reason: str) -> None:
    """Excuse a student; an earlier reason is replaced."""
    session.merge(ExcuseRecord(student=student, assignment=assignment, reason=reason))


def take_excuse_back(session: Session, student: str, assignment: str) -> bool:
    """Let an assignment count again; returns whether it did not."""
    record = session.get(ExcuseRecord, (student, assignment))
    if record is not None:
        session.delete(record)
    return record is not None


def set_time_factor(session: Session, student: str, factor: float) -> None:
    """Give a student this factor; 1 is as much time as everybody has."""
    session.merge(TimeFactorRecord(student=student, factor=factor))


def give(session: Session, submission: SubmittedAssignment, hours: float, opens: Opens) -> None:
    """Give a student these hours after the due date, and no others; who has more by a time factor keeps them."""
    submission.extension = hours * HOUR if hours else None
    record = session.get(ExtensionRecord, (submission.student_id, submission.name))
    if record is not None:
        record.given = record.written = hours
    extend_by_factor(session, submission, opens)


def extend_by_factor(session: Session, submission: SubmittedAssignment, opens: Opens) -> bool:
    """Bring nbgrader's extension of a submission up to the student's time factor.

    The later of two counts: the hours that a person gave, and the time between opening and due date times the factor.

    Args:
        session: Of the gradebook.
        submission: Its extension is changed.
        opens: When an assignment was given out, if it says so.

    Returns:
        Whether it could: a factor needs to know when the assignment opens, if it is due at all.
    """
    student, assignment = submission.student_id, submission.name
    factor = session.get(TimeFactorRecord, student)
    if factor is None:
        return True
    record = session.get(ExtensionRecord, (student, assignment))
    now = (submission.extension or datetime.timedelta()) / HOUR
    given = record.given if record is not None and abs(now - record.written) < SECOND else now
    start, due = opens(assignment), submission.assignment.duedate
    known = due is None or start is not None
    more = 0.0
    if due is not None and start is not None:
        start = start.astimezone(datetime.UTC).replace(tzinfo=None)
        more = max(0.0, (due - start) / HOUR) * (factor.factor - 1)
    written = max(given, more)
    submission.extension = written * HOUR if written else None
    session.merge(ExtensionRecord(student=student, assignment=assignment, given=given, written=written))
    return known


def due_of(session: Session, student: str, assignment: str, opens: Opens) -> datetime.datetime | None:
    """When the work of a student is due, with all extensions, also where they have handed in nothing yet.

    Returns:
        UTC, without a time zone, as nbgrader keeps times; None if it never is.
    """
    found = session.scalar(select(Assignment).where(Assignment.name == assignment))
    if found is None or found.duedate is None:
        return None
    due: datetime.datetime = found.duedate
    more = session.scalar(
        select(SubmittedAssignment.extension).where(
            SubmittedAssignment.assignment_id == found.id, SubmittedAssignment.student_id == student
        )
    )
    factor, start = session.get(TimeFactorRecord, student), opens(assignment)
    longer = datetime.timedelta()
    if factor is not None and start is not None:
        start = start.astimezone(datetime.UTC).replace(tzinfo=None)
        longer = max(longer, due - start) * (factor.factor - 1)
    return due + max(more or datetime.timedelta(), longer)
