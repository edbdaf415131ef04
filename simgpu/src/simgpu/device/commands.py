"""Commands, the streams' queues, and the host's waits, as plain data."""

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from simgpu.device.channel import Channel
from simgpu.wire import HIGH_POOL, STREAMS


class Work(Protocol):
    """A launch; consecutive ones of a stream may be sent to the kernel process together."""

    def order(self, at: Channel) -> None:
        """Send it over a channel."""

    def ended(self) -> None:
        """Note that its answer has arrived."""


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
    """A wait that has opened no gate yet: it is not in the main thread, or the front end is not quiet yet."""

    kind: str
    label: str
    targets: dict[int, int]
    thread: int
    detail: dict[str, Any]
    question: Hashable = None
    then: Callable[[], None] | None = None


class Queue:
    """The commands of one stream, and its progress.

    Args:
        number: The stream's number.
        lock: The one of all streams.
        allowed: Up to which command no gate holds it, whatever waits.
    """

    def __init__(self, number: int, lock: threading.RLock, allowed: float) -> None:  # type: ignore[valid-type]
        self.number, self.device = number, number // STREAMS
        self.high = number % STREAMS in HIGH_POOL
        self.queue: deque[Command] = deque()
        self.started = self.done = self.last = 0
        self.running: deque[int] = deque()
        self.told = 0  # the last command that `query` has said to be done
        self.queries: dict[int, int] = {}  # command -> number of queries since the last launch
        self.opened = 0  # waits have opened the gates that hold only some commands, up to this command
        self.allowed = allowed
        self.woken = threading.Condition(lock)

    @property
    def pending(self) -> int:
        """Unfinished commands, including the device's own."""
        return len(self.queue) + len(self.running)

    def commands(self) -> int:
        """Unfinished commands of the front end."""
        return sum(bool(c.name) for c in self.queue) + len(self.running)

    def wake(self) -> None:
        """Let the stream check again whether it may run."""
        raise NotImplementedError
