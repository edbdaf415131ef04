"""A column of a platform's gradebook, the same for all platforms: its people, and how to write a mark."""

from collections.abc import Mapping
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


class Entries:
    """Collects a column's people; schools may give an id to two of them, who then cannot be told apart."""

    def __init__(self) -> None:
        self._users: dict[str, dict[str, Entry]] = {}  # id -> the platform's id -> entry

    def add(self, id: str, entry: Entry) -> None:
        """Add a person."""
        self._users.setdefault(id, {})[entry.user] = entry

    def unique(self) -> dict[str, Entry]:
        """Return the people whose id is nobody else's, by id."""
        return {id: entry for id, users in self._users.items() if len(users) == 1 for entry in users.values()}


class Column(Protocol):
    """The operations that a platform offers."""

    place: str  # its address, its name in the log of sent marks
    kind: str  # which id identifies a student, by the names in :mod:`syncpoint.records.roster_file`
    excuses: bool  # whether the platform has excuses
    complete: bool  # whether the entries include everybody in the course, even without a mark

    def entries(self, possible: float) -> Mapping[str, Entry] | None:
        """Return the column's people by their roster id; None if the platform does not list them.

        Raises:
            PlatformError: If the platform does not answer, or if its column cannot take these points.
        """

    def write(self, user: str, mark: Mark) -> None:
        """Write a person's mark and comment; without points, clear the place.

        Raises:
            PlatformError: If the platform does not take it.
        """
