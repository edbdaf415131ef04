"""Accommodations: excuses from assignments, and more time for all assignments."""

import datetime
from collections.abc import Callable

from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy import select
from sqlalchemy.orm import Session

from .mark_log import log_decision
from .tables import ExcuseRecord, ExtensionRecord, TimeFactorRecord

HOUR = datetime.timedelta(hours=1)
SECOND = 1 / 3600  # hours: databases may round by this much

Opens = Callable[[str], datetime.datetime | None]


def excused(session: Session) -> dict[tuple[str, str], str]:
    """Return who is excused: the reasons, by student and assignment."""
    rows = session.execute(select(ExcuseRecord.student, ExcuseRecord.assignment, ExcuseRecord.reason))
    return {(row.student, row.assignment): row.reason for row in rows}


def excuse(session: Session, student: str, assignment: str, reason: str) -> bool:
    """Excuse a student, or without a reason let the assignment count again; return whether that is new."""
    record = session.get(ExcuseRecord, (student, assignment))
    if reason == (record.reason if record is not None else ""):
        return False
    if reason:
        session.merge(ExcuseRecord(student=student, assignment=assignment, reason=reason))
    else:
        session.delete(record)
    log_decision(session, "excuse", student, assignment, "excused" if reason else "no longer excused", reason)
    return True


def give_hours(session: Session, student: str, assignment: str, hours: float, opens: Opens) -> None:
    """Give a student these hours after the due date instead of earlier ones; more time by a time factor is kept.

    nbgrader gets the extension only with a submission; otherwise the student would appear to have submitted.
    """
    session.merge(ExtensionRecord(student=student, assignment=assignment, given=hours, written=0.0))
    submission = find_submission(session, student, assignment)
    if submission is not None:
        submission.extension = None
        write_extension(session, submission, opens)


def students_with_more_time(session: Session) -> set[str]:
    return {*session.scalars(select(ExtensionRecord.student)), *session.scalars(select(TimeFactorRecord.student))}


def find_submission(session: Session, student: str, assignment: str) -> SubmittedAssignment | None:
    return session.scalar(
        select(SubmittedAssignment)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == assignment, SubmittedAssignment.student_id == student)
    )


def write_extension(session: Session, submission: SubmittedAssignment, opens: Opens) -> None:
    """Update nbgrader's extension of a submission to the student's current one.

    The later of two counts: the hours that a person gave, and the time between opening and due date times the student's
    time factor.
    """
    student, assignment = submission.student_id, submission.name
    record = session.get(ExtensionRecord, (student, assignment))
    factor = session.get(TimeFactorRecord, student)
    if record is None and factor is None:
        return
    given = _given(record, submission.extension)
    written = max(given, _more(factor, submission.assignment.duedate, opens(assignment)))
    submission.extension = written * HOUR if written else None
    session.merge(ExtensionRecord(student=student, assignment=assignment, given=given, written=written))


def _given(record: ExtensionRecord | None, extension: datetime.timedelta | None) -> float:
    """Return the hours that a person gave: the stored ones, unless nbgrader's were changed since."""
    # A new submission has no extension; one that nbgrader reset has one of no hours.
    if record is not None and (extension is None or abs(extension / HOUR - record.written) < SECOND):
        return record.given
    return (extension or datetime.timedelta()) / HOUR


def _more(factor: TimeFactorRecord | None, due: datetime.datetime | None, start: datetime.datetime | None) -> float:
    """Return the hours after the due date from a time factor; none if its base time is unknown."""
    if factor is None or due is None or start is None:
        return 0.0
    start = start.astimezone(datetime.UTC).replace(tzinfo=None)
    return max(0.0, (due - start) / HOUR) * (factor.factor - 1)


def keep_extensions(session: Session, assignment: Assignment) -> None:
    """Keep students' extensions while nbgrader removes their submissions of an assignment."""
    for submission in assignment.submissions:
        key = submission.student_id, assignment.name
        if given := _given(session.get(ExtensionRecord, key), submission.extension):
            session.merge(ExtensionRecord(student=key[0], assignment=key[1], given=given, written=0.0))


def due_of(session: Session, student: str, assignment: str, opens: Opens) -> datetime.datetime | None:
    """Return when a student's work is due (UTC, without a zone), also before they submit; None for never."""
    found = session.scalar(select(Assignment).where(Assignment.name == assignment))
    if found is None or found.duedate is None:
        return None
    due: datetime.datetime = found.duedate
    submission = find_submission(session, student, assignment)
    given = _given(
        session.get(ExtensionRecord, (student, assignment)), submission.extension if submission is not None else None
    )
    more = _more(session.get(TimeFactorRecord, student), due, opens(assignment))
    return due + max(given, more) * HOUR
