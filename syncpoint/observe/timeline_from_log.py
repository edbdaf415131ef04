"""The part of a failed test's log that is drawn: what student code enqueued, where it waited, in which order.

It is the log from which the verdict came.  Only kinds of operations, their devices and waits are shown: no values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..core.messages import Message
from ..core.strip import strip_control
from ..core.timeline_data import LetGo, Queue, Step, Timeline, home
from ..probe.trace import Event
from .observation import Log

MOST_STEPS, MOST_DEVICES, MOST_NAMES = 16, 6, 5  # limits of a picture; a log may come from the student's side
OPERATIONS = ("enqueue", "copy", "collective")
INPUT, UNRELATED = "argument ", "unrelated"  # labels of gates; all other labels are of results


@dataclass
class _Step:
    """A step that may grow; see :class:`Step`."""

    kind: str
    names: list[str] = field(default_factory=list)
    devices: tuple[int, ...] = ()
    held: bool = False
    queue: int = 0
    closed: int = 0
    let_go: LetGo = field(default_factory=LetGo)
    source: Queue | None = None
    since: int | None = None

    def finished(self, first: int) -> Step:
        """Return the final step; the drawn steps begin with the one at this place."""
        different = list(dict.fromkeys(self.names))[: MOST_NAMES + 1]
        return Step(
            self.kind,
            tuple(map(strip_control, different)),
            len(self.names),
            self.devices,
            self.held,
            self.queue,
            self.closed,
            self.let_go,
            self.source,
            None if self.since is None or self.since < first else self.since - first,
        )


def timeline(log: Log) -> Timeline | None:
    """Return the part of a log to draw: the deciding wait and its neighbors, or the end; None for an empty log."""
    if not log.events:
        return None
    steps, decisive = _steps(log.events)
    message = _sentence(steps, decisive, log)
    if log.missing_wait:
        decisive = None
    end = len(steps) if decisive is None else min(len(steps), decisive + MOST_STEPS // 2)
    first = max(0, end - MOST_STEPS)
    drawn = steps[first : first + MOST_STEPS]
    marked = None if decisive is None else decisive - first
    left_out = len(steps) - first - len(drawn)
    return Timeline(tuple(step.finished(first) for step in drawn), marked, message, first, left_out)


def _steps(events: Sequence[Event]) -> tuple[list[_Step], int | None]:
    """Return the steps of a log, and the place of the first wait that held the front end up.

    If some wait let unrelated work go, it is that one: nothing else had to wait for it.
    """
    steps: list[_Step] = []
    first = unrelated = None
    queues = _Queues(events)
    for event in events:
        if event.kind == "enqueue":
            queues.add(steps, _Step(_kind(event), [], _devices(event), queue=event.queue), event.label[:24])
        elif event.kind == "record":
            queues.record(event)
        elif event.kind == "follow":
            steps += queues.follow(event)
        elif event.kind in ("wait", "timeout_open"):
            hidden = "hidden wait" if event.target == "array" else "inside"
            known = not event.hidden
            names = [event.label] if known else []
            steps.append(_Step("wait" if known else hidden, names, held=bool(event.opened), let_go=_let_go(event)))
            if event.opened and first is None:
                first = len(steps) - 1
            if UNRELATED in event.opened and unrelated is None:
                unrelated = len(steps) - 1
        elif event.kind == "start":  # of a batch of a training loop
            steps.append(_Step("start", [event.label[:9]]))
        if steps:
            steps[-1].closed = event.pending
    return steps, first if unrelated is None else unrelated


class _Queues:
    """The position of each queue of a log, and the marks that other queues wait for."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._followed = {mark for event in events if event.kind == "follow" for mark in event.inputs}
        self._last: dict[Queue, int] = {}
        self._marks: dict[int, tuple[Queue, int | None]] = {}
        self._marked: set[Queue] = set()  # queues that begin a new step after a mark

    def add(self, steps: list[_Step], step: _Step, label: str) -> None:
        """Add an operation to the last step or to a new one."""
        queue = home(step.devices, step.queue)
        last = steps[-1] if steps else None
        alike = last and (last.kind, last.devices, last.queue) == (step.kind, step.devices, step.queue)
        if not alike or queue in self._marked:
            steps.append(step)
            self._marked.discard(queue)
        self._last[queue] = len(steps) - 1
        steps[-1].names.append(label)

    def record(self, event: Event) -> None:
        queue = home(event.reads, event.queue)
        for mark in self._followed.intersection(event.outputs):
            self._marks[mark] = queue, self._last.get(queue)
            self._marked.add(queue)

    def follow(self, event: Event) -> list[_Step]:
        """Add the step of a queue that waits for a mark; none if the mark is its own, or older than the log."""
        queue = home(event.reads, event.queue)
        marks = [self._marks[mark] for mark in event.inputs if mark in self._marks]
        return [
            _Step("follow", [], event.reads[:1], queue=event.queue, source=source, since=since)
            for source, since in marks
            if source != queue
        ]


def _kind(event: Event) -> str:
    if not event.crosses:
        return "enqueue"
    return "copy" if "copy" in event.label else "collective"


def _devices(event: Event) -> tuple[int, ...]:
    if event.crosses:
        return tuple(dict.fromkeys((*event.reads, *event.writes)))[:MOST_DEVICES]
    return tuple(sorted({*event.reads, *event.writes}))[:MOST_DEVICES]


def _let_go(event: Event) -> LetGo:
    inputs = sum(label.startswith(INPUT) for label in event.opened)
    others = event.opened.count(UNRELATED)
    return LetGo(inputs, len(event.opened) - inputs - others, others)


def _sentence(steps: Sequence[_Step], decisive: int | None, log: Log) -> Message:
    if decisive is None:
        return Message.of(_not_held_up(steps, log), operations=_operations(steps))
    if log.missing_wait:
        waits = [place for place, step in enumerate(steps) if step.held]
        rows = [steps[first:last] for first, last in zip([0, *waits], [*waits, len(steps)])]
        most = _operations(max(rows, key=_count))
        return Message.of("wait_missing", most=most, after=_operations(rows[-1]))
    before, after = _operations(steps[:decisive]), _operations(steps[decisive + 1 :])
    return Message.of("wait_marked", before=before, after=after)


def _not_held_up(steps: Sequence[_Step], log: Log) -> str:
    """Return the sentence's code for a log in which no wait opened a gate."""
    if log.events[-1].pending:
        return "no_wait_unfinished"
    return "idle_waits" if any(step.kind == "wait" for step in steps) else "no_wait"


def _operations(steps: Sequence[_Step]) -> Message:
    count = _count(steps)
    if count == 1:
        return Message("one_operation")
    return Message.of("operations", count=count) if count else Message("no_operation")


def _count(steps: Sequence[_Step]) -> int:
    return sum(len(step.names) for step in steps if step.kind in OPERATIONS)
