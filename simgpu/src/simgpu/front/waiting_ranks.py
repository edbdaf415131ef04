"""The ranks of ``torch.distributed``: which of them continue, and which wait for the device."""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

POLLS = 1000
"""A rank that asks this many times in a row whether something is done, and does nothing else, waits for it."""
Say = Callable[..., None]
Asked = int | list[int]
"""A question without an answer, or the stream and the command about which a rank asks repeatedly."""
_worlds = itertools.count(1)


class World:
    """The ranks that ``simgpu.distributed.ranks`` starts together.

    When each of them waits or has ended, no rank enqueues the part that another one waits for. The last one reports
    this to the device, which ends meetings that can no longer happen.

    Attributes:
        name: Its name for the device.
    """

    def __init__(self, size: int) -> None:
        self.name, self._size, self._ended = str(next(_worlds)), size, 0
        self._asked: dict[int, Asked] = {}
        self._lock = threading.Lock()

    def stops(self, rank: int, asked: Asked | None, say: Say) -> None:
        """Note that a rank waits; None if it has ended. ``say`` sends a request to the device."""
        with self._lock:
            if asked is None:
                self._ended += 1
            else:
                self._asked[rank] = asked
            all_wait = len(self._asked) + self._ended == self._size
            waiting = list(self._asked.values())
        if all_wait:
            say("all wait", world=self.name, asked=waiting)

    def goes_on(self, rank: int) -> None:
        """Note that a rank no longer waits."""
        with self._lock:
            self._asked.pop(rank, None)


class Rank:
    """One thread's place in its world.

    Attributes:
        number: In the whole world, whatever groups there are.
        communicators: Those that it has used, by name; the place says the stream.
    """

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number
        self.communicators: dict[str, int] = {}
        self._polls = 0

    @contextmanager
    def waits(self, request: int, say: Say) -> Iterator[None]:
        """Note that it has sent a request and waits for the answer."""
        self.goes_on()
        try:
            self.world.stops(self.number, request, say)
            yield
        finally:
            self.goes_on()

    def polls(self, done: bool, stream: int | None, upto: int, say: Say) -> None:
        """Note that it has asked whether something is done."""
        if done:
            self.goes_on()
            return
        self._polls += 1
        if self._polls == POLLS and stream is not None:
            self.world.stops(self.number, [stream, upto], say)

    def goes_on(self) -> None:
        """Note that it does something other than asking."""
        self._polls = 0
        self.world.goes_on(self.number)

    def ends(self, why: str, say: Say) -> None:
        """Note that the rank takes part in nothing more, so that no other rank waits for it forever."""
        self.goes_on()
        say("leave", world=self.world.name, rank=self.number, why=why)
        self.world.stops(self.number, None, say)


class _Local(threading.local):
    rank: Rank | None = None


LOCAL = _Local()
