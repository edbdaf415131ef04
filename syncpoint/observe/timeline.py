"""What is drawn of the log of a failed test: what student code enqueued, where it waited, in which order.

It is the log from which the verdict came.  Only kinds of operations, their devices and waits are shown: no values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..core.messages import Message
from ..core.strip import strip_control
from ..core.timeline import Step, Timeline
from .observation import Event, Log

MOST_STEPS, MOST_DEVICES, MOST_NAMES = 16, 6, 5  # so many are drawn; a log comes from the student's side


@dataclass
class _Step:
    """A step that may grow; see :class:`Step`."""

    kind: str
    names: list[str] = field(default_factory=list)
    devices: tuple[int, ...] = ()
    held: bool = False
    queue: int = 0

    @property
    def kept(self) -> Step:
        different = list(dict.fromkeys(self.names))[: MOST_NAMES + 1]
        return Step(self.kind, tuple(map(strip_control, different)), len(self.names), self.devices, self.held)


def timeline(log: Log) -> Timeline | None:
    """What to draw of a log: the wait that decided and what stands around it, or the end; None for an empty one."""
    if not log.events:
        return None
    steps, decisive = _steps(log.events)
    said = _sentence(steps, decisive, log)
    if log.missing_wait:
        decisive = None
    end = len(steps) if decisive is None else min(len(steps), decisive + MOST_STEPS // 2)
    first = max(0, end - MOST_STEPS)
    drawn = steps[first : first + MOST_STEPS]
    marked = None if decisive is None else decisive - first
    left_out = len(steps) - first - len(drawn)
    return Timeline(tuple(step.kept for step in drawn), marked, said, first, left_out)


def _steps(events: Iterable[Event]) -> tuple[list[_Step], int | None]:
    """Return the steps of a log, and the place of the wait that may have decided: the first that held the front end up.

    If some wait let unrelated work go, it is that one: nothing else had to wait for it.
    """
    steps: list[_Step] = []
    first = unrelated = None
    for event in events:
        if event.kind == "enqueue":
            devices = tuple(sorted({*event.reads, *event.writes}))[:MOST_DEVICES]
            if (
                not steps
                or steps[-1].kind != "enqueue"
                or (steps[-1].devices, steps[-1].queue) != (devices, event.queue)
            ):
                steps.append(_Step("enqueue", [], devices, queue=event.queue))
            steps[-1].names.append(f"queue {event.queue}: {event.label[:24]}" if event.queue else event.label[:24])
        elif event.kind in ("wait", "timeout_open"):
            hidden = "hidden wait" if event.target == "array" else "inside"
            known = not event.hidden
            steps.append(_Step("wait" if known else hidden, [event.label] if known else [], held=bool(event.opened)))
            if event.opened and first is None:
                first = len(steps) - 1
            if "unrelated" in event.opened and unrelated is None:
                unrelated = len(steps) - 1
        elif event.kind == "start":  # of a batch of a training loop
            steps.append(_Step("start", [event.label[:9]]))
    return steps, first if unrelated is None else unrelated


def _sentence(steps: Sequence[_Step], decisive: int | None, log: Log) -> Message:
    if decisive is None:
        code = "no_wait_unfinished" if log.events[-1].pending else "no_wait"
        return Message.of(code, operations=_operations(steps))
    if log.missing_wait:
        waits = [place for place, step in enumerate(steps) if step.held]
        rows = [steps[first:last] for first, last in zip([0, *waits], [*waits, len(steps)])]
        most = _operations(max(rows, key=_count))
        return Message.of("wait_missing", most=most, after=_operations(rows[-1]))
    before, after = _operations(steps[:decisive]), _operations(steps[decisive + 1 :])
    return Message.of("wait_marked", before=before, after=after)


def _operations(steps: Sequence[_Step]) -> Message:
    count = _count(steps)
    if count == 1:
        return Message("one_operation")
    return Message.of("operations", count=count) if count else Message("no_operation")


def _count(steps: Sequence[_Step]) -> int:
    return sum(len(step.names) for step in steps if step.kind == "enqueue")
