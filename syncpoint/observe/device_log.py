"""Reads a device's log for tests: what the host waited for, which operations are ordered, and races.

The call was made with `results_gated`: then each operation has a gate of its own, which opens when the host waits for
it.  So the places in the log where gates open say all that the host could count on.  Nothing here hangs on a clock.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.messages import Message
from ..engines.base import LAUNCH_QUEUE
from .vocabulary import first_wait, named

if TYPE_CHECKING:
    from typing import Self

UPLOAD = "copy from the host"
DOWNLOAD = "copy to the host"
PEER = "peer copy"
LOOK = "look"
COPYING = {"clone", "copy_", "_to_copy", "contiguous"}  # operations that pass numbers on and compute nothing
NEVER = 1 << 40  # later than every place

Clock = dict[tuple[int, int], int]  # by stream: up to which place of the log it is done


def fingerprint(values: Iterable[np.ndarray]) -> str:
    """Return the log's entry for a copy of these values from the host, in any order: ``Event.values``."""
    items = np.concatenate([np.ravel(one).view(f"u{one.itemsize}") for one in values])
    return hashlib.sha256(np.sort(items).tobytes()).hexdigest()[:32]


@dataclass(frozen=True, eq=False)
class Operation:
    """A command of the device that computes or copies.

    Attributes:
        place: Its place in the log.
        label: "mm", "copy from the host", ...
        stream: Its device and queue.
        inputs: The numbers of the arrays that it reads; the arguments have 1, 2, ...
        outputs: The numbers of the arrays that it writes.
        elements: How many elements of each array it reads, by the array's number.
        covered: The place in the log of the first wait after which it was certain to be done; NEVER if there was none
            before the call returned.
    """

    place: int
    label: str
    stream: tuple[int, int]
    inputs: frozenset[int]
    outputs: frozenset[int]
    elements: dict[int, int]
    covered: int

    @property
    def touches(self) -> frozenset[int]:
        """All arrays that it reads or writes."""
        return self.inputs | self.outputs


@dataclass(frozen=True)
class DeviceLog:
    """A log, and the operations that were pending at its end.

    Attributes:
        events: The events of an Observation or of a scenario's report.
        pending: The labels of the gates that were closed at the end.
    """

    events: tuple[Any, ...]
    pending: tuple[str, ...]

    @classmethod
    def of(cls, seen: Any) -> Self:
        """Return the log of an Observation, or of a report from ``student.results_gated.observe``."""
        if isinstance(seen, dict):
            return cls(seen["events"], tuple(seen["pending"]))
        return cls(seen.events, seen.pending)

    @cached_property
    def operations(self) -> list[Operation]:
        """The operations, in the order in which they were enqueued."""
        opened = {label: place for place, event in enumerate(self.events) for label in event.opened}
        found: list[Operation] = []
        for place, event in enumerate(self.events):
            if event.kind != "enqueue":
                continue
            gate = f"{event.label} {len(found) + 1}"
            if gate in opened:
                covered = opened[gate]
            elif gate in self.pending:
                covered = NEVER
            else:  # a copy from ordinary memory, or an operation that needs values: its wait follows
                covered = next((wait for wait in self.waits if wait > place), NEVER)
            inputs, outputs = frozenset(event.inputs), frozenset(event.outputs)
            elements = {} if _asks_for_the_shape(event.label) else dict(zip(event.inputs, event.input_sizes))
            found.append(Operation(place, event.label, _stream(event), inputs, outputs, elements, covered))
        return found

    @cached_property
    def waits(self) -> list[int]:
        """The places of the host's waits, including those with nothing to wait for.

        A full launch queue is none of them: whether it gets full depends on how fast the device is.
        """
        return [n for n, event in enumerate(self.events) if event.kind == "wait" and event.target != LAUNCH_QUEUE]

    @property
    def first_wait(self) -> Message:
        """The first wait in the student's words, even with nothing to wait for; "none" if there is none."""
        return self.word_of(self.waits)

    def word_of(self, waits: list[int]) -> Message:
        """Return the first of the waits at these places in the student's words; "none" if there is none."""
        return first_wait(replace(self.events[place], opened=("this",)) for place in waits[:1])

    def looks(self, array: int) -> dict[int, list[int]]:
        """For each number of a judge's array, by its place in the array: where the log has a look at it.

        Empty if the array was also read in another way: then nobody knows from where on its numbers were known.
        """
        found: dict[int, list[int]] = {}
        for place, event in enumerate(self.events):
            if event.kind == LOOK and event.inputs == (array,):
                found.setdefault(int(event.label), []).append(place)
        return found if set(self.reading(array)) <= {LOOK} else {}

    def reading(self, array: int) -> Counter[str]:
        """Return all readers of an array: the labels of operations and of waits for its values, and looks."""
        found = Counter(event.label for event in self.events if event.kind == "wait" and array in event.inputs)
        found.update(one.label for one in self.readers(array))
        found[LOOK] += sum(event.kind == LOOK and event.inputs == (array,) for event in self.events)
        return +found

    def readers(self, array: int) -> list[Operation]:
        """The operations that read an array."""
        return [operation for operation in self.operations if array in operation.inputs]

    def copies_of(self, array: int) -> frozenset[int]:
        """Return an array and its copies by operations that only copy."""
        found = {array}
        for operation in self.operations:
            if operation.label in COPYING and not found.isdisjoint(operation.inputs):
                found |= operation.outputs
        return frozenset(found)

    def computing(self, array: int, size: int) -> list[Operation]:
        """The operations that compute with all elements of an array or of a copy of it.

        Args:
            array: Its number.
            size: How many elements it has.
        """
        same = self.copies_of(array)
        return [
            one
            for one in self.operations
            if one.label not in COPYING and any(one.elements.get(number, 0) >= size for number in same)
        ]

    def whole_readings(self, array: int, size: int) -> list[list[Operation]]:
        """The operations that read an array, in groups that each read as many elements as it has.

        One that reads all of it is a group of its own, and so are several that read it in pieces.

        Args:
            array: Its number.
            size: How many elements it has.
        """
        found: list[list[Operation]] = []
        group: list[Operation] = []
        for operation in self.readers(array):
            group.append(operation)
            if sum(one.elements.get(array, 0) for one in group) >= size:
                found.append(group)
                group = []
        return found

    def brought(self, counts: Callable[[Any], bool] = lambda event: True) -> Counter[int]:
        """How many bytes came to each device, from the host and from other devices.

        Args:
            counts: Whether the event of a copy counts.
        """
        found: Counter[int] = Counter()
        for event in self.events:
            if event.kind == "enqueue" and event.label in (UPLOAD, PEER) and counts(event):
                found.update(dict.fromkeys(event.writes, event.nbytes))
        return found

    def writers(self, array: int) -> list[Operation]:
        """The operations that write an array."""
        return [operation for operation in self.operations if array in operation.outputs]

    def between(self, first: int, last: int) -> list[Operation]:
        """The operations enqueued after one place of the log and before another."""
        return [operation for operation in self.operations if first < operation.place < last]

    def is_done(self, array: int) -> bool:
        """Whether the last operation that writes an array was computed when the call returned."""
        writers = self.writers(array)
        return bool(writers) and writers[-1].covered < NEVER

    def ancestors(
        self,
        operations: Iterable[Operation],
        stop: frozenset[int] = frozenset(),
        known: Collection[Operation] = frozenset(),
    ) -> set[Operation]:
        """The operations whose results these operations use, directly or through others.

        Args:
            operations: The operations to begin with.
            stop: Arrays that are not followed.
            known: Ancestors that are left out, with all their ancestors.
        """
        left, found = list(operations), set[Operation]()
        while left:
            for array, parent in self._parents[left.pop()]:
                if array not in stop and parent not in found and parent not in known:
                    found.add(parent)
                    left.append(parent)
        return found

    def follows_from(self, operation: Operation, array: int) -> bool:
        """Whether an operation needs an array, directly or through others."""
        return any(array in one.inputs for one in {operation, *self.ancestors([operation])})

    @cached_property
    def _parents(self) -> dict[Operation, list[tuple[int, Operation]]]:
        """For each operation: the arrays that it uses, each with the last operation before it that writes the array."""
        last: dict[int, Operation] = {}
        found: dict[Operation, list[tuple[int, Operation]]] = {}
        for operation in self.operations:
            found[operation] = [(array, last[array]) for array in operation.touches if array in last]
            last.update(dict.fromkeys(operation.outputs, operation))
        return found

    def before(self, one: Operation, other: Operation) -> bool:
        """Whether one always runs before the other: because of a stream, an event, or a wait of the host."""
        return one.place <= self._clocks[other.place].get(one.stream, -1) and one is not other

    def beside(self, one: Operation, other: Operation) -> bool:
        """Whether the two have no fixed order: they may run at the same time."""
        return one is not other and not self.before(one, other) and not self.before(other, one)

    @cached_property
    def races(self) -> list[int]:
        """The places of races: two operations use the same memory, and nothing orders them."""
        return [place for place, event in enumerate(self.events) if event.kind == "race"]

    def racing(self, place: int) -> Message:
        """The later operation of the race at this place: the last operation before it."""
        return named(self.raced(place))

    def raced(self, place: int) -> Any:
        """The event of the later operation of the race at this place."""
        return next(event for event in self.events[place::-1] if event.kind == "enqueue")

    @cached_property
    def _clocks(self) -> dict[int, Clock]:
        """For each operation's place: up to which place each stream is done when it begins, itself included."""
        clocks: dict[int, Clock] = {}
        streams: dict[tuple[int, int], Clock] = {}
        threads: dict[int, Clock] = {}
        tickets: dict[int, Clock] = {}
        waited: dict[int, list[Operation]] = {}
        for operation in self.operations:
            waited.setdefault(operation.covered, []).append(operation)
        for place, event in enumerate(self.events):
            if event.kind in ("enqueue", "record", "follow"):
                clock = _later(threads.get(self.thread_of(event), {}), streams.get(_stream(event), {}))
                if event.kind == "follow":
                    clock = _later(clock, *(tickets.get(ticket, {}) for ticket in event.inputs))
                clock[_stream(event)] = place
                streams[_stream(event)] = clocks[place] = clock
                if event.kind == "record":
                    tickets[event.outputs[0]] = clock
            for operation in waited.get(place, ()):
                threads[self.thread_of(event)] = _later(threads.get(self.thread_of(event), {}), clocks[operation.place])
        return clocks

    def thread_of(self, event: Any) -> int:
        """The thread of the host to which an event belongs: what one waits for is certain to no other."""
        return 0


def _asks_for_the_shape(label: str) -> bool:
    """Whether an operation uses only its input's shape and type: "ones_like", "new_zeros"."""
    return label.endswith("_like") or label.startswith("new_")


def _stream(event: Any) -> tuple[int, int]:
    """The operation's device and queue; the host, device 0, has no queue."""
    device = next((number for number in (*event.reads, *event.writes) if number), 0)
    return device, event.queue


def _later(*clocks: Clock) -> Clock:
    return {stream: max(clock.get(stream, -1) for clock in clocks) for stream in set().union(*clocks)}
