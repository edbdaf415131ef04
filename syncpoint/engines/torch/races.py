"""Races in the device's log: commands that use the same memory in no fixed order.

Two commands are ordered if one stands behind the other in a stream, behind an event that the other's stream has passed
first, or behind a wait of the host's for it.  All else may run at the same time, whatever ran first in this run.
Where memory is given out again under a command that still uses it, that is a race, too, unless `record_stream` was
called.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

COMMANDS = frozenset({"launch", "ask", "upload", "download", "h2d", "d2h", "peer", "record", "stream wait"})
Clock = dict[int, int]  # by stream: the last command that is over by then


@dataclass(frozen=True)
class Race:
    """Two uses of the same memory that nothing orders.

    Attributes:
        storage: Which one; where it was given out again, the older one.
        again: Whether it was given out again, and not only used by both.
        first: The earlier command's name.
    """

    storage: int
    again: bool
    first: str


@dataclass
class _Storage:
    """Who used a piece of memory last, by stream: the command's number, its name and whether it wrote."""

    address: int = 0
    nbytes: int = 0
    uses: dict[tuple[int, bool], tuple[int, str]] = field(default_factory=dict)
    recorded: set[int] = field(default_factory=set)


class Races:
    """Reads a log that begins where nothing is pending, entry by entry.

    A log with collectives is not looked at any more from the first of them on: they order streams, too.
    """

    def __init__(self) -> None:
        self._host: Clock = {}
        self._streams: dict[int, Clock] = {}
        self._clocks: dict[int, Clock] = {}  # of each command
        self._commands: dict[int, list[int]] = {}
        self._storages: dict[int, _Storage] = {}
        self._freed: dict[int, _Storage] = {}
        self._over = False

    def read(
        self, kind: str, number: int, stream: int, name: str, reads: Any, writes: Any, detail: Mapping[str, Any]
    ) -> list[Race]:
        """Read the next entry.

        Args:
            kind: Of the entry, as all else; see simgpu's `records`.
            number: The command's.
            stream: Where it stands.
            name: The operation.
            reads: Storages.
            writes: Storages.
            detail: What only some kinds have.

        Returns:
            The races of this entry with earlier ones.
        """
        self._over = self._over or kind == "collective"
        if self._over:
            return []
        if kind in ("wait", "full"):
            self._wait(detail["targets"])
        elif kind == "free":
            self._freed.update((s, self._storages.pop(s)) for s in writes if s in self._storages)
        elif kind == "record stream":
            for storage in writes:
                self._storages.setdefault(storage, _Storage()).recorded.add(stream)
        elif kind == "allocate":
            return self._allocate(stream, _join(self._host, self._streams.get(stream, {})), detail)
        elif kind in COMMANDS:
            return self._command(kind, number, stream, name, reads, writes, detail)
        return []

    def _wait(self, targets: Mapping[Any, int]) -> None:
        for stream, upto in targets.items():
            commands = self._commands.get(int(stream), [])
            over = bisect_right(commands, upto)
            if over:
                self._host = _join(self._host, self._clocks[commands[over - 1]])

    def _command(
        self, kind: str, number: int, stream: int, name: str, reads: Any, writes: Any, detail: Mapping[str, Any]
    ) -> list[Race]:
        clock = _join(self._host, self._streams.get(stream, {}))
        if kind == "stream wait":
            clock = _join(clock, self._clocks.get(detail["ticket"], {}))
        found = self._allocate(stream, clock, detail)
        for storage in dict.fromkeys((*reads, *writes)):
            used = self._storages.setdefault(storage, _Storage())
            for (other, wrote), (earlier, first) in used.uses.items():
                if other != stream and (wrote or storage in writes) and earlier > clock.get(other, 0):
                    found.append(Race(storage, False, first))
            used.uses[stream, storage in writes] = number, name
        clock[stream] = number
        self._streams[stream] = self._clocks[number] = clock
        self._commands.setdefault(stream, []).append(number)
        return found

    def _allocate(self, stream: int, clock: Clock, detail: Mapping[str, Any]) -> list[Race]:
        found = []
        for storage, address, nbytes in detail.get("new", ()):
            overlapping = [
                (number, old)
                for number, old in self._freed.items()
                if old.address < address + nbytes and address < old.address + old.nbytes
            ]
            for number, old in overlapping:
                del self._freed[number]
                for (other, _), (earlier, first) in old.uses.items():
                    if other != stream and other not in old.recorded and earlier > clock.get(other, 0):
                        found.append(Race(number, True, first))
            self._storages[storage] = _Storage(address, nbytes)
        return found


def _join(one: Clock, other: Clock) -> Clock:
    """What is over by either."""
    return {stream: max(one.get(stream, 0), other.get(stream, 0)) for stream in {**one, **other}}
