"""The interface of an engine inside the student's process for the probe.

An engine's package ``inside`` has a class `Engine` that is derived from :class:`InsideEngine`, and is made once, before
any student code.  Python 3.9, the standard library, NumPy, the engine, and of the probe the plain types of
:mod:`.serialization` and :mod:`.trace`: nothing else is there.  The judge's half stands in
``syncpoint/engines/base.py``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from .serialization import Device, EngineArray, Handle
from .trace import Gate, Trace


class NoGates(NotImplementedError):
    """The grader asked to hold work back, and this engine has nothing that could be held: the grader's mistake."""


@dataclass(frozen=True)
class Guarded:
    """The parts of an engine that the integrity monitor watches: replacing them could change what the judge sees.

    Attributes:
        modules: Names of modules, of which no function, class or module may be bound to something else.
        classes: Module -> classes in it whose methods may not.
        namespaces: Further tables of functions, by what the report of an act calls them.
        variables: How names of environment variables begin that the engine reads.
        free: Of these, the ones that a notebook may set.
        library: What is part of the path of the engine's own library, or "".
        symbols: How names of its functions begin.
    """

    modules: tuple[str, ...] = ()
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    library: str = ""
    symbols: tuple[str, ...] = ()


class InsideEngine(ABC):
    """An engine's half in the student's process: all of it, or the front end of an engine in a process of its own.

    Of such a front end the judge asks for arrays and devices alone: gates, waits and the log are its own affair.

    Arrays are the engine's own objects ("array" below).  What the judge sends and sees are an `EngineArray` (values of
    any shape, of a type of NumPy's whose kind is one of "biuf"; the gradient has the shape of the values) and a
    `Device` (0 is the host; 1, 2, ... are the engine's).  Unless it says so a method never waits for the engine, and
    raises nothing.

    The methods with a body are for gates and the log: an engine without them leaves them as they are, and a grader that
    asks for a gate is told that there is none.
    """

    @abstractmethod
    def array(self, array: EngineArray, interface: str = "") -> Any:
        """An array of the given values on the given device, computed, with the gradient buffer it asks for.  May wait.

        Args:
            array: Values of any shape, the number of the device, and the gradient or None.
            interface: Which of the engine's kinds of arrays; "" is the first.

        Raises:
            KeyError: For an interface that the engine does not have.
        """

    @abstractmethod
    def device(self, device: Device) -> Any:
        """The engine's own object for a device, as a student's function expects it."""

    @abstractmethod
    def is_array(self, value: Any) -> bool:
        """Whether ``value`` is an array of this engine.  ``value`` may be of a class of the student's that lies."""

    @abstractmethod
    def describe(self, value: Any, with_gradient: bool = True) -> Optional[Any]:
        """Return the plain form of an engine's object.

        Of a front end, for what lies in the engine's process, a `Handle`.

        An array is fixed as it is at this moment, also if it is still to be computed: its values are a
        :class:`~probe.serialization.Later` then, which waits when it is read.  A plain form that was made here since
        `begin` is one already; one that student code has made is not.

        Args:
            value: Anything; perhaps of a class of the student's.
            with_gradient: Whether the gradient buffer is wanted, too.

        Returns:
            An `EngineArray`, a `Handle` for an array in another process, or a `Device`; None for what is not the
            engine's.
        """

    def lines(self) -> list[tuple[int, int]]:
        """Which lines of cells have enqueued what since `begin`: numbers of commands, and the line from each on."""
        return []

    def keep(self, array: Any) -> Any:
        """Return what an array of the judge's is known by, whatever student code does to the object that it gets.

        Args:
            array: The engine's own, just made.

        Returns:
            Something that :meth:`describe` takes for an array, and that student code never gets.
        """
        return array

    def is_still(self, array: Any, copy: Any) -> bool:
        """Whether an object is the array that was stored with `keep`.

        Args:
            array: Anything; perhaps an array into which student code has put the memory of another one.
            copy: What :meth:`keep` returned.
        """
        return array is copy

    def connect(self, front_end: int) -> None:
        """The kernel of a notebook begins: an open socket to the engine's process.  For a front end alone."""
        raise NotImplementedError("this engine has no process of its own")

    def adopt(self, handle: Handle) -> Any:
        """An array that the judge has put into the engine's process.  For a front end alone."""
        raise NotImplementedError("this engine has no process of its own")

    def mark(self, kind: str, label: str) -> None:  # noqa: B027  # the trace in this process has it already
        """A scenario leaves a mark in the log.  A front end sends it to the log of its engine's process."""

    def begin(self) -> None:  # noqa: B027  # an engine may have nothing to do
        """A new request: forget what was made for the last one, and release what it may have left behind."""

    @abstractmethod
    def wait_all(self) -> None:
        """Wait until everything is computed.  Raises the error of a failed operation."""

    def is_ready(self, trace: Trace, array: EngineArray) -> Optional[bool]:
        """Whether an array is computed although the gates stay closed.

        Uses no clock.

        Args:
            trace: Whose gates stay closed.
            array: What :meth:`describe` made.

        Returns:
            True or False; None where nobody can tell.
        """
        return True

    def is_settled(self, array: Any) -> bool:
        """Whether ``array`` is computed although all closed gates stay closed.  Uses no clock."""
        return True

    def close_gate(self, trace: Trace, array: Any, label: str, unrelated: bool = False) -> Gate:
        """Keep ``array`` pending until the returned gate opens.  ``unrelated`` work is the last to be released.

        The trace gets the gate by :meth:`~probe.trace.Trace.add`.  Student code that waits for the array opens it, and
        what else that wait needs.

        Args:
            trace: Gets the gate.
            array: The engine's own.
            label: What the log calls the gate.
            unrelated: Whether it is the last to be opened by a wait for everything.

        Raises:
            NoGates: If this engine holds nothing back.
        """
        raise NoGates("this engine computes at once: nothing of it can be held back")

    def withhold(self, trace: Trace, array: Any, values: np.ndarray, label: str) -> Gate:
        """Close a gate on a computed array, and where it can be done take its values away until the gate opens.

        Args:
            trace: Gets the gate.
            array: The engine's own, computed.
            values: Of the array's shape and type; what it holds when the gate opens.
            label: What the log calls the gate.

        Raises:
            NoGates: If this engine holds nothing back.
        """
        return self.close_gate(trace, array, label)

    def follow(self, trace: Trace, array: Any) -> None:  # noqa: B027  # without gates nobody asks
        """Record in ``trace`` that the array is computed by the judge."""

    def release(self, trace: Trace) -> None:
        """Open the gates that are still closed and wait for the engine.  Errors of student operations are ignored."""
        trace.end()

    @contextmanager
    def tracing(self, trace: Trace) -> Iterator[None]:
        """Record the code's calls of the engine in the trace until the block ends.

        A wait opens the gates that it needs before it begins.

        Args:
            trace: Hears of it by :meth:`~probe.trace.Trace.log`, while it is active.

        Raises:
            NoGates: For a trace with ``gate_results``, if the engine has no gates.
        """
        if trace.gate_results:
            raise NoGates("this engine computes at once: no result of it can be held back")
        yield

    def guarded(self) -> Guarded:
        """Return what the integrity monitor watches.  Called once, after loading the engine and before student code."""
        return Guarded()
