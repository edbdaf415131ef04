"""Commands, the queue that each stream has of them, and the waits of the host, as plain data."""

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from simgpu.wire import HIGH_POOL, STREAMS


@dataclass(eq=False, slots=True)
class Command:
    """One entry of a stream's queue.

    Attributes:
        number: In the device's order of arrival.
        name: The operation, for the log and for gates that hold one kind of operation.
        run: The work.
        ready: Whether what it waits for on other streams has happened; None is yes.
        needs: The (stream, number) of commands that must run for this one to run.
        timed: Whether its end is kept for ``elapsed_time``.
        touches: The storages that it reads or writes, for gates that hold one of them.
        instead: What is done if it is given up; None is nothing.
    """

    number: int
    name: str
    run: Callable[[], None]
    ready: Callable[[], bool] | None = None
    needs: Callable[[], Iterable[tuple[int, int]]] | None = None
    timed: bool = False
    touches: tuple[int, ...] = ()
    instead: Callable[[], None] | None = None


@dataclass(frozen=True)
class Wait:
    """A wait that has opened no gate yet: in a thread beside the front end's main one, or until it is quiet."""

    kind: str
    label: str
    targets: dict[int, int]
    thread: int
    detail: dict[str, Any]
    question: Hashable = None
    then: Callable[[], None] | None = None


class Queue:
    """The commands of one stream, and how far it has come.

    Args:
        number: Of the stream.
        lock: The one of all streams.
        allowed: Up to which command no gate holds it, whatever waits.
    """

    def __init__(self, number: int, lock: threading.RLock, allowed: float) -> None:  # type: ignore[valid-type]
        self.number, self.device = number, number // STREAMS
        self.high = number % STREAMS in HIGH_POOL
        self.queue: deque[Command] = deque()
        self.started = self.done = self.last = 0
        self.queries: dict[int, int] = {}  # by command: how often it was asked for since the last launch
        self.opened = 0  # up to here, gates that hold some commands only were opened by waits
        self.allowed = allowed
        self.woken = threading.Condition(lock)

    @property
    def pending(self) -> int:
        """Commands that have not ended, the device's own among them."""
        return len(self.queue) + (self.started > self.done)

    def commands(self) -> int:
        """Commands of the front end that have not ended."""
        return sum(bool(c.name) for c in self.queue) + (self.started > self.done)

    def wake(self) -> None:
        """Let the stream look again whether it may run."""
        if self.queue:
            self.woken.notify()
