"""The contract of an engine: the content of a folder of ``syncpoint/engines/``, and the judge's interface to it.

    syncpoint/engines/<name>/
        engine.toml      title, kind, Python, requirements, variables, words: see `Engine` in find.py
        requirements.txt pinned and hashed; student.txt the same for what students install, if they install anything
        cells.json       example cells and graders for `syncpoint new`
        inside/          a package of plain modules: the only part of the folder that is mounted next to the probe

    and of an engine in another process
        device/          what is mounted in that process's sandbox: a package with a function `serve`, see below
        outside.py       the judge's end: a class `Outside`, an :class:`OutsideEngine`
        local.py         for the check in a notebook: a function `outside`, which returns one for the notebook's device

A third-party package names its folder by an entry point of the group ``syncpoint.engines``.

There are two kinds.

**inside**: the engine's arrays live in the student's process.  ``inside/`` has a class `Engine`, an
:class:`InsideEngine`.  It makes and describes arrays, closes gates and writes the log; the probe's replies carry all of
this to the judge.  Whatever student code can reach, it can also falsify.

**process**: the arrays live in a separate process.  The judge has a socket to it that the student's process does not
have.  ``inside/`` is the front end: its class `Engine` makes arrays of handles and reports which handles the student's
function returned.  Values, log, gates and memory come from the :class:`OutsideEngine`; the student's side is not asked.

The separate process runs in its own sandbox, like the student's.  It is a fork of a server that has already
imported ``device/``.  There ``serve(front_end: int, judge: int, memory: int)`` is called with two inherited sockets and
the bytes that each device may allocate; it returns when both sockets are closed.  The student's kernel gets only the
other end of the first socket, by :meth:`InsideEngine.connect`.

For both kinds, devices are numbers (0 is the host), arrays are numbered within one log, gates have labels, and no
answer depends on a clock.
"""

from __future__ import annotations

import importlib
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.errors import SyncpointError
from ..probe.inside_engine import Guarded, InsideEngine, NoGates
from ..probe.serialization import Device, EngineArray, Handle, Moment
from ..probe.trace import Event
from .find import Engine

__all__ = [
    "LAUNCH_QUEUE",
    "Device",
    "EngineArray",
    "EngineGone",
    "Event",
    "Guarded",
    "Handle",
    "InsideEngine",
    "Memory",
    "Moment",
    "NoGates",
    "NotReplayed",
    "OutsideEngine",
    "Replay",
    "TooMuch",
    "outside_of",
]


LAUNCH_QUEUE = "launch queue"  # the target of a wait because it is full: code that never waits has these as well


class EngineGone(SyncpointError):
    """The engine's process has ended, does not respond, or sent an invalid message."""


class TooMuch(SyncpointError):
    """A value is larger than the judge accepts."""


@dataclass(frozen=True)
class Memory:
    """The memory that one device has allocated for arrays, in bytes.

    Attributes:
        before: The bytes of arrays that existed when the call began.
        made: The bytes allocated in the call and still allocated when it returned.  Older memory counts from the moment
            at which the call writes to it; freeing older memory changes nothing.
        peak: The maximum of ``made`` during the call.
        pinned: The bytes of page-locked host memory, 0 if there is none.
        missing: The bytes of older arrays that took memory from the call, because the device was full.
    """

    before: int
    made: int
    peak: int
    pinned: int = 0
    missing: int = 0


class NotReplayed(SyncpointError):
    """A call did too much to be replayed."""


@dataclass(frozen=True)
class Replay:
    """A call that the engine has replayed, without the student's process.

    Attributes:
        values: The values of each array to read.
        host_values: Values that the host read in the call, each with the one that it reads in the replay.
        fits: Whether the replay is meaningful: the same commands reproduce the call's results with its own inputs, and
            they can run with the new inputs.
    """

    values: list[np.ndarray]
    host_values: list[tuple[np.ndarray, np.ndarray]]
    fits: bool


class OutsideEngine(ABC):
    """The judge's end of an engine in another process.  Trusted: it runs in the judge, and imports no engine.

    Each kernel has one such object and one engine process; both end together.  ``judge`` is the socket.  Every method
    raises EngineGone if the process has ended or does not answer; after that, no more requests are possible.  When a
    method returns, everything that the student's side sent before has arrived.

    :meth:`finish` comes before the calls of an exercise.  The steps of a call are :meth:`begin`, :meth:`put`,
    :meth:`hold`, the student's code, :meth:`fence`, questions about the time while gates were closed (:meth:`pending`,
    :meth:`is_ready`), :meth:`release`, questions about the whole call, and :meth:`resume`.
    """

    calls = 0
    """How many have begun; only the last one can be replayed."""

    @abstractmethod
    def __init__(self, judge: socket.socket):
        """Take the judge's socket."""

    @abstractmethod
    def close(self) -> None:
        """Release the process.  Never raises."""

    def ended(self) -> str:
        """Return why the student's side is ignored from now on: it sent an invalid message, or too many.

        Returns:
            The reason; "" while it is connected.
        """
        return ""

    @abstractmethod
    def resume(self) -> None:
        """Open every gate and read the student's side, between calls."""

    @abstractmethod
    def finish(self, seconds: float) -> None:
        """Finish older work before the calls of an exercise, or drop it after a time limit.

        Raises:
            TimeoutError: If the running work does not end in the same time again.
        """

    @abstractmethod
    def begin(self, seconds: float) -> None:
        """Begin a call: do as `resume`, then wait until all is done, and begin a new log.

        Raises:
            TimeoutError: After this many seconds.
        """

    @abstractmethod
    def put(self, array: EngineArray) -> Handle:
        """Put a computed array with these values, and its gradient, on its device.

        In the log of the call, arrays that were put for it have the numbers 1, 2, ..., in the order of these calls.

        Args:
            array: Values of any shape, with a type whose kind is one of "biuf", and the number of the device.

        Returns:
            Its handle, from which the front end makes a student's argument.

        Raises:
            ValueError: If there is no such device.
        """

    @abstractmethod
    def hold(self, arrays: Sequence[tuple[str, Handle]], results: bool, unrelated: bool) -> None:
        """Close gates; a wait of the student's side opens exactly those that it needs.

        Args:
            arrays: Gates before all work that uses one of these, with their labels.
            results: A gate on each operation.
            unrelated: A gate of the label "unrelated" that only a wait for everything opens.
        """

    @abstractmethod
    def fence(self, seconds: float) -> None:
        """Stop reading the student's side until `resume`: messages of its threads come too late.

        Waits until nothing more can run with the current gates.

        Raises:
            TimeoutError: If the engine does not finish in time.
        """

    @abstractmethod
    def pending(self) -> tuple[str, ...]:
        """The labels of the gates that are still closed."""

    @abstractmethod
    def is_ready(self, handle: Handle) -> bool:
        """Whether an array was computed at the fence while the closed gates stayed closed."""

    @abstractmethod
    def release(self, seconds: float) -> str | None:
        """Open every gate and wait for all work; return the first operation that failed, or None.

        Args:
            seconds: Wall-clock time that it may take.

        Returns:
            The first failure, or None.

        Raises:
            TimeoutError: If the engine does not finish in time.
        """

    @abstractmethod
    def read(self, handles: Sequence[Handle], limit: int) -> list[EngineArray | Moment]:
        """Read the engine's arrays and events.

        Args:
            handles: Handles of arrays or events.
            limit: How many bytes of arrays may be read. An array and its gradient must each fit into the rest of the
                limit, but only the larger one is counted.

        Returns:
            The content of each array, in the shape of its layout, with its gradient and its number in the log; or the
            time of the event.

        Raises:
            ValueError: If a handle names neither.
            TooMuch: If the values are larger than the limit.
        """

    @abstractmethod
    def log(self, lines: Iterable[tuple[int, int]] = ()) -> tuple[Event, ...]:
        """Return the events from `begin` to the fence, in the order of arrival. Seconds are by the engine's clock.

        A log that is too long ends with an event of the kind "overflow".

        Args:
            lines: The student's side's data on which line of a cell enqueued what: numbers of commands, and the line
                from each on. They are only for people.
        """

    def replay(
        self,
        values: Mapping[int, np.ndarray],
        host: Sequence[tuple[np.ndarray, np.ndarray]],
        read: Sequence[Handle],
        through: Sequence[int],
        seconds: float,
    ) -> Replay:
        """Replay the last call on other inputs; nothing that the student's side sees changes.

        Args:
            values: New values for arrays that were put for the call, by their numbers in its log.
            host: Pairs of a host array that student code got, and its replacement.
            read: The arrays to read.
            through: Places in the log. If given, only the results of these operations are those for the new inputs.
            seconds: A limit of wall-clock time.

        Raises:
            NotReplayed: If there was too much to keep, or the engine failed.
            TimeoutError: If it takes longer.
        """
        return Replay([], [], fits=False)

    @abstractmethod
    def memory(self) -> dict[int, Memory]:
        """Return the memory of each device, by its number."""


def outside_of(engine: Engine) -> type[OutsideEngine]:
    """Import the class ``Outside``, the judge's end of an engine of the kind "process".

    Raises:
        ImportError: If the module is missing, or its Outside is not an OutsideEngine.
    """
    found: type[OutsideEngine] = importlib.import_module(f"{engine.module}.outside").Outside
    if not issubclass(found, OutsideEngine):
        raise ImportError(f"the Outside of {engine.name} is not an OutsideEngine")
    return found
