"""The part of a log that is drawn for a student, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .messages import Message

Queue = tuple[int, int]  # a device, and which of its queues; 0 is the first


def home(devices: Iterable[int], queue: int) -> Queue:
    """The queue of an operation that uses these devices: the first one's that is not the host."""
    return next((device for device in devices if device), 0), queue


@dataclass(frozen=True)
class LetGo:
    """The number of results of each kind that the judge had held back and a wait released."""

    inputs: int = 0  # arrays that the code was called with
    results: int = 0  # of operations
    others: int = 0  # work that has nothing to do with the code


@dataclass(frozen=True)
class Step:
    """Operations that were enqueued one after the other for the same queue, a wait, or the start of a batch."""

    # "enqueue"; "copy" and "collective" for operations that go from device to device; "follow" where one queue waits
    # for another; "start", "wait", or a wait that has no name: "hidden wait", "inside" an operation
    kind: str
    # the first few different operations; otherwise the batch, or the waiting function
    names: tuple[str, ...]
    count: int = 1  # how many operations it stands for
    devices: tuple[int, ...] = ()  # the numbers of the devices that they use; of a copy first those that it reads
    held: bool = False  # whether the front end waited for unfinished work
    queue: int = 0  # the device's queue that has the operations, or that follows
    closed: int = 0  # how much the judge held back after it
    let_go: LetGo = LetGo()  # how much of that a wait released
    source: Queue | None = None  # the queue that is followed
    # the place in the timeline of the last step in ``source`` that is waited for; None if it is not drawn
    since: int | None = None

    @property
    def home(self) -> Queue:
        return home(self.devices, self.queue)


@dataclass(frozen=True)
class Timeline:
    """The part of a log that is drawn."""

    steps: tuple[Step, ...]  # in the order of the log
    marked: int | None  # the place in ``steps`` of the wait that decided, or None
    message: Message  # what the picture shows, in words
    before: int  # how many steps are left out at the beginning
    after: int  # how many steps are left out at the end
