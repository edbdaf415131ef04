"""The part of a log that is drawn for a student, as data."""

from dataclasses import dataclass

from .messages import Message


@dataclass(frozen=True)
class Step:
    """Operations that were enqueued one after the other for the same devices, a wait, or the start of a batch.

    kind: "enqueue", "start", "wait", or a wait that has no name: "hidden wait", "inside" an operation.
    names: the different ones of the operations, the first few; of the batch, or of the waiting function.
    count: of the operations.  held: whether the front end stood still for unfinished work.
    """

    kind: str
    names: tuple[str, ...]
    count: int = 1
    devices: tuple[int, ...] = ()
    held: bool = False


@dataclass(frozen=True)
class Timeline:
    """What is drawn of a log.

    marked: the place in ``steps`` of the wait that decided, or None.  said: what is to be seen.
    before, after: how many steps are left out at the two ends.
    """

    steps: tuple[Step, ...]
    marked: int | None
    said: Message
    before: int
    after: int
