"""Finds the races in the device's log of a call: commands that use the same memory while nothing orders them.

`simgpu.races` finds them for programs outside the course, with PyTorch, which the judge does not have.

Two commands are ordered if one comes after the other in a stream, after an event that the other's stream recorded after
it, or after a host wait for it.  All others may run at the same time, whichever ran first in this run.

The parts of a collective meet: commands after one part are ordered after the commands before every other part.  What
one rank enqueues between its own part and the arrival of another part is not ordered by that other part.

It is also a race if memory is allocated again while a command still uses it, unless `record_stream` was called; a
collective calls it for the memory that it uses.  The stream that gets the memory need not wait for its own commands;
another stream that writes there first must wait for them.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

COMMANDS = frozenset(
    {"launch", "ask", "upload", "download", "h2d", "d2h", "peer", "record", "stream wait", "collective"}
)
Clock = dict[int, int]  # by stream: the last command that is done by then


@dataclass(frozen=True)
class Race:
    """Two uses of the same memory that nothing orders."""

    storage: int  # the memory; if it was allocated again, the older storage
    again: bool  # whether it was allocated again, and not only used by both
    first: str  # the earlier command's name
    number: int  # and its number


@dataclass
class _Storage:
    """The last uses of a piece of memory, by stream and kind: the command's number and name."""

    home: int = -1  # the stream that it was made on, which may get the memory again
    address: int = 0  # its address on its device
    nbytes: int = 0  # its size
    uses: dict[tuple[int, bool], tuple[int, str]] = field(default_factory=dict)
    recorded: set[int] = field(default_factory=set)
    # uses of the previous storage at this address, for which the first command that writes here must wait: the previous
    # storage, the stream, the command's number and its name
    left: list[tuple[int, int, int, str]] = field(default_factory=list)


def are_possible(entries: Iterable[Any]) -> bool:
    """Whether commands of more than one stream use or allocate memory; otherwise the log has no race."""
    streams = {
        stream
        for kind, _, stream, _, reads, writes, detail, _ in entries
        if (kind in COMMANDS and (reads or writes)) or detail.get("new")
    }
    return len(streams) > 1


class Races:
    """Reads a log that begins where nothing is pending, entry by entry."""

    def __init__(self) -> None:
        self._host: Clock = {}
        self._asked: dict[Any, Mapping[Any, int]] = {}  # waits whose end the host has not received
        # what comes before the next command of each stream, except that stream's own commands
        self._streams: dict[int, Clock] = {}
        self._commands: dict[int, list[int]] = {}
        self._before: dict[int, tuple[int, Clock]] = {}  # by command: its stream, and what came before it
        self._storages: dict[int, _Storage] = {}
        self._freed: list[tuple[int, int, _Storage]] = []  # address, number; sorted, and without overlap
        self._parts: dict[Any, list[tuple[int, int]]] = {}  # by collective: streams and commands

    def read(
        self, kind: str, number: int, stream: int, name: str, reads: Any, writes: Any, detail: Mapping[str, Any]
    ) -> list[Race]:
        """Read the next entry of the log, and return its races with earlier ones.

        For the kinds see `Entry` in simgpu's `records`.  The numbers are those of the command, its stream, and the
        storages that it reads and writes; ``detail`` has data that only some kinds have.
        """
        if kind in ("wait", "reached"):  # a full queue orders nothing: it depends on how fast the device is
            self._asked[detail["wait"]] = detail["targets"]
        elif kind == "acknowledged":
            for wait in detail["waits"]:
                self._wait(self._asked.pop(wait, {}))
        elif kind == "free":
            for storage in writes:
                self._free(storage)
        elif kind == "record stream":
            for storage in writes:
                self._storages.setdefault(storage, _Storage()).recorded.add(stream)
        elif kind == "allocate":
            return self._allocate(stream, detail)
        elif kind in COMMANDS:
            return self._command(kind, number, stream, name, reads, writes, detail)
        return []

    def _wait(self, targets: Mapping[Any, int]) -> None:
        for stream, upto in targets.items():
            commands = self._commands.get(int(stream), [])
            over = bisect_right(commands, upto)
            if over:
                self._host = _join(self._host, self._with(commands[over - 1]))
        for stream in self._streams:
            self._streams[stream] = _join(self._streams[stream], self._host)

    def _with(self, command: int) -> Clock:
        """Return the commands that have ended when a command has ended."""
        stream, before = self._before[command]
        return {**before, stream: command}

    def _command(
        self, kind: str, number: int, stream: int, name: str, reads: Any, writes: Any, detail: Mapping[str, Any]
    ) -> list[Race]:
        before = self._streams.get(stream, self._host)
        if kind == "stream wait" and detail["ticket"] in self._before:
            before = _join(before, self._with(detail["ticket"]))
        if kind == "collective":
            for group, sequence in detail.get("meetings", [(detail["group"], detail["sequence"])]):
                before = self._meet((group, sequence), stream, number, before)
            for storage in (*reads, *writes):
                self._storages.setdefault(storage, _Storage()).recorded.add(stream)
        self._streams[stream] = before
        found = self._allocate(stream, detail)
        for storage in dict.fromkeys((*reads, *writes)):
            used = self._storages.setdefault(storage, _Storage())
            for (other, wrote), (earlier, first) in used.uses.items():
                if other != stream and (wrote or storage in writes) and earlier > before.get(other, 0):
                    found.append(Race(storage, False, first, earlier))
            used.uses[stream, storage in writes] = number, name
            if storage in writes:
                for old, other, earlier, first in used.left:
                    if other != stream and earlier > before.get(other, 0):
                        found.append(Race(old, True, first, earlier))
                used.left = []
        self._before[number] = stream, before
        self._commands.setdefault(stream, []).append(number)
        return found

    def _meet(self, meeting: Any, stream: int, number: int, before: Clock) -> Clock:
        """Add a part of a collective: return what has ended when it runs, and the streams of the other parts."""
        parts = self._parts.setdefault(meeting, [])
        mine = {**before, stream: number}
        for other, part in parts:
            before = _join(before, self._with(part))
            self._streams[other] = _join(self._streams[other], mine)
        parts.append((stream, number))
        return before

    def _free(self, number: int) -> None:
        storage = self._storages.pop(number, None)
        if storage is not None and storage.nbytes and (storage.uses or storage.left):
            insort(self._freed, (storage.address, number, storage), key=_address)

    def _allocate(self, stream: int, detail: Mapping[str, Any]) -> list[Race]:
        found = []
        before = self._streams.get(stream, self._host)
        for storage, address, nbytes in detail.get("new", ()):
            left = []
            for number, old in self._given_again(address, nbytes):
                for (other, _), (earlier, first) in old.uses.items():
                    if other != stream and other in old.recorded:
                        continue  # the use has ended, otherwise the memory would not have been allocated again
                    if other != stream and earlier > before.get(other, 0):
                        found.append(Race(number, True, first, earlier))
                    else:
                        left.append((number, other, earlier, first))
                left += old.left
            self._storages[storage] = _Storage(stream, address, nbytes, left=left)
        return found

    def _given_again(self, address: int, nbytes: int) -> list[tuple[int, _Storage]]:
        """Remove and return the record of memory freed at this address."""
        first = bisect_right(self._freed, address, key=_address)
        if first and self._freed[first - 1][2].nbytes > address - self._freed[first - 1][0]:
            first -= 1
        last = max(first, bisect_left(self._freed, address + nbytes, key=_address))
        found = [(number, old) for _, number, old in self._freed[first:last]]
        del self._freed[first:last]
        return found


def _address(freed: tuple[int, int, _Storage]) -> int:
    return freed[0]


def _join(one: Clock, other: Clock) -> Clock:
    return {stream: max(one.get(stream, 0), other.get(stream, 0)) for stream in {**one, **other}}
