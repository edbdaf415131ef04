"""A column of a platform's gradebook, the same for all platforms: its people, and how to write a mark."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Entry:
    """One person's place in the column."""

    user: str  # the platform's id for the person
    points: float | None = None  # of the maximum that we set; None for none
    name: str = ""  # the platform's name for the person; "" if unknown
    excused: bool = False


@dataclass(frozen=True)
class Mark:
    """The mark that a person should have: points, an excuse, or neither."""

    points: float | None
    possible: float
    comment: str = ""
    excused: bool = False


def unique(entries: Iterable[tuple[str, Entry]]) -> dict[str, Entry]:
    """Return the people whose id is nobody else's, by id: schools may give one to two of them."""
    people: dict[str, dict[str, Entry]] = {}  # id -> the platform's id -> entry
    for id, entry in entries:
        people.setdefault(id, {})[entry.user] = entry
    return {id: entry for id, users in people.items() if len(users) == 1 for entry in users.values()}


class Column(Protocol):
    """The operations that a platform offers."""

    place: str  # its address, its name in the log of sent marks
    kind: str  # which id identifies a student, by the names in :mod:`syncpoint.records.roster_file`
    excuses: bool  # whether the platform has excuses
    complete: bool  # whether the entries include everybody in the course, even without a mark

    def entries(self, possible: float) -> Mapping[str, Entry] | None:
        """Return its people by roster id, None if the platform does not list them, or raise PlatformError."""

    def write(self, user: str, mark: Mark) -> None:
        """Write a person's mark and comment (without points, clear the place), or raise PlatformError."""
