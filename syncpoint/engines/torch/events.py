"""Translates the device's log of one call into graders' events."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from ..base import LAUNCH_QUEUE, Event
from .gate_labels import GateLabels
from .races import Races, are_possible

STREAMS = 128  # on one device
MOST_EVENTS = 20_000  # as in a log of the probe
# Kinds of commands that compute or copy, and what copies are called.
COPIES = {"upload": "copy from the host", "h2d": "copy from the host", "d2h": "copy to the host", "peer": "peer copy"}
OPERATIONS = frozenset({"launch", "ask", "collective", *COPIES})
WAITED_FOR = frozenset({"ask", "upload", "download"})  # the wait for such a command names it
# A mark cannot have these kinds.
OWN = frozenset({"enqueue", "wait", "failed", "record", "follow", "overflow", "race", "look"})
AGAIN, BESIDE = "memory allocated again under", "beside"  # beginnings of the names of races
ORDER = {"record": "record", "stream wait": "follow"}


class Entry(NamedTuple):
    """An entry of the device's log, as simgpu's `records` describes it."""

    kind: str
    number: int
    stream: int
    name: str
    reads: Sequence[int]
    writes: Sequence[int]
    detail: dict[str, Any]
    time: int  # in nanoseconds


class Call:
    """One call, read from the entries of its log.

    Args:
        gates: Labels of the gates before arrays, by storage.
        given: The storages of the arguments, which have the first numbers, from 1.
        results: Whether each operation has a gate.
        unrelated: Whether there is a gate that only a wait for everything opens.
        began: When the call began, in nanoseconds.

    Attributes:
        events: The events in order. A wait is at the place where the front end acknowledged its answer. A wait whose
            answer was never acknowledged is at the end and opens nothing. If the program asked a question a hundred
            times and went on without an answer, there is a wait that opens nothing at the place of the question.
        closed: The labels of the gates that are still closed.
        unacknowledged: The commands that only waits without acknowledgement let run.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        gates: dict[int, str],
        results: bool,
        unrelated: bool,
        began: int,
        given: Iterable[int] = (),
    ) -> None:
        self.events: list[Event] = []
        self._began = began
        self._gates = GateLabels(gates, results, unrelated)
        self._numbers: dict[Any, int] = {storage: place for place, storage in enumerate(given, 1)}
        self._asked: dict[Any, tuple[Any, ...]] = {}
        self._races = Races() if are_possible(entries) else None
        self._waits: dict[Any, tuple[Any, ...]] = {}
        self._questions: dict[Any, tuple[int, Event]] = {}
        self.unacknowledged: set[int] = set()
        self._commands: list[tuple[Event, int]] = []
        self._raced: list[tuple[Event, int]] = []
        for kind, number, stream, name, reads, writes, detail, time in entries:
            if len(self.events) >= MOST_EVENTS:
                self.overflow()
                break
            self._take(kind, number, stream, name, tuple(reads), tuple(writes), detail, time)
        for wait, (kind, name, detail, time) in self._waits.items():
            self.unacknowledged |= {*detail.get("opened", ()), detail.get("command", -1)}
            if wait not in self._questions:
                self._wait(kind, name, {**detail, "opened": (), "command": None, "all": False}, time)
        for place, event in sorted(self._questions.values(), key=itemgetter(0), reverse=True):
            self.events.insert(place, event)

    @property
    def closed(self) -> tuple[str, ...]:
        """The labels of the gates that are closed at the end."""
        return self._gates.closed

    def overflow(self) -> None:
        """Whether the log is incomplete because it was too long."""
        if not self.events or self.events[-1].kind != "overflow":
            self._add("overflow", "", self._began)

    def _take(
        self, kind: str, number: int, stream: int, name: str, reads: Any, writes: Any, detail: Any, time: int
    ) -> None:
        device, queue = int(stream) // STREAMS + 1, int(stream) % STREAMS
        if kind in WAITED_FOR:
            self._asked[number] = kind, number, reads
            self._gates.command(number, (*reads, *writes))
        if kind in OPERATIONS:
            self._enqueue(kind, number, device, queue, name, reads, writes, detail, time)
        elif kind in ORDER:
            ticket = self.number(("event", detail.get("ticket", number)))
            side = "outputs" if kind == "record" else "inputs"
            named: dict[str, Any] = {side: (ticket,)}
            self._add(ORDER[kind], name, time, queue=queue, reads=(device,), **named)
        elif kind in ("wait", "full"):
            self._waits[detail["wait"]] = kind, name, detail, time
            if detail.get("again") and not detail.get("thread"):
                self._add("wait", name, time)
                self._questions[detail["wait"]] = len(self.events) - 1, self.events.pop()
        elif kind == "acknowledged":
            self._acknowledge(detail["waits"], time)
        elif kind == "mark":
            word, _, label = name.partition(" ")
            self._add(word if word.isidentifier() and word not in OWN else "mark", label, time)
        elif kind == "look":
            self._add("look", name, time, inputs=tuple(map(self.number, reads)))
        elif kind == "error":
            self._add("failed", short(name), time, queue=queue)
        if self._races is None:
            return
        for race in self._races.read(kind, number, stream, COPIES.get(kind) or name, reads, writes, detail):
            label = f"{AGAIN if race.again else BESIDE} {short(race.first)}"
            self._add("race", label, time, inputs=(self.number(race.storage),), queue=queue)
            self._raced.append((self.events[-1], race.number))

    def _enqueue(
        self,
        kind: str,
        number: int,
        device: int,
        queue: int,
        name: str,
        reads: Any,
        writes: Any,
        detail: Any,
        time: int,
    ) -> None:
        label = COPIES.get(kind) or short(name)
        self._gates.command(number, (*reads, *writes))
        self._gates.operation(number, label)
        from_devices, to_devices = _devices(kind, device, reads, writes, detail)
        self._add(
            "enqueue",
            label,
            time,
            queue=queue,
            nbytes=int(detail.get("bytes", 0)),
            values=str(*detail.get("values", ())),
            reads=from_devices,
            writes=to_devices,
            crosses=kind in COPIES or kind == "collective",
            inputs=tuple(map(self.number, reads)),
            outputs=tuple(map(self.number, writes)),
            input_sizes=tuple(map(int, detail.get("elements", ()))),
        )
        self._commands.append((self.events[-1], number))

    def _acknowledge(self, waits: Iterable[Any], time: int) -> None:
        for wait in waits:
            if wait in self._waits:  # otherwise the wait is from before the call
                asked, label, about, _ = self._waits.pop(wait)
                if self._questions.get(wait, (-1,))[0] == len(self.events):  # the program continued with the answer
                    del self._questions[wait]
                self._wait(asked, label, about, time)

    def _wait(self, kind: str, name: str, detail: Any, time: int) -> None:
        whose, own, inputs = self._asked.pop(detail.get("command"), ("", -1, ()))
        everything = bool(detail.get("all"))
        opened = self._gates.wait(detail.get("opened", ()), own, everything)
        target = {"ask": "operation", "download": "host copy"}.get(whose) or ("all" if everything else "array")
        if kind == "full":
            name, target = "a full launch queue", LAUNCH_QUEUE
        devices = tuple(sorted({int(stream) // STREAMS + 1 for stream in detail.get("targets", ())}))
        arrays = tuple(map(self.number, inputs))
        self._add("wait", short(name), time, opened, reads=devices, target=target, inputs=arrays)

    def with_lines(self, lines: Iterable[tuple[int, int]]) -> list[Event]:
        """Return the events with the lines that enqueued the operations; for a race, the earlier operation's line.

        ``lines`` are numbers of commands, and the line from each on.
        """
        ordered = sorted(lines)
        first = [number for number, _ in ordered]

        def line(number: int) -> int:
            place = bisect_right(first, number)
            return ordered[place - 1][1] if place else 0

        for event, number in (*self._commands, *self._raced) if ordered else ():
            vars(event)["line"] = line(number)  # events are read-only for others
        return self.events

    def commands(self, places: Iterable[int]) -> list[int]:
        """The device's numbers of the operations at these places of the log."""
        numbers = {id(event): number for event, number in self._commands}
        return [numbers[id(self.events[place])] for place in places]

    def number(self, thing: Any) -> int:
        """The number of an array, or of a mark in a queue, within this log."""
        return self._numbers.setdefault(thing, len(self._numbers) + 1)

    def _add(self, kind: str, label: str, time: int, opened: tuple[str, ...] = (), **more: Any) -> None:
        seconds = (time - self._began) / 1e9
        pending = len(self._gates)
        self.events.append(Event(kind=kind, label=str(label), opened=opened, pending=pending, seconds=seconds, **more))


def _devices(kind: str, device: int, reads: Any, writes: Any, detail: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the devices that an operation reads from and writes to; 0 is the host."""
    if kind in ("upload", "h2d"):
        return (0,), (device,)
    if kind == "d2h":
        return (device,), (0,)
    if kind == "peer":
        source, target = ({int(d) + 1 for d in side} for side in detail["devices"])
        # the source also lists the target, because its layout is read
        return tuple(sorted(source - target or source)), tuple(sorted(target))
    return (device,) * bool(reads), (device,) * bool(writes)


def short(name: str) -> str:
    """``mm`` for ``aten.mm.default``."""
    parts = name.split(".")
    return parts[1] if len(parts) == 3 and parts[0].isidentifier() else name
