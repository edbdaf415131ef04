"""The trace of one run of student code, which an engine feeds, with gates that hold work back.

The log of a trace is the one record from which verdicts (and pictures) are made.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import Any, Callable, Optional

# Private references: student code may replace the module attributes later.
_Timer = threading.Timer
_RLock = threading.RLock
_get_ident = threading.get_ident
_clock = time.perf_counter

MAX_EVENTS = 20_000


@dataclass(frozen=True)
class Event:
    """One entry of the log: the only definition, for writing, sending, reading and judging it.

    Attributes:
        kind: "enqueue" (work was queued), "wait" (the front end blocked), "timeout_open" (nothing moved for so long
            that the trace opened every gate itself, and opens every later one at once), "mark" (a gradient buffer was
            attached), "inside" (an operation enqueued this itself), "record" and "follow" (a mark in a queue, and
            another queue that waits for it), "race" (between the operation before it and an earlier one), "look" (a
            scenario asked for a number of one of the judge's arrays), "overflow" (the log is full, so it is
            incomplete), or a scenario's own word such as "start".
        label: The name of the operation or of the wait, as students know it; "" if they know none. For a look, the
            place in the array.
        opened: Labels of the gates this event opened.
        pending: How many gates are closed after it.
        seconds: Since the trace began.
        reads: The devices of an operation's inputs, each once, in their order; for a wait, the devices that it waits
            for, if the engine reports them.
        writes: The devices of its results, each once, in their order.
        target: What a wait is for: an "array", "all", a "host copy", or the numbers that an "operation" must know
            first.
        inputs: The arrays that an operation reads, or that a wait is for; see :meth:`Trace.number`.
        outputs: The arrays that an operation writes.
        crosses: Whether the operation is made for going from one device to another.
        queue: Its queue, among those of its device; 0 is the first.
        input_sizes: How many elements each of the inputs has, or how many are read, if the engine reports it.
        output_sizes: How many elements each of the outputs has, if the engine reports it.
        nbytes: How many bytes a copy moves, or a rank gives to a collective, if the engine reports it.
        values: A fingerprint of the values that a copy from the host brought, if the engine reports it.
        line: The line of the student's cell that enqueued an operation; for a race, that of the earlier operation. It
            comes from the student's process, so only messages use it. 0: none.
    """

    kind: str
    label: str = ""
    opened: tuple[str, ...] = ()
    pending: int = 0
    seconds: float = 0.0
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    target: str = ""
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    crosses: bool = False
    queue: int = 0
    input_sizes: tuple[int, ...] = ()
    output_sizes: tuple[int, ...] = ()
    nbytes: int = 0
    values: str = ""
    line: int = 0

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Event":
        """Return the event sent as these fields; each is converted to its field's type.

        Raises:
            TypeError: If it has no kind, or a field cannot be of its type.
            ValueError: If a field cannot be of its type.
        """
        return cls(**{name: make(data[name]) for name, make in _FIELDS.items() if name in data})

    @property
    def hidden(self) -> bool:
        """Whether this is a wait without a name that students know, usually inside an operation."""
        return self.kind == "timeout_open" or self.target == "operation" or not self.label

    def handles(self, size: int) -> bool:
        """Whether this is an operation that reads or writes an array with this number of elements."""
        return self.kind == "enqueue" and size in (*self.input_sizes, *self.output_sizes)

    @property
    def mixes_devices(self) -> bool:
        """Whether this operation reads or writes arrays of several devices without being meant to.

        If all devices are in host memory, it is computed anyway; on GPUs it crashes.
        """
        several = len({*self.reads, *self.writes}) > 1
        return self.kind in ("enqueue", "inside", "mark") and not self.crosses and several


_MAKE: dict[Any, Callable[[Any], Any]] = {
    str: str,
    int: int,
    float: float,
    bool: lambda value: value is True,
    tuple[int, ...]: lambda values: tuple(int(value) for value in values),
    tuple[str, ...]: lambda values: tuple(str(value) for value in values),
}
_FIELDS = {field.name: _MAKE[field.type] for field in fields(Event)}


class Gate:
    """A closed gate keeps one engine array pending; ``open`` releases it.

    Attributes:
        reached: The engine has come to the gate, so everything that the array needs before it is done.
    """

    def __init__(self, label: str, opener: Callable[[], None], array: Any, storage: int, unrelated: bool, keep: Any):
        self.label = label
        self.array = array  # a reference that keeps the array as long as the gate
        self.storage = storage  # the engine's storage of the array; views of one array share it
        self.unrelated = unrelated
        self._keep = keep  # other objects to keep as long as the gate
        self.is_open = self.reached = False
        self.before: Callable[[Gate], None] = lambda gate: None
        self._opener = opener

    def open(self) -> None:
        """Open the gate; a second call does nothing."""
        self.before(self)
        if not self.is_open:
            self.is_open = True
            self._opener()


class Trace:
    """Log and gates of one run of student code; an engine adapter feeds it.

    ``gate_results`` closes a gate on the result of every operation the code enqueues.
    ``patience`` is a number of seconds.  If code blocks for a reason that no known wait explains, and no gate opens or
    closes for so long, all gates open.
    """

    def __init__(self, gate_results: bool = False, patience: float = 5.0):
        self.gate_results = gate_results
        self.patience = patience
        self.gates: list[Gate] = []
        self.events: list[Event] = []
        # By storage: arrays whose whole history the log has, to report readiness; gradient buffers that a backward pass
        # may fill.
        self.followed: dict[int, Any] = {}
        self.gradients: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        self._active = self._over = False
        self.timed_out = False  # whether all gates opened because nothing else could continue the code
        self.rounds = 0  # how often the time limit was started
        self._paused: set[int] = set()
        self._lock = _RLock()
        self._began = _clock()
        self._timer: Optional[threading.Timer] = None

    def __enter__(self) -> "Trace":
        self._began = _clock()
        self._active = True
        self._start_timer()
        return self

    def __exit__(self, *exception: Any) -> None:
        with self._lock:
            self._active = False
        if self._timer is not None:
            self._timer.cancel()

    @property
    def active(self) -> bool:
        """Whether this thread's calls to the engine now belong in the log."""
        return self._active and _get_ident() not in self._paused

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Exclude this thread's calls in the block from the log and the gates: they are not the student's."""
        self._paused.add(_get_ident())
        try:
            yield
        finally:
            self._paused.discard(_get_ident())

    def add(self, gate: Gate) -> None:
        """Add a gate that was just closed.

        After a timeout it opens at once, because the code could only block again.  It also opens at once after the end
        of the run, if a thread left by the code still enqueues, because nothing would open it later.
        """
        with self._lock:
            gate.before = self.before_opening
            self.gates.append(gate)
            self.followed[gate.storage] = gate.array
            if self.timed_out or self._over:
                gate.open()
            if self.timed_out:
                self.log("timeout_open", "", (gate.label,))

    def before_opening(self, gate: Gate) -> None:
        """Record that a gate opens, perhaps again; a scenario's own trace may react, or take a while."""

    @property
    def pending(self) -> tuple[str, ...]:
        """The labels of the gates that are still closed."""
        return tuple(gate.label for gate in self.gates if not gate.is_open)

    def log(self, kind: str, label: str, opened: tuple[str, ...] = (), **more: Any) -> None:
        """Add a line to the log.

        Args:
            kind: See `Event`.
            label: The engine's word, or the gate's.
            opened: Labels of the gates that it opens.
            **more: Further fields of `Event`.
        """
        with self._lock:
            if len(self.events) > MAX_EVENTS:
                return
            if len(self.events) == MAX_EVENTS:
                kind, label, opened, more = "overflow", "", (), {}
            seconds = _clock() - self._began
            pending = len(self.pending)
            self.events.append(Event(kind=kind, label=label, opened=opened, pending=pending, seconds=seconds, **more))

    def number(self, storage: int) -> int:
        """Return the number of an array in this log, from 1, in the order of first use.

        Args:
            storage: Its storage, as the engine identifies it.  Views of one array share its number, and so does an
                array that was made in the memory of one that is gone.
        """
        return self._numbers.setdefault(storage, len(self._numbers) + 1)

    def operands(self, inputs: list[Any]) -> None:
        """Note the arrays, as the engine identifies them, that the next logged operation reads."""

    def open_all(self) -> tuple[str, ...]:
        """Open every gate; returns the labels of those that were closed."""
        closed = [gate for gate in self.gates if not gate.is_open]
        for gate in closed:
            gate.open()
        return tuple(gate.label for gate in closed)

    def end(self) -> None:
        """Open every gate, and from now on each one that closes."""
        with self._lock:
            self._over = True
            self.open_all()

    def closed_gates(self) -> list[Gate]:
        """Closed gates in the order in which a wait should open them: oldest first, unrelated work last."""
        closed = [gate for gate in self.gates if not gate.is_open]
        return [g for g in closed if not g.unrelated] + [g for g in closed if g.unrelated]

    def report(self) -> list[dict[str, Any]]:
        """Return the log as plain data."""
        return [asdict(event) for event in self.events]

    def _start_timer(self) -> None:
        self.rounds += 1
        self._timer = _Timer(self.patience, self._force_open, (len(self.gates), len(self.pending)))
        self._timer.daemon = True
        self._timer.start()

    def _force_open(self, gates_before: int, pending_before: int) -> None:
        # An open gate releases the code at once; the lock keeps the trace from ending before the log has this.
        with self._lock:
            if not self.active:
                return
            if (len(self.gates), len(self.pending)) != (gates_before, pending_before) or not self.pending:
                self._start_timer()
                return
            self.timed_out = True
            self.log("timeout_open", "", self.open_all())
