"""The log in the device's order: the only record behind pictures, verdicts and scores."""

import contextlib
import threading
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Generic, TypeVar

from simgpu.frames import BadMessage
from simgpu.records import Entry, Gate, Run

T = TypeVar("T")


class Record(Generic[T]):
    """A list that drops its oldest entries when it is too long; other entries keep their positions.

    Attributes:
        needed: The first place that a judge still needs; None if no judge does.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.needed: int | None = None
        self._kept: list[T] = []
        self._first = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """The position after the last entry, counting dropped ones."""
        with self._lock:
            return self._first + len(self._kept)

    def need(self, needed: bool) -> None:
        """Set whether all new entries must be kept; otherwise a full log drops its oldest ones."""
        with self._lock:
            self.needed = self._first + len(self._kept) if needed else None

    def add(self, one: T) -> None:
        """Append an entry.

        Raises:
            BadMessage: there are too many that are needed.
        """
        with self._lock:
            if len(self._kept) >= self.most:
                self._make_room()
            self._kept.append(one)

    def extend(self, many: Sequence[T]) -> None:
        """Append several entries, as many as fit.

        Raises:
            BadMessage: there are too many that are needed.
        """
        with self._lock:
            room = self.most - len(self._kept)
            self._kept += many[:room]
            for one in many[room:]:
                if len(self._kept) >= self.most:
                    self._make_room()
                self._kept.append(one)

    def _make_room(self) -> None:
        unneeded = self.most // 2 + 1 if self.needed is None else self.needed - self._first
        if unneeded <= 0:
            raise BadMessage(f"more than {self.most} entries in the log")
        del self._kept[:unneeded]
        self._first += unneeded

    def since(self, place: int, most: int | None = None) -> list[T]:
        """Return the entries from a position on, without dropped ones."""
        with self._lock:
            first = max(place - self._first, 0)
            return self._kept[first : None if most is None else first + most]

    def unneeded(self, place: int, most: int) -> list[T]:
        """Return the entries from a position on that no judge needs: all, or those before a judge's first one."""
        with self._lock:
            end = len(self._kept) if self.needed is None else max(self.needed - self._first, 0)
            first = max(place - self._first, 0)
            return self._kept[first : min(first + most, end)]


class Log:
    """Entries in order of arrival, and runs in order of completion."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.entries = Record[Entry](most)
        self.runs = Record[Run](most)
        self.gates: list[Gate] = []
        self.ends: dict[int, int] = {}
        self.ended: str | None = None
        """Why the front end is no longer read, if one of its messages was invalid or exceeded a bound."""

    def need(self, needed: bool) -> None:
        """Set whether all new entries must be kept; otherwise a full log drops its oldest ones."""
        self.entries.need(needed)
        self.runs.need(needed)

    def add(
        self,
        kind: str,
        number: int,
        stream: int = 0,
        name: str = "",
        reads: Iterable[int] = (),
        writes: Iterable[int] = (),
        **detail: object,
    ) -> None:
        """Add an entry.

        Raises:
            BadMessage: the log is full of entries that a judge needs.
        """
        self.put(kind, number, stream, name, tuple(reads), tuple(writes), detail)

    def put(
        self, kind: str, number: int, stream: int, name: str, reads: tuple[int, ...], writes: tuple[int, ...],
        detail: dict[str, object],
    ) -> None:  # fmt: skip
        """Do as ``add``, with a complete entry."""
        self.entries.add(Entry(kind, number, stream, name, reads, writes, detail, time.monotonic_ns()))

    def gate(self, name: str, closed: bool, lazy: bool = False) -> None:
        """Record that the judge moved a gate, separately from the entries, so that the front end does not see it."""
        self.gates.append(Gate(name[:60], closed, lazy, time.monotonic_ns()))

    def have_run(self, runs: Sequence[Run]) -> None:
        """Record that commands have run, without their ends."""
        with contextlib.suppress(BadMessage):  # each has an entry, so the log is full first
            self.runs.extend(runs)

    def ran(self, number: int, stream: int, start: int, end: int, timed: bool) -> None:
        """Record that a command has run. ``timed`` keeps its end for ``elapsed_time``."""
        self.have_run([Run(number, stream, start, end)])
        if timed:
            self.ends[number] = end
            if len(self.ends) > self.most:
                for oldest in list(islice(self.ends, self.most // 2)):
                    del self.ends[oldest]
