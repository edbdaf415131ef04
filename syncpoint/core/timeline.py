"""The part of a log that is drawn for a student, as data."""

from __future__ import annotations

from dataclasses import dataclass

from .messages import Message


@dataclass(frozen=True)
class Step:
    """Operations that were enqueued one after the other for the same devices, a wait, or the start of a batch.

    Attributes:
        kind: "enqueue", "start", "wait", or a wait that has no name: "hidden wait", "inside" an operation.
        names: Of operations the different ones, the first few; else of the batch, or of the waiting function.
        count: How many operations it stands for.
        devices: The numbers of the devices that they write to.
        held: Whether the front end stood still for unfinished work.
    """

    kind: str
    names: tuple[str, ...]
    count: int = 1
    devices: tuple[int, ...] = ()
    held: bool = False


@dataclass(frozen=True)
class Timeline:
    """What is drawn of a log.

    Attributes:
        steps: In the order of the log.
        marked: The place in ``steps`` of the wait that decided, or None.
        said: What is to be seen.
        before: How many steps are left out at the beginning.
        after: How many steps are left out at the end.
    """

    steps: tuple[Step, ...]
    marked: int | None
    said: Message
    before: int
    after: int
