"""The interface of an engine inside the student's process for the probe.

An engine's package ``inside`` has a class `Engine`, a subclass of :class:`InsideEngine`, which is made once, before any
student code runs.  It may use Python 3.9, the standard library, NumPy, the engine, and the probe's plain types in
:mod:`.serialization` and :mod:`.trace`; nothing else exists there.  The judge's half is in
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
    """The grader asked to hold work back, but this engine has no gates: the grader's mistake."""


@dataclass(frozen=True)
class Guarded:
    """The parts of an engine that the integrity monitor watches: replacing them could change what the judge sees.

    Attributes:
        modules: Names of modules whose functions, classes and modules must not be rebound.
        classes: Module -> classes in it whose methods must not be rebound.
        namespaces: Further tables of functions, by their name in the report of an act.
        variables: The prefixes of environment variables that the engine reads.
        free: Those of them that a notebook may set.
        library: A part of the path of the engine's own library, or "".
        symbols: The prefixes of its functions' names.
    """

    modules: tuple[str, ...] = ()
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    library: str = ""
    symbols: tuple[str, ...] = ()


class InsideEngine(ABC):
    """An engine's half in the student's process: the whole engine, or the front end of a separate process.

    From such a front end, the judge requests only arrays and devices; gates, waits and the log are in the engine's
    process.

    Arrays are the engine's own objects ("array" below).  The judge sends and receives an `EngineArray` (values of any
    shape, with a NumPy type whose kind is one of "biuf"; the gradient has the shape of the values) and a `Device` (0 is
    the host; 1, 2, ... are the engine's).  Unless its docstring says so, a method never waits for the engine and raises
    nothing.

    The methods with a body are for gates and the log.  An engine without gates does not override them; a grader that
    asks for a gate then gets an error.
    """

    @abstractmethod
    def array(self, array: EngineArray, interface: str = "") -> Any:
        """Return a computed array with these values and the requested gradient buffer on the device. May wait.

        Args:
            array: Values of any shape, the number of the device, and the gradient or None.
            interface: Which of the engine's kinds of arrays; "" is the first.

        Raises:
            KeyError: For an interface that the engine does not have.
        """

    @abstractmethod
    def device(self, device: Device) -> Any:
        """Return the engine's object for a device, as a student's function expects it."""

    @abstractmethod
    def is_array(self, value: Any) -> bool:
        """Whether ``value`` is an array of this engine. ``value`` may be an instance of a student's class that lies."""

    @abstractmethod
    def describe(self, value: Any, with_gradient: bool = True) -> Optional[Any]:
        """Return the plain form of an engine's object.

        A front end returns a `Handle` for an array that is in the engine's process.

        The plain form has the array's content at this moment, even if it is not computed yet: then its values are a
        :class:`~probe.serialization.Later`, which waits when it is read.  A plain form that was made here since `begin`
        is returned as it is; one that student code made counts as unknown.

        Args:
            value: Anything, possibly an instance of a student's class.
            with_gradient: Whether to include the gradient buffer.

        Returns:
            An `EngineArray`, a `Handle` for an array in another process, or a `Device`; None for other objects.
        """

    def lines(self) -> list[tuple[int, int]]:
        """Return which lines of cells enqueued work since `begin`: numbers of commands, and the line from each on."""
        return []

    def keep(self, array: Any) -> Any:
        """Return an identity for an array of the judge that student code cannot change.

        Args:
            array: The engine's own, just made.

        Returns:
            An object that :meth:`describe` treats as an array, and that student code never gets.
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
        """Begin a notebook's kernel with an open socket to the engine's process. Only for front ends."""
        raise NotImplementedError("this engine has no process of its own")

    def adopt(self, handle: Handle) -> Any:
        """Return an array that the judge has put into the engine's process. Only for front ends."""
        raise NotImplementedError("this engine has no process of its own")

    def mark(self, kind: str, label: str) -> None:  # noqa: B027  # the trace in this process has it already
        """Leave a scenario's mark in the log. A front end sends it to its engine's process."""

    def begin(self) -> None:  # noqa: B027  # an engine may have nothing to do
        """Begin a request: forget the objects of the last one, and release the work it left."""

    @abstractmethod
    def wait_all(self) -> None:
        """Wait until everything is computed.  Raises the error of a failed operation."""

    def is_ready(self, trace: Trace, array: EngineArray) -> Optional[bool]:
        """Whether an array is computed while the gates stay closed.

        Uses no clock.

        Args:
            trace: The trace whose gates stay closed.
            array: The result of :meth:`describe`.

        Returns:
            True or False; None if unknown.
        """
        return True

    def is_settled(self, array: Any) -> bool:
        """Whether ``array`` is computed while all closed gates stay closed. Uses no clock."""
        return True

    def close_gate(self, trace: Trace, array: Any, label: str, unrelated: bool = False) -> Gate:
        """Keep ``array`` pending until the returned gate opens.  ``unrelated`` work is the last to be released.

        The trace gets the gate by :meth:`~probe.trace.Trace.add`.  When student code waits for the array, the gate
        opens, as do all other gates that the wait needs.

        Args:
            trace: Gets the gate.
            array: The engine's own array.
            label: The gate's name in the log.
            unrelated: Whether a wait for everything opens it last.

        Raises:
            NoGates: If this engine holds nothing back.
        """
        raise NoGates("this engine computes immediately: none of its work can be held back")

    def withhold(self, trace: Trace, array: Any, values: np.ndarray, label: str) -> Gate:
        """Close a gate on a computed array and, if possible, hide its values until the gate opens.

        Args:
            trace: Gets the gate.
            array: The engine's own, computed.
            values: The array's values when the gate opens, of its shape and type.
            label: The gate's name in the log.

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
        """Record the code's calls to the engine in the trace until the block ends.

        A wait opens the gates that it needs before it begins.

        Args:
            trace: Gets them by :meth:`~probe.trace.Trace.log`, while it is active.

        Raises:
            NoGates: For a trace with ``gate_results``, if the engine has no gates.
        """
        if trace.gate_results:
            raise NoGates("this engine computes immediately: none of its results can be held back")
        yield

    def guarded(self) -> Guarded:
        """Return what the integrity monitor watches.  Called once, after loading the engine and before student code."""
        return Guarded()
