"""The ``student`` fixture: how a grader calls student code and gets observations back."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..core.errors import SyncpointError
from ..core.messages import Message
from ..probe.serialization import decode, encode
from ..sandbox.share import Meter, Share
from .kernel import DeadKernelError, Kernel, Reply
from .observation import (
    BadReply,
    Event,
    NotTested,
    Observation,
    RaisedError,
    StudentError,
    parse_error,
    parse_log,
    parse_observation,
)
from .outside import OutsideCall, Seen

# After so many seconds without progress every gate of a call is opened: right solutions never come near.
PATIENCE_SECONDS = 5.0
YOUR_CODE = Message("your_code")

T = TypeVar("T")


class ProbeError(SyncpointError):
    """The probe could not do what the grader asked: a mistake in the grader or in its scenario."""


class Deadline:
    """A moment after which nothing may run any more.

    Args:
        meter: Of the kernel that has so long.
        outer: The deadline that this one lies within.
    """

    def __init__(self, seconds: float, meter: Meter | None = None, outer: "Deadline | None" = None):
        self.seconds, self._meter, self._outer = seconds, meter, outer
        self._end = time.monotonic() + seconds
        self._began = Share() if meter is None else meter.read()

    @property
    def remaining(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self._end - time.monotonic())

    def within(self, seconds: float) -> "Deadline":
        """Return a deadline after so many seconds, but not later than this one.

        Args:
            seconds: From now, wall clock.
        """
        return Deadline(min(seconds, self.remaining), self._meter, self)

    def ran_out(self, said: Message) -> Message:
        """Something was ended, or did not begin, because of this deadline: have the meter note who had the time.

        Args:
            said: What the student is told of it.

        Returns:
            That, and that it is provisional where others had the time.
        """
        self.note()
        starved = self._meter is not None and self._meter.starved
        return Message.of("provisional", said=said) if starved else said

    def note(self) -> None:
        """Have the meter note that this deadline ran out, and those around it that have."""
        if self._meter is not None:
            self._meter.ran_out(self.seconds, self._began)
        if self._outer is not None and self._outer.remaining <= 0:
            self._outer.note()


@dataclass(frozen=True)
class Student:
    """One student's kernel, as a grader sees it.

    Attributes:
        kernel: Runs the student's code.
        deadline: All calls of one exercise share it.
        interface: Which of the engine's array interfaces the arguments belong to; "" is the first.
    """

    kernel: Kernel
    deadline: Deadline
    interface: str = ""
    _gate_results: bool = False
    _unrelated: bool = False

    @property
    def results_gated(self) -> "Student":
        """The same student, but every operation a call enqueues stays pending until the code waits for it."""
        return replace(self, _gate_results=True)

    @property
    def beside_unrelated_work(self) -> "Student":
        """The same student, but other work is pending all the while: the gate labelled "unrelated"."""
        return replace(self, _unrelated=True)

    def using(self, interface: str) -> "Student":
        """The same student, with arguments of another of the engine's array interfaces."""
        return replace(self, interface=interface)

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Observation:
        """Call the student's function and see what happens.

        Args:
            name: Of the function.
            *arguments: Plain values, arrays of :func:`syncpoint.graders.array`, devices; positional.
            **keywords: The same, by name.

        Returns:
            What was seen of the call: values, log, what was pending when it returned.

        Raises:
            StudentError: If the function raises or takes too long.
            NotTested: If it does not exist or is not written: of what it does nothing can be said.
            DeadKernelError: If it ends the kernel.
        """
        seen = self.attempt(name, *arguments, **keywords)
        if seen.error is not None:
            if seen.error.undefined:
                raise NotTested(Message.of("not_defined", name=name))
            raise _failed(Message.of("function", name=name), seen.error)
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
        patience = self.deadline.within(PATIENCE_SECONDS)
        if outside is not None:
            with outside:
                outside.hold(self._gate_results, self._unrelated)
                return outside.observation(self._ask(request, buffers, who))
        reply = self._ask(request, buffers, who)
        seen = _parsed(lambda: parse_observation(reply.content, reply.buffers, reply.stdout))
        _note_timeout_open(seen.events, patience)
        return seen

    def observe(self, scenario: str, **parameters: Any) -> Any:
        """Run a scenario of the course's probes.

        If it reports a dict, its "events" are parsed and what was printed meanwhile stands under "stdout".

        Args:
            scenario: Its name.
            **parameters: Plain values and arrays.

        Returns:
            The plain data that it reports.

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
        patience = self.deadline.within(PATIENCE_SECONDS)
        if outside is not None:
            with outside:
                outside.hold(self._gate_results, self._unrelated)
                return _reported(*outside.scenario(reply := self._ask(request, buffers, YOUR_CODE)), reply.stdout)
        reply = self._ask(request, buffers, YOUR_CODE)
        observed = _parsed(lambda: decode(reply.content["observed"], reply.buffers))
        if isinstance(observed, dict):
            error = _parsed(lambda: parse_error(observed.get("error")))
            if error is not None:
                raise _failed(YOUR_CODE, error)
            observed["stdout"] = reply.stdout
            observed["events"] = _parsed(lambda: parse_log(observed.get("events", ())))
            _note_timeout_open(observed["events"], patience)
        return observed

    @contextmanager
    def elsewhere(self) -> Iterator["Student"]:
        """Scenarios in a sandbox of the judge's own, in which nothing of the student's has run, for the block.

        What a student's function has left behind as a file is opened there, and never by the judge.  It has the same
        engine, scenarios and limits, no notebook, and as much time as the tests of an exercise.

        Yields:
            A student of whom only `observe` is of use.

        Raises:
            ProbeError: If it cannot start, which is no fault of the student's.
        """
        seconds = min(self.kernel.sandbox_spec.limits.cell_seconds, self.deadline.remaining)
        with ExitStack() as stack:
            try:
                kernel = stack.enter_context(Kernel(replace(self.kernel.sandbox_spec, files=())))
                kernel.begin_exercise(seconds)
            except DeadKernelError as gone:
                raise ProbeError(f"a sandbox beside the student's cannot start: {gone}") from None
            try:
                yield Student(kernel, Deadline(seconds, kernel.meter))
            finally:
                self.kernel.lost_beside = self.kernel.lost_beside or kernel.lost

    def resident_bytes(self) -> int:
        """Resident memory of the student's process, read from outside."""
        return self.kernel.resident_bytes()

    def _outside_call(self, who: Message) -> OutsideCall | None:
        """The call's other half, of an engine in a process of its own, after whatever was enqueued before is done."""
        if self.kernel.engine is None:
            return None
        self._look_at_the_time()

        def late() -> NotTested:
            return NotTested(self.deadline.ran_out(Message.of("timeout", who=who, seconds=self.deadline.seconds)))

        call = OutsideCall(self.kernel, lambda: self.deadline.remaining, late)
        call.begin()
        return call

    def _look_at_the_time(self) -> None:
        if self.deadline.remaining <= 0:
            seconds = self.deadline.seconds
            late = Message.of("tests_timeout", seconds=seconds) if seconds else Message("no_time_left")
            raise NotTested(self.deadline.ran_out(late))

    def _ask(self, request: dict[str, Any], buffers: list[bytes], who: Message) -> Reply:
        self._look_at_the_time()
        try:
            reply = self.kernel.ask(request, buffers, self.deadline.remaining)
        except DeadKernelError as gone:
            if gone.fault.kind == "hang":
                self.deadline.note()
            raise
        if reply.fault is not None:
            said = reply.fault.said.having(who=who)
            raise NotTested(self.deadline.ran_out(said) if reply.fault.kind == "timeout" else said)
        fault = reply.content.get("fault")
        if fault is not None:
            raise ProbeError(str(fault)[:2000])
        return reply


def _reported(observed: Any, seen: Seen, stdout: str) -> Any:
    """What a scenario reported, with what its engine's process says in the place of a log of its own."""
    if not isinstance(observed, dict):
        return observed
    error = _parsed(lambda: parse_error(observed.get("error"))) or seen.failed
    if error is not None:
        raise _failed(YOUR_CODE, error)
    return {**observed, "stdout": stdout, "events": seen.events, "pending": seen.pending, "memory": seen.memory}


def _note_timeout_open(log: tuple[Event, ...], patience: Deadline) -> None:
    """A call whose gates were opened for want of progress had run out of time."""
    if any(event.kind == "timeout_open" for event in log):
        patience.note()


def _failed(who: Message, error: RaisedError) -> StudentError:
    """What to raise for an exception in student code: of what is not there or not written nothing can be said."""
    if error.unwritten:
        return NotTested(Message.of("not_written", who=who))
    return (NotTested if error.undefined else StudentError)(Message.of("raised", who=who, error=error.said))


def _parsed(parse: Callable[[], T]) -> T:
    try:
        return parse()
    except (BadReply, StudentError):
        raise
    except Exception as error:  # any malformed reply, whatever it breaks in the parser
        raise BadReply(f"the reply of the kernel is no observation: {error}") from error
