"""Commands, the queue that each stream has of them, and the waits of the host, as plain data."""

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from simgpu.device.channel import Channel
from simgpu.wire import HIGH_POOL, STREAMS


class Work(Protocol):
    """A launch: several that follow one another in a stream may go to the kernel process together."""

    def order(self, at: Channel) -> None:
        """Put it on a channel."""

    def ended(self) -> None:
        """Its answer has come."""


@dataclass(eq=False, slots=True)
class Command:
    """One entry of a stream's queue.

    Attributes:
        number: Its place in the device's order of arrival.
        name: The operation, for the log and for gates that hold one kind of operation.
        run: The function that the stream's thread calls with its channel to the kernel process; or a launch.
        ready: Tells whether the events on other streams that it waits for have happened; None: it waits for none.
        needs: The (stream, number) of commands that must run before this one.
        timed: Whether the time of its end is stored for ``elapsed_time``.
        touches: The storages that it reads or writes, for gates that hold one of them.
        instead: Called if the command is dropped; None: nothing is called.
    """

    number: int
    name: str
    run: Callable[[Channel], None] | Work
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
        self.running: deque[int] = deque()  # numbers of running commands
        self.queries: dict[int, int] = {}  # command -> number of queries since the last launch
        self.opened = 0  # waits have opened the gates that hold only some commands, up to this command
        self.allowed = allowed
        self.woken = threading.Condition(lock)

    @property
    def pending(self) -> int:
        """Commands that have not ended, the device's own among them."""
        return len(self.queue) + len(self.running)

    def commands(self) -> int:
        """Commands of the front end that have not ended."""
        return sum(bool(c.name) for c in self.queue) + len(self.running)

    def wake(self) -> None:
        """Let the stream look again whether it may run."""
        raise NotImplementedError
