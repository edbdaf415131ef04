"""What tests are written with, hidden and visible ones: arguments, what was seen, and words for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..engines.words import words
from ..probe.serialization import Device, EngineArray, Opaque
from ..probe.trace import Event
from .observation import ForStudent, Log

# Words that lead a student to the line.  The engine has its own for what is its own.
HIDDEN_WAIT = "an operation that must know the numbers first, such as a boolean mask, nonzero or unique"
KINDS = {np.ndarray: "a NumPy array", type(None): "None"}


def array(values: Any, device: int = 0, gated: bool = False, gradient: Any = None, dtype: Any = None) -> EngineArray:
    """Return an argument that becomes an engine array; float32 where numpy has float64.

    Args:
        values: Of any shape.
        device: The number of its device; 0 is the host.
        gated: Whether it stays pending until the student's code waits for something that needs it.
        gradient: Values, of the same shape, of the gradient buffer it gets.
        dtype: The one it gets, if not the one of ``values``.
    """
    values = np.asarray(values)
    dtype = dtype or (np.float32 if values.dtype == np.float64 else values.dtype)
    values = values.astype(dtype)
    if gradient is not None:
        gradient = np.broadcast_to(np.asarray(gradient, dtype=dtype), values.shape)
    return EngineArray(values, device, gated, gradient)


@contextmanager
def saw(sentence: str, log: Iterable[Event] = (), missing_wait: bool = False) -> Iterator[None]:
    """What the student's code did, in a sentence that they read if an assertion in the block fails.

    It may name counts, kinds, devices and waits; never an input or an expected value.  Of nested blocks the inner one
    counts.

    Args:
        sentence: What was seen, in plain words.
        log: The events of which the order decides; the report draws them below the sentence, and marks the wait that
            held the code up.
        missing_wait: The test asks for a wait that is not there, so none is marked.

    Raises:
        AssertionError: That of the block, with the sentence for the student.
    """
    try:
        yield
    except AssertionError as failed:
        notes = getattr(failed, "__notes__", [])  # as Python 3.11 keeps them
        failed.__notes__ = [*notes, ForStudent(sentence, Log(tuple(log), missing_wait))]
        raise


# --- words for such sentences -------------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """The kind of a value in the student's words, without the value: "a NumPy array", "a list of 3"."""
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name[:40]}"
    if isinstance(value, int) and not is_number(value):
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, (EngineArray, Device)):
        return words().array if isinstance(value, EngineArray) else words().device
    return KINDS.get(type(value)) or f"a value of type {type(value).__name__}"


def is_number(value: Any) -> bool:
    """Whether a value is one number of Python or NumPy, and of a size that the hardware has a number for."""
    kinds = int, float, np.number, np.ndarray
    return isinstance(value, kinds) and np.ndim(value) == 0 and np.asarray(value).dtype.kind in "biuf"


def first_wait(events: Iterable[Event]) -> str:
    """Where the code first waited for unfinished work, in the student's words; "nowhere" if it never did."""
    for event in events:
        if event.opened:
            if event.hidden:
                return HIDDEN_WAIT
            return words().host_copy if event.target == "host copy" else event.label
    return "nowhere"


def mixed(operations: Sequence[Event]) -> str:
    """Operations that mixed devices, in the student's words."""
    if not operations:
        return "Operations that mixed devices: 0."
    return f"Operations that mixed devices: {len(operations)}. The first: {operations[0].label}."
