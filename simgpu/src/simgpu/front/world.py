"""The ranks of ``torch.distributed``: which of them still run, and which wait for an answer of the device."""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_worlds = itertools.count(1)


class World:
    """The ranks that ``simgpu.distributed.ranks`` starts together.

    When each of them waits or has ended, nobody enqueues the part that another one waits for: the last one says so to
    the device, which ends what cannot happen any more.

    Attributes:
        name: The device knows the world by it.
    """

    def __init__(self, size: int) -> None:
        self.name = str(next(_worlds))
        self._running, self._asked, self._lock = size, set[int](), threading.Lock()

    @contextmanager
    def waits(self, request: int, say: Callable[..., None]) -> Iterator[None]:
        """A rank has sent a question and waits for its answer; ``say`` sends a request to the device."""
        with self._lock:
            self._asked.add(request)
        try:
            self._stops(say)
            yield
        finally:
            with self._lock:
                self._running += 1
                self._asked.discard(request)

    def ends(self, say: Callable[..., None]) -> None:
        """A rank takes no part in anything any more."""
        self._stops(say)

    def _stops(self, say: Callable[..., None]) -> None:
        with self._lock:
            self._running -= 1
            asked = None if self._running else list(self._asked)
        if asked is not None:
            say("all wait", world=self.name, asked=asked)


@dataclass
class Rank:
    """One thread's place in its world.

    Attributes:
        number: In the whole world, whatever groups there are.
        communicators: Those that it has used, by name; the place says the stream.
    """

    world: World
    number: int
    communicators: dict[str, int] = field(default_factory=dict)


class _Local(threading.local):
    rank: Rank | None = None


LOCAL = _Local()
