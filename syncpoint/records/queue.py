"""The queue of submissions: their order, students' remaining attempts, and the state of each submission.

A submission is *collected*, then *queued* (or *held* until the student has an attempt left), *judging*, *written* into
the gradebook, and *released* to the student.  It is *replaced* if newer work was graded before its page was written.
If a run is interrupted, its submissions stay *judging* and are judged again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from ..course.on_submission import Rules
from .tables import QueueEntry

COLLECTED, HELD, QUEUED, JUDGING = "collected", "held", "queued", "judging"
WRITTEN, RELEASED, REPLACED = "written", "released", "replaced"
STEPS = (COLLECTED, QUEUED, JUDGING, WRITTEN, RELEASED)
BEFORE = (COLLECTED, HELD, QUEUED)
IN_QUEUE = (QUEUED, JUDGING, WRITTEN)

DueDate = Callable[[QueueEntry], datetime | None]


@dataclass(frozen=True)
class Wait:
    """Why a submission has no place in the queue."""

    # no attempt is left now, or none at all; the queue closed at the due date; or the work arrived after it
    reason: Literal["attempts", "quota", "closed", "late"]
    until: datetime | None = None  # when it enters the queue, in UTC; None if unknown


def open_ones(session: Session) -> list[QueueEntry]:
    """Return all unfinished submissions: first those with a place, in order."""
    found = session.scalars(_unfinished().order_by(QueueEntry.id))
    return sorted(found, key=lambda one: (one.place is None, one.place or 0, one.id))


def _unfinished() -> Select[QueueEntry]:
    more = QueueEntry.shown.notin_(("", "all"))
    return select(QueueEntry).where(
        or_(QueueEntry.state.in_((*BEFORE, JUDGING, WRITTEN)), (QueueEntry.state == RELEASED) & more)
    )


def enter(
    session: Session, student: str, assignment: str, work: str, note: str, seen_at: datetime
) -> tuple[QueueEntry, str] | None:
    """Enter a collected submission; it replaces waiting or interrupted work of the student.

    Returns its row, and the note of the replaced work or ""; None if it is known. ``work`` is its time stamp, ``note``
    its status file, and ``seen_at`` when it came (UTC).
    """
    theirs = QueueEntry.student == student, QueueEntry.assignment == assignment
    if session.scalar(select(func.count()).select_from(QueueEntry).where(*theirs, QueueEntry.work == work)):
        return None
    unjudged = QueueEntry.state.in_((*BEFORE, JUDGING))  # the course folder has only a student's newest work
    waits = session.scalar(select(QueueEntry).where(*theirs, unjudged).order_by(QueueEntry.id.desc()))
    if waits is None:
        new = QueueEntry(
            student=student, assignment=assignment, work=work, state=COLLECTED, seen_at=seen_at, note=note, shown=""
        )
        session.add(new)
        session.flush()
        return new, ""
    before, waits.work, waits.note, waits.seen_at = waits.note, work, note, seen_at
    if waits.state == JUDGING:
        waits.state = QUEUED  # judging of the newer work has not begun
    return waits, before


def known(session: Session, assignment: str) -> dict[str, set[str]]:
    """Return each student's entered work on an assignment, by its time stamp."""
    found: dict[str, set[str]] = {}
    for student, work in session.execute(
        select(QueueEntry.student, QueueEntry.work).where(QueueEntry.assignment == assignment)
    ):
        found.setdefault(student, set()).add(work)
    return found


def replace_older(session: Session, newer: QueueEntry) -> None:
    """Mark older work as replaced after newer work was graded: its pages can no longer be made."""
    theirs = QueueEntry.student == newer.student, QueueEntry.assignment == newer.assignment
    for one in session.scalars(_unfinished().where(*theirs, QueueEntry.shown != "", QueueEntry.id < newer.id)):
        one.state = REPLACED


def judge_again(session: Session, students: Iterable[str], assignment: str, place: int | None) -> set[str]:
    """Queue these students' newest submissions again, at this place if they have none; return whose.

    Those who have submitted nothing are not in the queue.
    """
    found = set()
    for student in students:
        theirs = QueueEntry.student == student, QueueEntry.assignment == assignment
        newest = session.scalar(select(QueueEntry).where(*theirs).order_by(QueueEntry.id.desc()))
        if newest is not None:
            found.add(student)
            if newest.state != QUEUED:
                newest.state, newest.place, newest.shown = JUDGING, newest.place or place, ""
    return found


def tried(session: Session, one: QueueEntry) -> list[datetime]:
    """Return the times of the student's attempts at the assignment, in order."""
    wanted = select(QueueEntry.tried_at).where(
        QueueEntry.student == one.student, QueueEntry.assignment == one.assignment, QueueEntry.tried_at.isnot(None)
    )
    return [at for at in session.scalars(wanted.order_by(QueueEntry.tried_at)) if at is not None]


def wait_of(session: Session, one: QueueEntry, rules: Rules, due: datetime | None, now: datetime) -> Wait | None:
    """Return why a submission has no place yet, and until when; None if it can have one now.

    It waits for the next attempt or the due date, whichever is sooner. The course decides (``when_due``) which work is
    graded after the deadline.
    """
    over, late = due is not None and due <= now, due is not None and one.seen_at >= due
    if over and rules.when_due != "all":
        had_an_attempt = _wait_for_an_attempt(session, one, rules, due, due or now) is None
        if had_an_attempt and rules.when_due == "queued" and not late:
            return None
        return Wait("late" if late else "closed")
    if over and not late:
        return None
    wait = _wait_for_an_attempt(session, one, rules, due, now)
    if wait is None or due is None or late:
        return wait
    if rules.when_due == "all":
        return replace(wait, until=min(wait.until or due, due))
    return wait if wait.until is not None and wait.until < due else replace(wait, until=None)


def _wait_for_an_attempt(
    session: Session, one: QueueEntry, rules: Rules, due: datetime | None, now: datetime
) -> Wait | None:
    times = tried(session, one)
    if rules.is_spent(times, due, now):
        return Wait("quota")
    at = rules.next_attempt(times, now)
    return None if at is None else Wait("attempts", at)


def let_in(
    session: Session, waiting: Iterable[QueueEntry], rules: Callable[[str], Rules], due: DueDate, now: datetime
) -> None:
    """Give entries with an available attempt a place at the end of the queue, in order; hold the others."""
    last = session.scalar(select(func.max(QueueEntry.place))) or 0
    for one in waiting:
        if wait_of(session, one, rules(one.assignment), due(one), now) is not None:
            one.state = HELD
            continue
        last += 1
        one.state, one.place, one.tried_at = QUEUED, last, now
        session.flush()  # the next entry may be from the same student


def close(queued: Iterable[QueueEntry], rules: Callable[[str], Rules], due: DueDate, now: datetime) -> None:
    """Remove submissions that are due and not begun from the queue, if the course says so."""
    for one in queued:
        if one.state == QUEUED and rules(one.assignment).when_due == "begun" and (at := due(one)) and at <= now:
            one.state, one.place, one.tried_at = HELD, None, None


def places(ones: Sequence[QueueEntry]) -> dict[int, int]:
    """Return each entry's place in the queue, by its id; the next one has place 1."""
    queue = [one.id for one in ones if one.state in IN_QUEUE and not one.shown and one.place is not None]
    return {identity: number for number, identity in enumerate(queue, 1)}
