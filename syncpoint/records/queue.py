"""The queue of submissions: their order, students' remaining tries, and the state of each submission.

A hand-in is *collected*, then *queued* (or *held*, as long as it waits for a try), *judging*, *written* into the
gradebook, and *released* to its student; *replaced* is one whose page nobody can make any more, since newer work of the
student has been graded.  What was begun and did not come to its end stays *judging*, and is judged again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from ..course.handed_in import Rules
from .tables import HandIn

COLLECTED, HELD, QUEUED, JUDGING = "collected", "held", "queued", "judging"
WRITTEN, RELEASED, REPLACED = "written", "released", "replaced"
STEPS = (COLLECTED, QUEUED, JUDGING, WRITTEN, RELEASED)
BEFORE = (COLLECTED, HELD, QUEUED)
IN_QUEUE = (QUEUED, JUDGING, WRITTEN)

DueDate = Callable[[HandIn], datetime | None]


@dataclass(frozen=True)
class Wait:
    """Why a hand-in has no place in the queue.

    Attributes:
        reason: There is no try left just now, none at all, the queue is closed since the work is due, or the work came
            when it was due already.
        until: When it gets one, in UTC; None if nothing that is known will bring one.
    """

    reason: Literal["tries", "quota", "closed", "late"]
    until: datetime | None = None


def open_ones(session: Session) -> list[HandIn]:
    """Return all unfinished submissions: first those with a place, in order."""
    more = HandIn.shown.notin_(("", "all"))
    wanted = select(HandIn).where(or_(HandIn.state.in_((*BEFORE, JUDGING, WRITTEN)), (HandIn.state == RELEASED) & more))
    found = session.scalars(wanted.order_by(HandIn.id))
    return sorted(found, key=lambda one: (one.place is None, one.place or 0, one.id))


def enter(
    session: Session, student: str, assignment: str, work: str, note: str, seen_at: datetime
) -> tuple[HandIn, str] | None:
    """Enter collected submissions while nothing is judged.  They replace waiting or interrupted work.

    Args:
        session: In a transaction.
        student: Their id.
        assignment: Its name.
        work: The text of its time stamp.
        note: The file in which its student reads how far it is.
        seen_at: When the exchange had it; UTC.

    Returns:
        Its row, and the note of the work that it replaces or ""; None if it is known.
    """
    theirs = HandIn.student == student, HandIn.assignment == assignment
    if session.scalar(select(func.count()).select_from(HandIn).where(*theirs, HandIn.work == work)):
        return None
    unjudged = HandIn.state.in_((*BEFORE, JUDGING))  # of a student the course folder holds the newest work alone
    waits = session.scalar(select(HandIn).where(*theirs, unjudged).order_by(HandIn.id.desc()))
    if waits is None:
        new = HandIn(
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
    """The work of each student on an assignment that was entered, by its time stamp."""
    found: dict[str, set[str]] = {}
    for student, work in session.execute(select(HandIn.student, HandIn.work).where(HandIn.assignment == assignment)):
        found.setdefault(student, set()).add(work)
    return found


def replace_older(session: Session, newer: HandIn) -> None:
    """Mark older work as replaced after newer work was graded: its pages can no longer be made."""
    for one in open_ones(session):
        same = one.student == newer.student and one.assignment == newer.assignment
        if same and one.shown and one.id < newer.id:
            one.state = REPLACED


def tried(session: Session, one: HandIn) -> list[datetime]:
    """When the student of this one has taken a try at the assignment, in their order."""
    wanted = select(HandIn.tried_at).where(
        HandIn.student == one.student, HandIn.assignment == one.assignment, HandIn.tried_at.isnot(None)
    )
    return [at for at in session.scalars(wanted.order_by(HandIn.tried_at)) if at is not None]


def wait_of(session: Session, one: HandIn, rules: Rules, due: datetime | None, now: datetime) -> Wait | None:
    """Return how long a submission waits for a place: until the next try or the due date, whichever is sooner.

    What becomes at the deadline of that which was handed in before it is the course's choice (``when_due``).

    Returns:
        None if it can have a place now.
    """
    over, late = due is not None and due <= now, due is not None and one.seen_at >= due
    if over and rules.when_due != "all":
        had_a_try = _wait_for_a_try(session, one, rules, due, due or now) is None
        if had_a_try and rules.when_due == "queued" and not late:
            return None
        return Wait("late" if late else "closed")
    if over and not late:
        return None
    wait = _wait_for_a_try(session, one, rules, due, now)
    if wait is None or due is None or late:
        return wait
    if rules.when_due == "all":
        return replace(wait, until=min(wait.until or due, due))
    return wait if wait.until is not None and wait.until < due else replace(wait, until=None)


def _wait_for_a_try(session: Session, one: HandIn, rules: Rules, due: datetime | None, now: datetime) -> Wait | None:
    times = tried(session, one)
    if rules.is_spent(times, due, now):
        return Wait("quota")
    at = rules.next_try(times, now)
    return None if at is None else Wait("tries", at)


def let_in(
    session: Session, waiting: Iterable[HandIn], rules: Callable[[str], Rules], due: DueDate, now: datetime
) -> None:
    """Give those who can have a try now a place at the end of the queue, in their order; hold the others."""
    last = session.scalar(select(func.max(HandIn.place))) or 0
    for one in waiting:
        if wait_of(session, one, rules(one.assignment), due(one), now) is not None:
            one.state = HELD
            continue
        last += 1
        one.state, one.place, one.tried_at = QUEUED, last, now
        session.flush()  # the next one may be of the same student


def close(queued: Iterable[HandIn], rules: Callable[[str], Rules], due: DueDate, now: datetime) -> None:
    """Remove submissions that are due and not begun from the queue, if the course says so."""
    for one in queued:
        at = due(one)
        if one.state == QUEUED and rules(one.assignment).when_due == "begun" and at is not None and at <= now:
            one.state, one.place, one.tried_at = HELD, None, None


def places(ones: Sequence[HandIn]) -> dict[int, int]:
    """The place of each in the queue, by its id: 1 for the one that comes next."""
    queue = [one.id for one in ones if one.state in IN_QUEUE and not one.shown and one.place is not None]
    return {identity: number for number, identity in enumerate(queue, 1)}
