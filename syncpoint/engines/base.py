"""The contract of an engine: the content of a folder of ``syncpoint/engines/``, and the judge's interface to it.

    syncpoint/engines/<name>/
        engine.toml      title, kind, Python, requirements, variables, words: see `Engine` in find.py
        requirements.txt pinned and hashed; student.txt the same for what students install, if they install anything
        inside/          what is mounted beside the probe, and nothing else of the folder: a package of plain modules

    and of an engine in another process
        device/          what is mounted in that process's sandbox: a package with a function `serve`, see below
        outside.py       the judge's end: a class `Outside`, an :class:`OutsideEngine`

A third-party package names its folder by an entry point of the group ``syncpoint.engines``.

There are two kinds.

**inside**: the engine's arrays live in the student's process.  ``inside/`` has a class `Engine`, an
:class:`InsideEngine`: it makes and describes arrays, closes gates and feeds the log, and all of it crosses in the
replies of the probe.  What it says is a student's word, as far as student code can reach it.

**process**: the arrays live in a process of their own, to which the judge has a socket that the student's process has
not.  ``inside/`` is the front end's half: it makes arrays of handles and says which handles the student's function
returned, and again has a class `Engine`; but values, log, gates and memory are the :class:`OutsideEngine`'s, and what
the student's side says of them is not even asked for.

That process is a fork of a server which has imported ``device/`` already, in a sandbox like the student's and apart
from it.  ``serve(front_end: int, judge: int, memory: int)`` is called in it with two inherited sockets, and with the
bytes that each device may give out; it returns when both are closed.  The student's kernel gets the other end of the
first one alone, by :meth:`InsideEngine.connect`.

In both, devices are numbers (0 is the host), arrays are numbered within one log, gates have labels, and no answer hangs
on a clock.
"""

from __future__ import annotations

import importlib
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.errors import SyncpointError
from ..probe.contract import Guarded, InsideEngine, NoGates
from ..probe.serialization import Device, EngineArray, Handle, Moment
from ..probe.trace import Event
from .find import Engine

__all__ = [
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


class EngineGone(SyncpointError):
    """The engine's process has ended, does not respond, or sent an invalid message."""


class TooMuch(SyncpointError):
    """A value is larger than the judge accepts."""


@dataclass(frozen=True)
class Memory:
    """The memory that one device has allocated for arrays, in bytes.

    Attributes:
        before: Of those that were there when the call began.
        made: In the call, and still there when it returned; peak: the most of that.  What is older does not count
            there, also where it is freed in between; but from when the call writes it, it does.
        pinned: Of the host's memory that the devices read by themselves, 0 where there is no such thing.
        missing: Of those that were there when the call began, the ones that took room from it: the device was full.
    """

    before: int
    made: int
    peak: int
    pinned: int = 0
    missing: int = 0


class NotReplayed(SyncpointError):
    """A call did too much to be run once more."""


@dataclass(frozen=True)
class Replay:
    """A call that the engine has run once more, without the student's process.

    Attributes:
        values: Of each array that was to be read.
        host_values: Values that the host read in the call, each with the one that it reads in the replay.
        fits: Whether it says anything: with the call's own inputs the same commands give the call's own results, and
            with the others they can be done.
    """

    values: list[np.ndarray]
    host_values: list[tuple[np.ndarray, np.ndarray]]
    fits: bool


class OutsideEngine(ABC):
    """The judge's end of an engine in another process.  Trusted: it runs in the judge, and imports no engine.

    Made with one process for one kernel; both end together.  ``judge`` is its socket.  Every method raises EngineGone
    where that process has ended or does not answer; afterwards nothing more can be asked.  All that the student's side
    had sent before a call here is there when the call is answered.

    Before the calls of an exercise comes :meth:`finish`.  The order of a call: :meth:`begin`, :meth:`put`,
    :meth:`hold`, the student's code, :meth:`fence`, what it did while gates were closed (:meth:`pending`,
    :meth:`is_ready`), :meth:`release`, what it did at all, and :meth:`resume`.
    """

    calls = 0
    """How many have begun; only the last one can be run once more."""

    @abstractmethod
    def __init__(self, judge: socket.socket):
        """Take the judge's socket."""

    @abstractmethod
    def close(self) -> None:
        """Release the process.  Never raises."""

    def ended(self) -> str:
        """Return why the student's side is ignored for good: it sent an invalid message, or too many.

        Returns:
            The reason; "" as long as it is connected.
        """
        return ""

    @abstractmethod
    def resume(self) -> None:
        """Open every gate and read the student's side, between calls."""

    @abstractmethod
    def finish(self, seconds: float) -> None:
        """Finish older work before the calls of an exercise, or give it up after a time limit.

        Raises:
            TimeoutError: If even what ran by then does not end in as many seconds again.
        """

    @abstractmethod
    def begin(self, seconds: float) -> None:
        """A new call: as `resume`, then wait until all is done, and begin a new log.

        Raises:
            TimeoutError: After so many seconds.
        """

    @abstractmethod
    def put(self, array: EngineArray) -> Handle:
        """An array of these values (kind of type in "biuf", any shape) on its device, computed, and its gradient.

        In the log of the call the arrays that were put for it have the numbers 1, 2, ..., in the order of these calls.

        Args:
            array: Values of any shape, of a type whose kind is one of "biuf", and the number of the device.

        Returns:
            Its handle, of which the front end makes a student's argument.

        Raises:
            ValueError: If there is no such device.
        """

    @abstractmethod
    def hold(self, arrays: Sequence[tuple[str, Handle]], results: bool, unrelated: bool) -> None:
        """Close gates until the student's side waits for what they hold: a wait opens exactly what it needs.

        Args:
            arrays: Gates before whatever uses one of these, with their labels.
            results: A gate on each operation.
            unrelated: A gate of the label "unrelated" that only a wait for everything opens.
        """

    @abstractmethod
    def fence(self, seconds: float) -> None:
        """Stop reading the student's side until `resume`: messages of its threads come too late.

        Waits until nothing can run any more with the gates as they are.

        Raises:
            TimeoutError: If the engine does not come to an end in time.
        """

    @abstractmethod
    def pending(self) -> tuple[str, ...]:
        """The labels of the gates that are still closed."""

    @abstractmethod
    def is_ready(self, handle: Handle) -> bool:
        """Whether an array was computed at the fence, although the closed gates stayed closed."""

    @abstractmethod
    def release(self, seconds: float) -> str | None:
        """Open every gate and wait until everything is computed; the first operation that failed, or None.

        Args:
            seconds: Wall-clock time that it may take.

        Returns:
            The first failure, or None.

        Raises:
            TimeoutError: If the engine does not come to an end in time.
        """

    @abstractmethod
    def read(self, handles: Sequence[Handle], limit: int) -> list[EngineArray | Moment]:
        """Read arrays and events of the engine's.

        Args:
            handles: Of either.
            limit: Bytes of arrays that may be read. An array and its gradient must both fit in what is left; then only
                the larger one is counted.

        Returns:
            What each array holds, of the shape of its layout, with its gradient and its number in the log; or when the
            event happened.

        Raises:
            ValueError: If a handle names neither.
            TooMuch: If the values are larger than the limit.
        """

    @abstractmethod
    def log(self, lines: Iterable[tuple[int, int]] = ()) -> tuple[Event, ...]:
        """Return the events from `begin` to the fence, in the order of arrival.  Seconds are of the engine's clock.

        A log that is too long ends with an event of the kind "overflow".

        Args:
            lines: Which line of a cell has enqueued what, as the student's side says: numbers of commands, and the line
                from each on. It is only for people.
        """

    def replay(
        self,
        values: Mapping[int, np.ndarray],
        host: Sequence[tuple[np.ndarray, np.ndarray]],
        read: Sequence[Handle],
        through: Sequence[int],
        seconds: float,
    ) -> Replay:
        """Run the last call once more on other inputs; nothing that the student's side sees changes.

        Args:
            values: Of the arrays that were put for the call, by their numbers in its log, those that change.
            host: Arrays of the host's that student code got, and what stands for them.
            read: What to read.
            through: Places in the log: then only the results of these operations are those for the other inputs.
            seconds: Wall-clock time that it may take.

        Raises:
            NotReplayed: If there was too much to keep, or the engine broke down.
            TimeoutError: If it takes longer.
        """
        return Replay([], [], fits=False)

    @abstractmethod
    def memory(self) -> dict[int, Memory]:
        """Return the memory of each device, by its number."""


def outside_of(engine: Engine) -> type[OutsideEngine]:
    """Import the class ``Outside``, the judge's end of an engine of the kind "process".

    Raises:
        ImportError: If the module is not there, or its Outside is no OutsideEngine.
    """
    found: type[OutsideEngine] = importlib.import_module(f"{engine.module}.outside").Outside
    if not issubclass(found, OutsideEngine):
        raise ImportError(f"the Outside of {engine.name} is no OutsideEngine")
    return found
