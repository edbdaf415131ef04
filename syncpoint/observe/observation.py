"""Observations that the judge trusts: plain data about a student's call, checked when parsed."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.messages import Message
from ..core.strip import strip_control
from ..engines.base import LAUNCH_QUEUE, Memory
from ..engines.terms import terms
from ..probe.handlers import SPEAKING_ERRORS
from ..probe.serialization import EngineArray, decode
from ..probe.trace import Event
from .errors import BadReply, StudentError


class ForStudent(str):
    """A note for the student on a failed assertion; see :func:`syncpoint.graders.saw`.

    Attributes:
        message: The sentence as data.
        log: The log that it is about, for a picture.
    """

    message: Message
    log: Log

    def __new__(cls, message: Message, log: Log) -> ForStudent:
        """Make a note of this sentence."""
        note = super().__new__(cls, message)
        note.message, note.log = message, log
        return note


TARGETS = ("array", "all", "host copy", "operation", LAUNCH_QUEUE)  # possible targets of a wait
# A student's class may have any name, even one that repeats an input of a hidden test.
PYTHONS_ERRORS = {
    name for name, known in vars(builtins).items() if isinstance(known, type) and issubclass(known, BaseException)
}
MOST_LINES = 10_000  # of a cell; a larger number is no line
MOST_WORDS = 40  # characters of a wait's name, which comes from the student's side


@dataclass(frozen=True)
class Log:
    """The events whose order decided a test.

    Attributes:
        events: In their order.
        missing_wait: The code ran ahead or returned too early, so that none of its waits is to blame.
    """

    events: tuple[Event, ...] = ()
    missing_wait: bool = False


@dataclass(frozen=True)
class RaisedError:
    """An exception that student code raised.

    Attributes:
        type: The name of its class, or of the nearest base class that is Python's or one of the engine's known errors.
        text: Its text if Python wrote it or if the engine is known to raise it; else "".
        line: Its line in the cell, from 1; None outside of cells.
    """

    type: str
    text: str
    line: int | None

    @property
    def undefined(self) -> bool:
        """Whether the called name does not exist, so no line of the student's code raised this."""
        return self.type == "NameError" and self.line is None

    @property
    def from_stub(self) -> bool:
        """Whether the release's stub raised this, which has no text; libraries give a text."""
        return self.type == "NotImplementedError" and not self.text

    @property
    def outside(self) -> bool:
        """Whether a library or the grader raised this assertion, not the student's code."""
        return self.type == "AssertionError" and self.line is None

    @property
    def message(self) -> Message:
        """The exception as a part of a sentence; an engine's error with its usual meaning."""
        text = self.text or terms().errors.get(self.type, "")
        code = "error" + "_text" * bool(text) + "_at" * bool(self.line)
        return Message.of(code, type=self.type, text=text, line=self.line or 0)


@dataclass(frozen=True)
class Observation:
    """The observation of one call of student code.

    Attributes:
        returned: The returned value.
        arguments: The positional arguments after the call.
        stdout: The printed text.
        inputs: The engine arrays made for the call, as they are after the call, in the order of the arguments.
            ``arguments`` has what a list contains now; ``inputs`` has the arrays that it contained before.
        error: How it failed, or None.
        pending: Labels of the gates still closed when it returned ("argument 0", "dot 1", "unrelated").
        ready: Whether every returned engine array was computed when the call returned; None if there is none, or if it
            is unknown, as for an array that no operation of the log made while results were gated.
        events: The log.
        memory: The memory of each device, if the engine has a separate process.
    """

    returned: Any
    arguments: list[Any]
    inputs: list[EngineArray]
    stdout: str
    error: RaisedError | None
    pending: tuple[str, ...]
    ready: bool | None
    events: tuple[Event, ...]
    memory: dict[int, Memory] = field(default_factory=dict)
    call: Any = field(default=None, repr=False, compare=False)  # the call to replay, see `Calls.replay`

    @property
    def returned_while_gated(self) -> bool:
        """Whether the call returned while at least one gate was closed."""
        return bool(self.pending)

    @property
    def waits(self) -> tuple[Event, ...]:
        """The events of the front end's waits."""
        return tuple(event for event in self.events if event.kind == "wait")

    @property
    def mixing(self) -> tuple[Event, ...]:
        """The operations that mixed arrays of several devices."""
        return tuple(event for event in self.events if event.mixes_devices)

    @property
    def uploads(self) -> tuple[Event, ...]:
        """The copies of values from the host to a device, which reveal computation outside the device."""
        return tuple(event for event in self.events if event.crosses and 0 in event.reads)

    @property
    def backlogs(self) -> list[int]:
        """For each wait with pending operations: the number of operations enqueued since the last wait."""
        found, queued = [], 0
        for event in self.events:
            if event.kind == "enqueue":
                queued += 1
            elif event.kind == "wait" and queued:
                found.append(queued)
                queued = 0
        return found


def parse_observation(
    content: dict[str, Any], buffers: list[Any], stdout: str, value: Callable[[Any], Any] | None = None
) -> Observation:
    """Parse a reply of the probe to a call.

    Args:
        content: The JSON of the reply.
        buffers: Its arrays, in npy format.
        stdout: The text printed during the call.
        value: Resolves arrays, handles and devices in it; see :func:`syncpoint.probe.serialization.decode`.

    Raises:
        BadReply: If it is not one.
    """
    try:
        error, ready = parse_error(content.get("error")), content.get("ready")
        return Observation(
            returned=None if error else decode(content["returned"], buffers, value),
            arguments=[] if error else list(decode(content["arguments_after"], buffers, value)),
            inputs=[] if error else list(decode(content["inputs_after"], buffers, value)),
            stdout=stdout,
            error=error,
            pending=tuple(str(label) for label in content.get("pending", ())),
            ready=ready if type(ready) is bool else None,
            events=parse_log(content.get("events", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, EOFError) as error:
        raise BadReply(f"the reply of the kernel is no observation: {error}") from error


def parse_log(data: Any) -> tuple[Event, ...]:
    """Parse a log from the student's side; raises as `checked_log` does."""
    return checked_log(map(Event.of, data))


def checked_log(log: Iterable[Event]) -> tuple[Event, ...]:
    """Check a log, because its words come from the student's side and are shown to people.

    Raises:
        StudentError: If it is incomplete: code could fill it to hide what comes after.
    """
    events = tuple(map(_bounded, log))
    if any(event.kind == "overflow" for event in events):
        raise StudentError(Message.of("too_many_operations", limit=len(events) - 1))
    return events


def _bounded(event: Event) -> Event:
    label = strip_control(event.label[:MOST_WORDS]) if event.kind == "wait" else event.label
    target = event.target if event.target in TARGETS else ""
    if (label, target) == (event.label, event.target) and len(event.values) <= MOST_WORDS:
        return event  # copying it would take as long as all other work on the event
    return replace(event, label=label, target=target, values=event.values[:MOST_WORDS])


def parse_error(data: Any) -> RaisedError | None:
    """Parse the description of an exception."""
    if data is None:
        return None
    line, named = data.get("line"), PYTHONS_ERRORS | terms().errors.keys()
    kind = next((name for name in map(str, data["types"]) if name in named), "Exception")
    in_a_cell = type(line) is int and 0 < line <= MOST_LINES
    text = strip_control(str(data["text"])[:300])
    if not issubclass(getattr(builtins, kind, Exception), SPEAKING_ERRORS):  # it may contain an input
        text = _known_text(text)
    return RaisedError(kind, text, line if in_a_cell else None)


def _known_text(text: str) -> str:
    """Return the known text of the engine that this is; "" if none."""
    for known in terms().known:
        place = 0
        for part in known.split(" ... "):
            found = text.find(part, place)
            if found < 0:
                break
            place = found + len(part)
        else:
            return known
    return ""
