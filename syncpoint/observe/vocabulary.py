"""The vocabulary of hidden and visible tests: arguments, observations, and words for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core.errors import TemplateError
from ..core.language import ENGLISH, speaking
from ..core.messages import Message, listed, message
from ..core.messages import words as in_words
from ..engines.terms import terms
from ..probe.serialization import Device, EngineArray, Opaque
from ..probe.trace import Event
from .observation import ForStudent, Log

# Words that help a student find the line. An engine has its own words for its own objects.
HIDDEN_WAIT = message("an operation that must know the numbers first, such as a boolean mask, nonzero or unique")
NUMPY_ARRAY = message("a NumPy array")
# beginnings of an engine's names of races; the older operation follows
AGAIN, BESIDE = "memory allocated again under ", "beside "


def array(
    values: Any, device: int = 0, gated: bool = False, gradient: Any = None, dtype: Any = None, look: bool = False
) -> EngineArray:
    """Return an argument that becomes an engine array; float64 becomes float32.

    Args:
        values: Values of any shape.
        device: The number of its device; 0 is the host.
        gated: Whether it stays pending until the student's code waits for something that needs it.
        gradient: The values of its gradient buffer, with the same shape.
        dtype: Its dtype, if not that of ``values``.
        look: Whether a scenario, and so also student code, may read its numbers without a wait.
    """
    values = np.asarray(values)
    dtype = dtype or (np.float32 if values.dtype == np.float64 else values.dtype)
    values = values.astype(dtype)
    if gradient is not None:
        gradient = np.broadcast_to(np.asarray(gradient, dtype=dtype), values.shape)
    return EngineArray(values, device, gated, gradient, look=look)


@contextmanager
def saw(
    template: str | Message, /, log: Iterable[Event] = (), missing_wait: bool = False, **values: Any
) -> Iterator[None]:
    """Show the student a sentence about their code if an assertion in the block fails.

    It may name counts, kinds, devices and waits; never an input or an expected value.  If blocks are nested, the inner
    one counts.

    Args:
        template: What was observed, in plain words: a literal with placeholders, ``saw("Waits: {count}.", count=2)``,
            or a ``message``.
        log: The events whose order decides.  The report draws them below the sentence and marks the wait that stopped
            the code.
        missing_wait: Whether the test requires a wait that is missing; then no wait is marked.
        **values: The values of the placeholders: texts, numbers or messages.  They are shown as they are.

    Raises:
        AssertionError: That of the block, with the sentence for the student.
        TemplateError: If the placeholders and the values differ, whether or not the block fails.
    """
    if isinstance(template, Message) and values:
        raise TemplateError(f"{template.code!r} is filled already: give its values to message()")
    seen = template if isinstance(template, Message) else message(template, **values)
    try:
        yield
    except AssertionError as failed:
        notes = getattr(failed, "__notes__", [])
        with speaking(ENGLISH):
            failed.__notes__ = [*notes, ForStudent(seen, Log(tuple(log), missing_wait))]
        raise


def kind_of(value: Any) -> Message:
    """Return a value's kind in the student's words, without the value: "a NumPy array", "a list of 3"."""
    if isinstance(value, (list, tuple, dict)):
        return message("a {type} of {count}", type=type(value).__name__, count=len(value))
    if isinstance(value, Opaque):
        return message("an object of type {type}", type=value.type_name[:40])
    if isinstance(value, int) and not is_number(value):
        return message("a number of {bits} bits", bits=value.bit_length())
    if isinstance(value, (EngineArray, Device)):
        return in_words(terms().array if isinstance(value, EngineArray) else terms().device)
    if value is None or isinstance(value, np.ndarray):
        return in_words("None") if value is None else NUMPY_ARRAY
    return message("a value of type {type}", type=type(value).__name__)


def joined(parts: Iterable[Message | str], commas: bool = False) -> Message:
    """Join several things: "a NumPy array and None", or with commas "batch 1, batch 2"."""
    first, *others = [part if isinstance(part, Message) else in_words(part) for part in parts] or [in_words("")]
    if commas:
        return listed([first, *others])
    for part in others:
        first = message("{first} and {second}", first=first, second=part)
    return first


def is_number(value: Any) -> bool:
    """Whether a value is one Python or NumPy number that fits a hardware type."""
    kinds = int, float, np.number, np.ndarray
    return isinstance(value, kinds) and np.ndim(value) == 0 and np.asarray(value).dtype.kind in "biuf"


def first_wait(events: Iterable[Event]) -> Message:
    """Return where the code first waited for unfinished work, in the student's words; "none" if it never did."""
    for event in events:
        if event.opened:
            if event.hidden:
                return HIDDEN_WAIT
            return in_words(terms().host_copy if event.target == "host copy" else event.label)
    return message("none")


def mixed(operations: Sequence[Event]) -> Message:
    """Return the operations that mixed devices, in the student's words."""
    if not operations:
        return message("Operations that mixed devices: 0.")
    return message(
        "Operations that mixed devices: {count}. The first: {first}.", count=len(operations), first=operations[0].label
    )


def race(event: Event) -> Message:
    """Describe a "race" event in the student's words: "at the same time as mm in line 7"."""
    if event.label.startswith(AGAIN):
        return message("memory allocated again while {operation} may still use it", operation=named(event, AGAIN))
    if event.label.startswith(BESIDE):
        return message("at the same time as {operation}", operation=named(event, BESIDE))
    return in_words(event.label)


def named(event: Event, before: str = "") -> Message:
    """Return ``before`` and an operation's label, with the student's line that enqueued it: "mm in line 7"."""
    name = in_words(event.label.removeprefix(before))
    return message("{operation} in line {line}", operation=name, line=event.line) if event.line else name
