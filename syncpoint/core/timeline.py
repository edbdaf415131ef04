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
    """The number of results of each kind that the judge had held back and a wait released.

    Attributes:
        inputs: Arrays that the code was called with.
        results: Of operations.
        others: Work that has nothing to do with the code.
    """

    inputs: int = 0
    results: int = 0
    others: int = 0


@dataclass(frozen=True)
class Step:
    """Operations that were enqueued one after the other for the same queue, a wait, or the start of a batch.

    Attributes:
        kind: "enqueue"; "copy" and "collective" for operations that go from device to device; "follow" where one queue
            waits for another; "start", "wait", or a wait that has no name: "hidden wait", "inside" an operation.
        names: Of operations the different ones, the first few; else of the batch, or of the waiting function.
        count: How many operations it stands for.
        devices: The numbers of the devices that they use; of a copy first those that it reads.
        held: Whether the front end stood still for unfinished work.
        queue: The one of its device in which they stand, or which follows.
        closed: How much the judge held back behind it.
        let_go: What a wait got done of that.
        source: The queue that is followed.
        since: The place in the timeline of the last step there that is waited for; None if it is not drawn.
    """

    kind: str
    names: tuple[str, ...]
    count: int = 1
    devices: tuple[int, ...] = ()
    held: bool = False
    queue: int = 0
    closed: int = 0
    let_go: LetGo = LetGo()
    source: Queue | None = None
    since: int | None = None

    @property
    def home(self) -> Queue:
        """The queue in which it stands."""
        return home(self.devices, self.queue)


@dataclass(frozen=True)
class Timeline:
    """The part of a log that is drawn.

    Attributes:
        steps: In the order of the log.
        marked: The place in ``steps`` of the wait that decided, or None.
        message: What is to be seen.
        before: How many steps are left out at the beginning.
        after: How many steps are left out at the end.
    """

    steps: tuple[Step, ...]
    marked: int | None
    message: Message
    before: int
    after: int
