"""A request to student code with an engine in a separate process, which the judge queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Protocol, TypeVar

import numpy as np

from ..core.messages import Message
from ..engines.base import EngineGone, Handle, Memory, Moment, NotReplayed, OutsideEngine, TooMuch
from ..probe.serialization import Device, EngineArray, decode
from ..probe.trace import Event
from .errors import BadReply, NotTested, ProbeError, StudentError
from .observation import MOST_LINES, Observation, RaisedError, checked_log, parse_observation
from .replayed_values import HostValues, Pair

MIB = 2**20
MAX_REPLY = 64 * MIB  # bytes of one reply
EXERCISE_REPLIES = 3 * MAX_REPLY  # the tests of one exercise may receive this much, and may keep all of it
SENT_TOO_MUCH = Message.of(
    "messages", who=Message("the_code"), mib=MAX_REPLY // MIB, exercise_mib=EXERCISE_REPLIES // MIB
)
MOST_AT_ONCE = 1000  # handles in one request
LATE = "LateError"  # an error of a device operation that nobody waited for


T = TypeVar("T")


class ReplyWithOutput(Protocol):
    """The reply to one request: its data, its arrays in npy format, and the printed text."""

    content: dict[str, Any]
    buffers: list[Any]

    @property
    def stdout(self) -> str:
        """The output printed meanwhile."""


class HasOutside(Protocol):
    """An object with an engine in a separate process."""

    @property
    def outside(self) -> OutsideEngine:
        """The client of the engine's process."""


class StudentKernel(Protocol):
    """The kernel of student code with an engine in a separate process."""

    @property
    def engine(self) -> HasOutside | None:
        """That process."""

    @property
    def fault(self) -> object | None:
        """Why it has ended; None while it runs."""

    def lose_the_engine(self) -> NoReturn:
        """Raise the error that the engine's process has ended."""


@dataclass(frozen=True)
class DeviceReport:
    """The engine process's report on one call; all except ``failed`` is as of the call's return."""

    events: tuple[Event, ...]
    pending: tuple[str, ...]
    memory: dict[int, Memory]
    failed: RaisedError | None


@dataclass
class OutsideCall:
    """A call that uses both the engine's process and the student's."""

    kernel: StudentKernel  # where the student's code runs
    remaining: Callable[[], float]  # the seconds that are left
    late: Callable[[], NotTested]  # creates the error to raise when they are used up
    # of a replayed call: replacements for numbers on the host
    host_values: HostValues = field(default_factory=lambda: HostValues(()))
    _gated: list[tuple[str, Handle]] = field(default_factory=list)
    _found: dict[str, Any] = field(default_factory=dict)
    _handles: list[Handle] = field(default_factory=list)
    _left: int = MAX_REPLY
    _reply: ReplyWithOutput | None = None
    _turn: int = 0

    @property
    def _engine(self) -> OutsideEngine:
        assert self.kernel.engine is not None
        return self.kernel.engine.outside

    def begin(self) -> None:
        """Wait until everything enqueued before is computed, and begin a new log."""
        self._do(lambda: self._engine.begin(self.remaining()))
        self._turn = self._engine.calls

    def put(self, value: Any) -> Any:
        """Return the data to send for an argument; for an array on a device, its handle."""
        if type(value) is not EngineArray or (value.device == 0 and not value.gated):
            return value
        if value.device == 0:
            raise ProbeError("an array on the host cannot be gated: give it a device")
        handle = self._do(lambda: self._engine.put(value))
        if value.gated:
            self._gated.append((f"argument {len(self._gated)}", handle))
        return handle

    def hold(self, results: bool, unrelated: bool) -> None:
        """Close the gates."""
        self._do(lambda: self._engine.hold(self._gated, results, unrelated))

    def __enter__(self) -> OutsideCall:
        return self

    def __exit__(self, *exception: Any) -> None:
        """End the call, however it ended: later acts of the notebook do not belong to it."""
        if self.kernel.fault is None:
            self._do(self._engine.resume)

    def end(self, reply: ReplyWithOutput) -> DeviceReport:
        """Handle the student's reply: work until now counts, later work does not."""
        lines = _lines(reply.content.get("lines"))

        def see() -> DeviceReport:
            self._engine.fence(self.remaining())
            events, pending, memory = self._engine.log(lines), self._engine.pending(), self._engine.memory()
            failed = self._engine.release(self.remaining())
            late = None if failed is None else RaisedError(LATE, failed, None)
            return DeviceReport(checked_log(events), pending, memory, late)

        return self._do(see)

    def value(self, sent: Any) -> Any:
        """Resolve a value from the student's side.

        Args:
            sent: A number of a device, an array of the host's, or a handle.

        Returns:
            A device or an array unchanged, or the engine process's object for the handle.

        Raises:
            ValueError: For what it cannot say.
        """
        if type(sent) is Device or (type(sent) is EngineArray and sent.device == 0 and not sent.gated):
            return sent
        if type(sent) is not Handle:
            raise ValueError("the values of an array come from its device")
        key = repr(sent)  # one array may be in many places
        if key not in self._found:
            self._read({key: sent})
        return self._found[key]

    def _read(self, handles: dict[str, Handle]) -> None:
        for (key, handle), found in zip(
            handles.items(), self._engine.read(list(handles.values()), self._left), strict=True
        ):
            self._found[key] = found
            self._handles.append(handle)
            if not isinstance(found, Moment):
                self._left -= max(found.values.nbytes, 0 if found.gradient is None else found.gradient.nbytes)

    def _read_all(self, reply: ReplyWithOutput, *keys: str) -> None:
        """Request all arrays in these parts of a reply at once; the parser reports errors in it."""
        sent: list[Any] = []
        with suppress(KeyError, TypeError, ValueError, AttributeError, OverflowError, EOFError):
            for key in keys:
                decode(reply.content[key], reply.buffers, sent.append)
            handles = list({repr(one): one for one in sent if type(one) is Handle}.items())
            for first in range(0, len(handles), MOST_AT_ONCE):
                self._read(dict(handles[first : first + MOST_AT_ONCE]))

    def observation(self, reply: ReplyWithOutput) -> Observation:
        seen, self._reply = self.end(reply), reply

        def parse() -> Observation:
            if not reply.content.get("error"):
                self._read_all(reply, "returned", "arguments_after", "inputs_after")
            parsed = parse_observation({**reply.content, "events": ()}, reply.buffers, reply.stdout, self.value)
            error = parsed.error or seen.failed
            ready = self._are_ready(reply) if error is None else None
            return replace(
                parsed,
                returned=None if error else parsed.returned,
                error=error,
                pending=seen.pending,
                ready=ready,
                events=seen.events,
                memory=seen.memory,
                call=self,
            )

        return self._do(parse)

    def scenario(self, reply: ReplyWithOutput) -> tuple[Any, DeviceReport]:
        seen, self._reply = self.end(reply), reply
        self._do(lambda: self._read_all(reply, "observed"))
        try:
            return self._do(lambda: decode(reply.content["observed"], reply.buffers, self.value)), seen
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, EOFError) as error:
            raise BadReply(f"the reply of the kernel is no observation: {error}") from error

    @property
    def is_last(self) -> bool:
        """Whether no other call has begun since."""
        return self._turn == self._engine.calls

    def replay(
        self, values: Mapping[int, Any], host: Sequence[Pair], through: Sequence[int]
    ) -> Callable[[Any], Any] | None:
        """Let the engine replay the call.

        Args:
            values: New values for arrays that were put, by their numbers in the log.
            host: Pairs of a host array that student code got, and its replacement.
            through: Places of operations in the log, see `OutsideEngine.replay`.

        Returns:
            A function that reads a part of the reply as it would have been; None if that is unknown.

        Raises:
            StudentError: If the call did too much to be replayed.
        """
        sent = [(handle, array) for handle in self._handles if type(array := self._found[repr(handle)]) is EngineArray]
        read = [part for handle, _ in sent for part in (handle, handle.gradient) if part is not None]
        arrays = {number: np.asarray(value) for number, value in values.items()}
        try:
            replay = self._do(lambda: self._engine.replay(arrays, host, read, through, self.remaining()))
        except NotReplayed:
            raise StudentError(Message("not_replayed")) from None
        if not replay.fits:
            return None
        left, found = iter(replay.values), {}
        for handle, array in sent:
            new, gradient = next(left), None if handle.gradient is None else next(left)
            found[repr(handle)] = replace(array, values=new, gradient=gradient)
        self.host_values = HostValues((*host, *replay.host_values))
        assert self._reply is not None
        buffers = self._reply.buffers
        return lambda data: self.host_values.value(decode(data, buffers, lambda sent: found.get(repr(sent), sent)))

    @property
    def content(self) -> dict[str, Any]:
        """Return the content of the reply."""
        assert self._reply is not None
        return self._reply.content

    def _are_ready(self, reply: ReplyWithOutput) -> bool | None:
        """Whether every returned array was computed at the return; None if there is none."""
        sent: list[Any] = []
        decode(reply.content["returned"], reply.buffers, sent.append)
        handles = [thing for thing in sent if type(thing) is Handle]
        arrays = [handle for handle in handles if isinstance(self.value(handle), EngineArray)]
        return all(self._engine.is_ready(handle) for handle in arrays) if arrays else None

    def _do(self, step: Callable[[], T]) -> T:
        try:
            return step()
        except EngineGone:
            self.kernel.lose_the_engine()
        except TimeoutError:
            raise self.late() from None
        except TooMuch:
            raise NotTested(SENT_TOO_MUCH.having(who=Message("your_code"))) from None


def _lines(sent: Any) -> list[tuple[int, int]]:
    """Return numbers of commands, and the line of a cell from each on; nothing if the list is invalid."""
    try:
        found = [(number, line) for number, line in sent or ()]
    except (TypeError, ValueError):
        return []
    fine = all(type(number) is int and type(line) is int and 0 <= line <= MOST_LINES for number, line in found)
    return found if fine else []
