"""The contract of an engine: what a folder of ``syncpoint/engines/`` holds, and what the judge asks of it.

    syncpoint/engines/<name>/
        engine.toml      title, kind, Python, requirements, variables, words: see `Engine` in find.py
        requirements.txt pinned and hashed; it may lie elsewhere, engine.toml says where
        inside/          what is mounted beside the probe, and nothing else of the folder: a package of plain modules
        outside.py       of an engine in another process alone: a class `Outside`, see :class:`OutsideEngine`

A package of somebody else's names its folder by an entry point of the group ``syncpoint.engines``.

There are two kinds.

**inside**: the engine's arrays live in the student's process.  ``inside/`` has a class `Engine`, an
:class:`InsideEngine`: it makes and describes arrays, closes gates and feeds the log, and all of it crosses in the
replies of the probe.  What it says is a student's word, as far as student code can reach it.

**process**: the arrays live in a process of their own, which the judge starts and to which it has a socket that the
student's process has not.  ``inside/`` is the front end's half: it makes handles of numbers and says which handles the
student's function returned, and again has a class `Engine`; but values, log, gates and memory are the
:class:`OutsideEngine`'s, and what the student's side says of them is not even asked for.

In both, devices are numbers (0 is the host), arrays are numbered within one log, gates have labels, and no answer hangs
on a clock.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.errors import SyncpointError
from ..probe.contract import Guarded, InsideEngine, NoGates
from ..probe.serialization import Device, EngineArray
from ..probe.trace import Event

__all__ = [
    "Device",
    "EngineArray",
    "EngineGone",
    "Event",
    "Guarded",
    "Handle",
    "InsideEngine",
    "Memory",
    "NoGates",
    "OutsideEngine",
]


class EngineGone(SyncpointError):
    """The engine's process has ended, or says what is no message: nothing more is known of this call."""


@dataclass(frozen=True)
class Handle:
    """An array in the engine's process, as the student's side names it: numbers, and nothing that is believed.

    storage: the number of its memory.  layout: what the engine needs to read an array there: type, sizes, strides,
    offset; plain data.  The engine checks both before it reads.
    """

    storage: int
    layout: tuple[object, ...] = ()


@dataclass(frozen=True)
class Memory:
    """What one device has given out, in bytes.

    allocated, peak: of arrays, now and at most since the last :meth:`OutsideEngine.begin`.  pinned: of the host's
    memory that the device reads by itself, 0 where there is no such thing.
    """

    allocated: int
    peak: int
    pinned: int = 0


class OutsideEngine(ABC):
    """The judge's end of an engine in another process.  Trusted: it runs in the judge, and imports no engine.

    Made with one process for one kernel; both end together.  Every method raises EngineGone where that process has
    ended.  All that the student's side had sent before a call here is there when the call is answered, so what had been
    enqueued when a function returned is exact.
    """

    # --- its process --------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def command(cls, python: str, front_end: int, judge: int) -> Sequence[str]:
        """The command line of the engine's process, which gets a sandbox of its own: no network, limits of memory.

        python: of the engine's environment, as it is called in there.  front_end, judge: inherited sockets.  The
        student's kernel gets the other end of the first alone.
        """

    @classmethod
    @abstractmethod
    def front_end_variables(cls, front_end: int) -> dict[str, str]:
        """Environment variables by which the package in the kernel finds its socket, ``front_end``."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the process.  Never raises."""

    # --- arrays -------------------------------------------------------------------------------------------------

    @abstractmethod
    def put(self, array: EngineArray) -> Handle:
        """An array of these values (kind of type in "biuf", any shape) on this device, computed.

        The front end makes a student's argument of the handle.  Raises ValueError for a device that is not there.
        """

    @abstractmethod
    def values(self, handle: Handle) -> np.ndarray | None:
        """What an array holds now, of the shape of its layout; None as long as it is to be computed.  Does not wait.

        Raises ValueError for a handle that names no array.
        """

    # --- readiness, gates ---------------------------------------------------------------------------------------

    @abstractmethod
    def begin(self, hold: bool) -> None:
        """A new call: open every gate, wait until all is done, and begin a new log.

        hold: from now on nothing runs until the student's side waits for it, and then just what that wait needs.
        """

    @abstractmethod
    def hold(self, arrays: Sequence[Handle] = (), labels: Sequence[str] = (), device: int | None = None) -> None:
        """Close a gate: before whatever reads one of these arrays, has one of these labels, or goes to this device."""

    @abstractmethod
    def release(self) -> None:
        """Open every gate.  What failed does not raise here: it stands in the log."""

    @abstractmethod
    def is_ready(self, handle: Handle) -> bool:
        """Whether an array is computed although the closed gates stay closed, and nothing more can run meanwhile."""

    @abstractmethod
    def wait_all(self, seconds: float) -> str | None:
        """Open every gate and wait until everything is computed, for so long at most; the first failure, or None.

        Raises TimeoutError.
        """

    # --- what happened ------------------------------------------------------------------------------------------

    @abstractmethod
    def log(self) -> tuple[Event, ...]:
        """What happened since `begin`, in the order of arrival.  Seconds are of the engine's clock."""

    @abstractmethod
    def memory(self, device: int) -> Memory:
        """What a device has given out.  Raises ValueError for one that is not there."""
