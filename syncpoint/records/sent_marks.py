"""The log of marks sent to a learning platform: which it has, and which it may have."""

from collections import defaultdict
from dataclasses import dataclass

from nbgrader.api import Gradebook
from sqlalchemy import delete, insert, select, update

from .tables import SentMark, utc_now


@dataclass(frozen=True)
class Sent:
    """The student's mark that was last sent to a platform."""

    last: SentMark | None  # the newest mark that the platform accepted
    perhaps: tuple[SentMark, ...] = ()  # later marks that it may have accepted

    def explains(self, points: float | None, possible: float) -> bool:
        """Whether a mark on the platform is from us."""
        ours = [one.points for one in (self.last, *self.perhaps) if one is not None]
        return any(as_taken(points, one, possible) for one in ours)


def same_points(one: float | None, other: float | None) -> bool:
    """Whether two marks are equal after rounding, because platforms round them."""
    return one is other or (one is not None and other is not None and abs(one - other) < 0.005)


def as_taken(there: float | None, points: float | None, possible: float) -> bool:
    """Whether a platform has a sent mark; some cut off points above the maximum."""
    return same_points(there, points) or (points is not None and points > possible and same_points(there, possible))


def read_sent(gradebook: Gradebook, assignment: str, place: str) -> dict[str, Sent]:
    """The marks sent to a column, by student."""
    rows: dict[str, list[SentMark]] = defaultdict(list)
    wanted = (SentMark.assignment == assignment, SentMark.place == place)
    for row in gradebook.db.scalars(select(SentMark).where(*wanted).order_by(SentMark.id)):
        rows[row.student].append(row)
    return {student: _sent(of) for student, of in rows.items()}


def _sent(rows: list[SentMark]) -> Sent:
    taken = [number for number, row in enumerate(rows) if row.taken_at is not None]
    newest = taken[-1] if taken else -1
    return Sent(rows[newest] if taken else None, tuple(rows[newest + 1 :]))


def begin(gradebook: Gradebook, student: str, assignment: str, place: str, points: float | None, comment: str) -> int:
    """Note a mark that is about to be sent, and return its number."""
    with gradebook.engine.begin() as connection:
        row = insert(SentMark).values(
            student=student, assignment=assignment, place=place, points=points, comment=comment, begun_at=utc_now()
        )
        return int(connection.execute(row).inserted_primary_key[0])


def took(gradebook: Gradebook, number: int) -> None:
    """Note that the platform accepted it."""
    with gradebook.engine.begin() as connection:
        connection.execute(update(SentMark).where(SentMark.id == number).values(taken_at=utc_now()))


def refused(gradebook: Gradebook, number: int) -> None:
    """Forget a mark that the platform rejected."""
    with gradebook.engine.begin() as connection:
        connection.execute(delete(SentMark).where(SentMark.id == number))
