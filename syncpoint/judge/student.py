"""The ``student`` fixture of the judge: the student's code runs in a kernel in a sandbox."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from ..core.messages import Message
from ..observe.errors import NotTested, ProbeError
from ..observe.outside_call import OutsideCall
from ..observe.student import PATIENCE_SECONDS, Calls
from ..sandbox.cpu_share import CpuShare, Meter
from .errors import DeadKernelError
from .kernel import Kernel, Reply

__all__ = ["Deadline", "ProbeError", "Student"]


class Deadline:
    """A time after which nothing may run."""

    def __init__(self, seconds: float, meter: Meter | None = None, outer: "Deadline | None" = None):
        self.seconds, self._meter, self._outer = seconds, meter, outer
        self._end = time.monotonic() + seconds
        self._began = CpuShare() if meter is None else meter.read()

    @property
    def remaining(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self._end - time.monotonic())

    def within(self, seconds: float) -> "Deadline":
        """Return a deadline this many seconds from now, but not later than the current one."""
        return Deadline(min(seconds, self.remaining), self._meter, self)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Exclude the judge's own work in this block from the time; an enclosing deadline continues."""
        began = time.monotonic()
        try:
            yield
        finally:
            later = self._end + time.monotonic() - began
            self._end = later if self._outer is None else min(later, max(self._end, self._outer._end))

    def ran_out(self, message: Message) -> Message:
        """Note that this deadline ended or prevented something; the message says so if other programs had the time."""
        self.note()
        starved = self._meter is not None and self._meter.starved
        return Message.of("provisional", message=message) if starved else message

    @property
    def share(self) -> CpuShare:
        """The processor time of the sandbox and of other programs so far."""
        return CpuShare() if self._meter is None else self._meter.read(age=0.0) - self._began

    def go_on_with(self, meter: Meter, share: CpuShare) -> None:
        """Give the remaining time to another kernel, after one that had this share."""
        self._meter, self._began = meter, meter.read() - share

    def note(self) -> None:
        """Let the meter note that this deadline ran out, and enclosing ones that also ran out."""
        if self._meter is not None:
            self._meter.ran_out(self.seconds, self._began)
        if self._outer is not None and self._outer.remaining <= 0:
            self._outer.note()


@dataclass(frozen=True)
class Student(Calls):
    """One student's kernel, as a grader sees it.

    Attributes:
        kernel: Runs the student's code.
        deadline: The deadline that all calls of one exercise share.
        interface: The engine's array interface to which the arguments belong; "" is the first.
        beside: For a separate sandbox, the deadline of the student that it belongs to: work in the sandbox does not use
            up that student's time.
    """

    kernel: Kernel
    deadline: Deadline
    interface: str = ""
    beside: Deadline | None = None
    _gate_results: bool = False
    _unrelated: bool = False

    @contextmanager
    def separate_sandbox(self) -> Iterator["Student"]:
        """Open a separate sandbox for scenarios in this block; no student code has run in it.

        Files that a student's function has written are opened there, and never by the judge.  It has the same engine,
        scenarios and limits, but no notebook and no device: all work is on the host.  It has as much time as the tests
        of an exercise; its start does not count.

        Yields:
            A student for whom only `observe` is useful.

        Raises:
            ProbeError: If it cannot start, which is not the student's fault.
        """
        with ExitStack() as stack:
            try:
                with self.deadline.stopped():
                    kernel = stack.enter_context(Kernel(replace(self.kernel.sandbox_spec, files=()), device=False))
                seconds = min(self.kernel.sandbox_spec.limits.cell_seconds, self.deadline.remaining)
                kernel.begin_exercise(seconds)
            except DeadKernelError as gone:
                raise ProbeError(f"a second sandbox, next to the student's, cannot start: {gone}") from None
            try:
                yield Student(kernel, Deadline(seconds, kernel.meter), beside=self.deadline)
            finally:
                self.kernel.helper_loss = self.kernel.helper_loss or kernel.lost

    def resident_bytes(self) -> int:
        """Resident memory of the student's process, read from outside."""
        return self.kernel.resident_bytes()

    def _outside_call(self, who: Message) -> OutsideCall | None:
        """The half of the call in a separate engine process, after all earlier work is done."""
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
            with nullcontext() if self.beside is None else self.beside.stopped():
                reply = self.kernel.ask(request, buffers, self.deadline.remaining)
        except DeadKernelError as gone:
            if gone.fault.kind == "hang":
                self.deadline.note()
            raise
        if reply.fault is not None:
            message = reply.fault.message.having(who=who)
            raise NotTested(self.deadline.ran_out(message) if reply.fault.kind == "timeout" else message)
        return reply

    def _patience(self) -> Callable[[], None]:
        """Record whether a call ran out of time because its gates opened for lack of progress."""
        return self.deadline.within(PATIENCE_SECONDS).note
