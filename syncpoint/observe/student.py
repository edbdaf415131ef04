"""The grader's interface to call student code and get observations, wherever that code runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ..core.messages import Message, listed
from ..engines.base import Memory
from ..probe.serialization import decode, encode
from ..probe.trace import Event
from .errors import BadReply, NotTested, ProbeError, StudentError
from .observation import ForStudent, Observation, RaisedError, parse_error, parse_log, parse_observation
from .outside_call import DeviceReport, OutsideCall, ReplyWithOutput
from .vocabulary import saw

# After this many seconds without progress, every gate of a call opens; right solutions never need as long.
PATIENCE_SECONDS = 5.0
JUDGES = ("stdout", "events", "pending", "memory", "call")  # what the judge adds to a scenario's report
YOUR_CODE = Message("your_code")

T = TypeVar("T")
S = TypeVar("S", bound="Calls")


@dataclass(frozen=True)
class ReplayedCall:
    """A call that the device has replayed.

    Attributes:
        seen: What the call would return. Arrays of the device have the new values. A number or an array of the host
            is replaced if the device reported it to the host, or if it is a sum, a mean or a norm of reported values;
            otherwise it is None, because Python computed it. The whole is None if the call returned such a number, if
            shapes of results depend on the inputs, or if an operation fails with the new inputs.
        through: The names of the only operations whose results were replaced.
        reported: The values that copies and waits for values would report to the host.
    """

    seen: Any
    through: tuple[str, ...] = ()
    reported: tuple[np.ndarray, ...] = ()

    def check(self, function: Callable[..., object], *expected: Any) -> None:
        """Check with ``function(seen, *expected)``; do nothing if there is nothing to check.

        Raises:
            AssertionError: That of the function, with another sentence for the student.
        """
        if self.seen is None:
            return
        try:
            function(self.seen, *expected)
        except AssertionError as failed:
            failed.__notes__ = [note for note in getattr(failed, "__notes__", []) if not isinstance(note, ForStudent)]
            message = Message("wrong_again")
            if self.through:
                message = Message.of("wrong_through", operations=listed(self.through))
            with saw(message):
                raise

    def confirm(self, now: Callable[[], object], function: Callable[..., object], *expected: Any) -> None:
        """Check as `check` does, if the call itself is right: for tests of order that uploaded results would pass.

        Args:
            now: Checks the call itself; its failure belongs to another test.
            function: As for `check`.
            *expected: As for `check`.
        """
        try:
            now()
        except AssertionError:
            return
        self.check(function, *expected)


class Calls(ABC):
    """The calls that a grader makes to one student's code; a dataclass for each place where that code can run.

    Attributes:
        interface: Which of the engine's array interfaces the arguments belong to; "" is the first.
    """

    interface: str = ""
    _gate_results: bool = False
    _unrelated: bool = False

    @abstractmethod
    def _ask(self, request: dict[str, Any], buffers: list[bytes], who: Message) -> ReplyWithOutput:
        """Send the probe a request, and return its answer."""

    @abstractmethod
    def _outside_call(self, who: Message) -> OutsideCall | None:
        """The half of the call in a separate engine process, after all earlier work is done."""

    @abstractmethod
    def _patience(self) -> Callable[[], None]:
        """Begin a call; return the function to call if all its gates opened for lack of progress."""

    @property
    def results_gated(self: S) -> S:
        """The same student, with every result of a call held pending until the code waits for it."""
        return _changed(self, _gate_results=True)

    @property
    def beside_unrelated_work(self: S) -> S:
        """The same student, with other work pending during the call: the gate labeled "unrelated"."""
        return _changed(self, _unrelated=True)

    def using(self: S, interface: str) -> S:
        """The same student, with arguments of another array interface of the engine."""
        return _changed(self, interface=interface)

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Observation:
        """Call the student's function and observe the call.

        Args:
            name: The name of the function.
            *arguments: Positional arguments: plain values, arrays of :func:`syncpoint.graders.array`, devices.
            **keywords: The same, by name.

        Returns:
            The observation: values, log, and what was pending when the function returned.

        Raises:
            StudentError: If the function raises or takes too long.
            NotTested: If the function does not exist or is not written yet.
            DeadKernelError: If it ends the kernel.
        """
        seen = self.attempt(name, *arguments, **keywords)
        if seen.error is not None:
            if seen.error.undefined:
                raise NotTested(Message.of("not_defined", name=name))
            raise _failed(Message.of("function", name=name), seen.error, seen.memory)
        return seen

    def attempt(self, name: str, *arguments: Any, **keywords: Any) -> Observation:
        """Like :meth:`call`, for functions that may raise: look at ``error``."""
        buffers: list[bytes] = []
        who, outside = Message.of("function", name=name), self._outside_call(Message.of("function", name=name))
        put = None if outside is None else outside.put
        request = {
            "kind": "call",
            "interface": self.interface,
            "name": name,
            "arguments": encode(list(arguments), buffers, put),
            "keywords": encode(keywords, buffers, put),
            "gate_results": self._gate_results and outside is None,
            "unrelated": self._unrelated and outside is None,
            "patience": PATIENCE_SECONDS,
        }
        patience = self._patience()
        if outside is not None:
            with outside:
                outside.hold(self._gate_results, self._unrelated)
                return outside.observation(self._reply_to(request, buffers, who))
        reply = self._reply_to(request, buffers, who)
        seen = _parsed(lambda: parse_observation(reply.content, reply.buffers, reply.stdout))
        _note_timeout_open(seen.events, patience)
        return seen

    def observe(self, scenario: str, **parameters: Any) -> Any:
        """Run a scenario of the assignment.

        If it reports a dict, its "events" are parsed, and "stdout" gets the printed text.  If the dict has no "error",
        an operation that fails in another process does not count as an error of the student's.

        Args:
            scenario: Its name.
            **parameters: Plain values and arrays.

        Raises:
            StudentError: If the scenario reports an error of the student's under "error".
        """
        buffers: list[bytes] = []
        outside = self._outside_call(YOUR_CODE)
        request = {
            "kind": "observe",
            "interface": self.interface,
            "name": scenario,
            "parameters": encode(parameters, buffers, None if outside is None else outside.put),
        }
        patience = self._patience()
        if outside is not None:
            with outside:
                outside.hold(self._gate_results, self._unrelated)
                reply = self._reply_to(request, buffers, YOUR_CODE)
                return _reported(*outside.scenario(reply), reply.stdout, outside)
        reply = self._reply_to(request, buffers, YOUR_CODE)
        observed = _parsed(lambda: decode(reply.content["observed"], reply.buffers))
        if isinstance(observed, dict):
            error = _parsed(lambda: parse_error(observed.get("error")))
            if error is not None:
                raise _failed(YOUR_CODE, error)
            observed["stdout"] = reply.stdout
            observed["events"] = _parsed(lambda: parse_log(observed.get("events", ())))
            _note_timeout_open(observed["events"], patience)
        return observed

    def replay(
        self, seen: Any, values: Mapping[int, Any], host: Iterable[tuple[Any, Any]] = (), through: Iterable[Any] = ()
    ) -> ReplayedCall:
        """Let the device replay a call on other inputs.

        Results that the device computed change with the inputs; numbers computed on the host stay the same.  Draw the
        inputs after the call has returned, so that student code cannot know them.

        Args:
            seen: An observation, or what a scenario reported as a dict; no other call may have begun since.
            values: Replacements, of the same shapes, for arrays that were put on devices, by their numbers in the log.
            host: Pairs of an array that student code got in the host's memory, and its replacement, which copies to
                the device then bring. Whole numbers up to 2 stay.
            through: Operations of the log. If given, the inputs are those of the call, and only the results of these
                operations are replaced by those for the new inputs.

        Returns:
            The observation of the replay.

        Raises:
            ProbeError: If another call has begun since.
        """
        call = seen["call"] if isinstance(seen, dict) else seen.call
        if call is None:
            return ReplayedCall(None)
        if not call.is_last:
            raise ProbeError("only the last call can be run once more")
        pairs, operations = [(np.asarray(old), np.asarray(new)) for old, new in host], list(through)
        names = tuple(sorted({operation.label for operation in operations}))
        read = call.replay(values, pairs, [operation.place for operation in operations])
        if read is None:
            return ReplayedCall(None)
        content, reported = call.content, call.host_values.new[len(pairs) :]
        if isinstance(seen, dict):
            # the report comes from the student's side, which provides none of these
            judges = {key: seen[key] for key in JUDGES}
            return ReplayedCall({**read(content["observed"]), **judges}, names, reported)
        returned = read(content["returned"])
        if call.host_values.missing:  # the replay proves nothing about what was returned
            return ReplayedCall(None, names, reported)
        arguments, inputs = read(content["arguments_after"]), read(content["inputs_after"])
        return ReplayedCall(replace(seen, returned=returned, arguments=arguments, inputs=inputs), names, reported)

    def _reply_to(self, request: dict[str, Any], buffers: list[bytes], who: Message) -> ReplyWithOutput:
        reply = self._ask(request, buffers, who)
        fault = reply.content.get("fault")
        if fault is not None:
            raise ProbeError(str(fault)[:2000])
        return reply


def _changed(calls: S, **fields: Any) -> S:
    changed: S = replace(calls, **fields)  # type: ignore[type-var]  # see `Calls`
    return changed


def _reported(observed: Any, seen: DeviceReport, stdout: str, call: OutsideCall) -> Any:
    """Return a scenario's report with the log of its engine's process."""
    if not isinstance(observed, dict):
        return observed
    error = _parsed(lambda: parse_error(observed.get("error")))
    if "error" in observed:  # otherwise the scenario knows that operations fail
        error = error or seen.failed
    if error is not None:
        raise _failed(YOUR_CODE, error, seen.memory)
    judged = {"events": seen.events, "pending": seen.pending, "memory": seen.memory, "call": call}
    return {**observed, "stdout": stdout, **judged}


def _note_timeout_open(log: tuple[Event, ...], note: Callable[[], None]) -> None:
    """Note that a call ran out of time because its gates opened for lack of progress."""
    if any(event.kind == "timeout_open" for event in log):
        note()


def _failed(who: Message, error: RaisedError, memory: Mapping[int, Memory] | None = None) -> StudentError:
    """Return the error to raise for an exception in student code; missing or unwritten code has no other message."""
    if error.from_stub:
        return NotTested(Message.of("not_written", who=who))
    held = max((device.before for device in (memory or {}).values() if device.missing), default=0)
    if held:
        return StudentError(Message.of("raised_full", who=who, error=error.message, mib=held >> 20))
    code = "raised_outside" if error.outside else "raised"
    return (NotTested if error.undefined else StudentError)(Message.of(code, who=who, error=error.message))


def _parsed(parse: Callable[[], T]) -> T:
    try:
        return parse()
    except (BadReply, StudentError):
        raise
    except Exception as error:  # any malformed reply, whichever error it causes in the parser
        raise BadReply(f"the reply of the kernel is no observation: {error}") from error
