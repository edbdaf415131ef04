"""Tries in the gradebook: all judged submissions. grading/commit.py decides which one counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from ..core.errors import SyncpointError
from .mark_log import log_decision
from .tables import TryRecord, utc_now

Parts = dict[str, tuple[float | None, float, str]]  # notebook/cell -> points, maximum, text


@dataclass(frozen=True)
class Try:
    """A submission that was just judged."""

    student: str
    digest: str  # of the submitted files
    submitted_at: datetime | None  # UTC; None if it is not known
    submitter: str  # the group member who submitted it; "" for the student's own work
    results: dict[str, str | None]  # notebook -> the key of its result
    exercises: Parts
    counts: bool  # whether the marks are for this try


def save_tries(session: Session, assignment: str, tries: Sequence[Try]) -> None:
    """Store these tries; a known try gets its new points, and keeps the earlier of two times."""
    students = {one.student for one in tries}
    theirs = TryRecord.assignment == assignment, TryRecord.student.in_(students)
    rows = session.scalars(select(TryRecord).where(*theirs))
    known: dict[tuple[str, str], TryRecord] = {(row.student, row.digest): row for row in rows}
    for row in known.values():
        row.counts = False
    for one in tries:
        names = {"student": one.student, "assignment": assignment, "digest": one.digest}
        row = known.setdefault((one.student, one.digest), TryRecord(**names, counts=False, chosen=False))
        session.add(row)
        row.submitted_at = earlier(row.submitted_at, one.submitted_at)
        row.graded_at, row.submitter, row.counts = utc_now(), one.submitter, row.counts or one.counts
        row.points = sum(points or 0.0 for points, _, _ in one.exercises.values())
        row.max_points = sum(most for points, most, _ in one.exercises.values() if points is not None)
        row.results, row.exercises = one.results, {name: list(part) for name, part in one.exercises.items()}


def earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    """Return the earlier of two times; a known time comes before an unknown one."""
    return min(filter(None, (one, other)), default=None)


def tries_of(session: Session, assignment: str, students: Iterable[str]) -> dict[str, list[TryRecord]]:
    """Return the tries of these students, each student's in order."""
    students = list(students)
    found: dict[str, list[TryRecord]] = {student: [] for student in students}
    which = TryRecord.assignment == assignment, TryRecord.student.in_(students)
    for row in session.scalars(select(TryRecord).where(*which).order_by(TryRecord.id)):
        found[row.student].append(row)
    return found


def choose(session: Session, student: str, assignment: str, number: int) -> None:
    """Choose the try that counts (from 1; 0: none), if the course's rule is "chosen", or raise SyncpointError."""
    rows = tries_of(session, assignment, [student]).get(student, [])
    if not 0 <= number <= len(rows):
        raise SyncpointError(f"{student} has {len(rows)} tries for {assignment}: choose one of them, or 0 for none.")
    for place, row in enumerate(rows, 1):
        row.chosen = place == number
    log_decision(session, "tries", student, assignment, f"chose try {number or 'none'}")


def remove(session: Session, student: str, assignment: str, number: int) -> str:
    """Remove a try that is not the student's own work (from 1), or raise SyncpointError; return its files' digest."""
    rows = tries_of(session, assignment, [student]).get(student, [])
    if not 1 <= number <= len(rows):
        raise SyncpointError(f"{student} has {len(rows)} tries for {assignment}: remove one of them.")
    row = rows[number - 1]
    session.delete(row)
    log_decision(session, "tries", student, assignment, f"removed try {number}")
    return row.digest
