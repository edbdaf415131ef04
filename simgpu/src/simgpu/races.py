"""Races in a log: PyTorch's stream sanitizer, and a check for memory that is reused too early.

The sanitizer (``torch.cuda._sanitizer``) gets the device's log and needs no CUDA; it keeps vector clocks of streams. It
ignores ``record_stream``, the allocator and the host, so this module adds them. A host wait orders everything after its
answer after the commands that it waited for, and after no others, whatever the wait is called. So does a ``query`` that
was answered with true. Pinned memory counts as written by the host between two copies from it if PyTorch has changed
the tensor in between.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from torch.cuda import _sanitizer

from simgpu.records import Entry, Place
from simgpu.timeline import in_place, place_of
from simgpu.words import say


@dataclass(frozen=True)
class Race:
    """Two accesses that nothing orders.

    Attributes:
        kind: ``access`` (a read or write at the same time as a write), ``reuse`` (memory allocated again while it is
            still in use) or ``host`` (pinned memory is written on the host while a copy from it is under way).
        storage: Which memory.
        first: The earlier command's number.
        second: The later one's. For memory allocated outside an operation, the first command of this stream that uses
            the memory; without one, the command before the allocation.
        first_stream: The stream of the earlier one.
        second_stream: The stream of the later one.
        name: The later operation; empty if the memory was allocated outside an operation, and not used in this stream.
        first_name: The earlier operation.
    """

    kind: str
    storage: int
    first: int
    second: int
    first_stream: int
    second_stream: int
    name: str
    first_name: str = ""

    def __str__(self) -> str:
        return self.describe()

    def describe(self, words: Mapping[str, str] | None = None, places: Sequence[Place] = ()) -> str:
        """Return a sentence about the race that says what to do.

        Args:
            words: The sentence in another language: texts by their names, see :mod:`simgpu.words`.
            places: The lines that have enqueued the commands, as a timeline has them.
        """
        words = words or {}

        def at(number: int, called: object) -> str:
            return in_place(words, called, place_of(places, number))

        later = at(self.second, self.name) if self.name else say(words, "an allocation")  # whose line is not known

        return say(
            words,
            {"access": "race", "reuse": "race for memory", "host": "host overwrites"}[self.kind],
            number=self.second,
            operation=later,
            stream=self.second_stream,
            other=at(self.first, f"{self.first} ({self.first_name})" if self.first_name else self.first),
            other_stream=self.first_stream,
        )


@dataclass
class _Memory:
    """The address and the uses of a storage.

    Attributes:
        left: Uses of what lay here before, for which the first to write here must wait: the older storage, the stream,
            the place in it and the command.
    """

    address: int
    nbytes: int
    home: int
    uses: dict[int, tuple[int, int]] = field(default_factory=dict)
    recorded: set[int] = field(default_factory=set)
    left: list[tuple[int, int, int, int]] = field(default_factory=list)


class Detector:
    """Reads a log entry by entry."""

    def __init__(self) -> None:
        self.handler = _sanitizer.EventHandler()
        self.races: list[Race] = []
        self._streams: set[int] = set()
        self._commands: dict[int, list[int]] = {}
        self._asked: dict[int, Mapping[str, int]] = {}
        self._numbers: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._storages: dict[int, _Memory] = {}
        self._freed: list[tuple[int, _Memory]] = []
        self._unnamed: dict[int, list[int]] = {}
        """Races of memory allocated outside an operation that no command has used yet: their places, by storage."""
        self._sent: list[tuple[int, int, int, int, int, Entry]] = []

    def read(self, entries: Sequence[Entry]) -> list[Race]:
        """Return the races of a log, in its order."""
        for entry in entries:
            self._read(entry)
        return [replace(race, first_name=self._names.get(race.first, "")) for race in self.races]

    def _read(self, e: Entry) -> None:
        if e.is_command or e.kind == "allocate":
            self._stream(e.stream)
        if e.kind == "stream wait":
            if e.detail["ticket"] in self.handler.syncs.recorded_sync_states:  # otherwise it is older than the log
                self.handler._handle_event_wait(e.detail["ticket"], e.stream)
        elif e.kind in ("wait", "reached"):  # a full queue orders nothing: it depends on how fast the device is
            self._asked[e.detail["wait"]] = e.detail["targets"]
        elif e.kind == "acknowledged":
            for wait in e.detail["waits"]:
                self._wait(self._asked.pop(wait, {}))
        elif e.kind == "free":
            for number in e.writes:
                self._unnamed.pop(number, None)
                if number in self._storages:
                    self._freed.append((number, self._storages.pop(number)))
        elif e.kind == "record stream":
            for number in e.writes:
                if number in self._storages:
                    self._storages[number].recorded.add(e.stream)
        elif e.kind == "allocate":
            self._allocate(e)
        elif e.is_command and e.kind != "record":
            self._allocate(e)
            self._launch(e)
        if e.is_command:  # any command may be waited for, as if an event followed it
            self._names[e.number] = e.name
            self._commands.setdefault(e.stream, []).append(e.number)
            self.handler._handle_event_creation(e.number)
            self.handler._handle_event_record(e.number, e.stream)

    def _stream(self, stream: int) -> None:
        if stream not in self._streams:
            self._streams.add(stream)
            self.handler.syncs.create_stream(stream)

    def _wait(self, targets: Mapping[str, int]) -> None:
        for stream, upto in targets.items():
            commands = self._commands.get(int(stream), [])
            if over := bisect_right(commands, upto):
                self.handler._handle_event_synchronization(commands[over - 1])

    def _launch(self, e: Entry) -> None:
        read, both = set(e.reads) - set(e.writes), set(e.writes)
        errors: list[Any] = self.handler._handle_kernel_launch(e.stream, read, both, set(), e.name, defaultdict(list))
        sequence = self.handler.seq_num
        if "source" in e.detail:
            self._pinned(e, sequence)
        self._numbers[sequence] = e.number
        for error in errors:
            first = error.previous_access
            self.races.append(
                Race(
                    "access",
                    error.data_ptr,
                    self._numbers.get(first.seq_num, 0),
                    e.number,
                    first.stream,
                    e.stream,
                    e.name,
                )
            )
        for number in (*e.reads, *e.writes):
            for place in self._unnamed.pop(number, ()):
                if self.races[place].second_stream == e.stream:
                    self.races[place] = replace(self.races[place], second=e.number, name=e.name)
            if number in self._storages:
                self._storages[number].uses[e.stream] = sequence, e.number
        for number in e.writes:
            if number in self._storages:
                for old, stream, place, command in self._storages[number].left:
                    if stream != e.stream and not self.handler.syncs.is_ordered_after(e.stream, place, stream):
                        self.races.append(Race("reuse", old, command, e.number, stream, e.stream, e.name))
                self._storages[number].left = []

    def _pinned(self, e: Entry, sequence: int) -> None:
        """Find pinned memory that the host changed after a copy from it, without waiting for the copy."""
        segment, start, version = e.detail["segment"], e.detail["source"], e.detail["version"]
        end, reached = start + e.detail["bytes"], self.handler.syncs.host_sync_state
        self._sent = [sent for sent in self._sent if reached.get(sent[-1].stream, -1) < sent[4]]
        for other, first, last, before, _, copy in reversed(self._sent):
            if other == segment and first < end and start < last:
                if before != version:
                    self.races.append(Race("host", 0, copy.number, e.number, copy.stream, e.stream, e.name))
                break
        self._sent.append((segment, start, end, version, sequence, e))

    def _allocate(self, e: Entry) -> None:
        for number, address, nbytes in e.detail.get("new", ()):
            left, known = [], len(self.races)
            for old_number, old in list(self._freed):
                if old.address < address + nbytes and address < old.address + old.nbytes:
                    self._freed.remove((old_number, old))
                    left += self._check_reuse(e, old_number, old)
            self._storages[number] = _Memory(address, nbytes, e.stream, left=left)
            if e.kind == "allocate" and len(self.races) > known:
                self._unnamed[number] = list(range(known, len(self.races)))

    def _check_reuse(self, e: Entry, number: int, old: _Memory) -> list[tuple[int, int, int, int]]:
        """Find races with earlier uses of this memory; return those ordered for the stream that gets it."""
        left = list(old.left)
        for stream, (sequence, command) in old.uses.items():
            if stream != e.stream and stream in old.recorded:
                continue
            if stream == e.stream or self.handler.syncs.is_ordered_after(e.stream, sequence, stream):
                left.append((number, stream, sequence, command))
            else:
                self.races.append(Race("reuse", number, command, e.number, stream, e.stream, e.name))
        return left


def find(entries: Sequence[Entry]) -> list[Race]:
    """Return the races of a log that begins with nothing pending."""
    return Detector().read(entries)
