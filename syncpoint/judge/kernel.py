"""A sandboxed kernel and the messages with it: timeouts, floods, hangs and deaths become a Fault."""

import contextlib
import time
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import psutil
from nbformat import NotebookNode

from ..core.limits import MIB
from ..core.messages import Message
from ..engines.base import EngineGone
from ..observe.outside_call import EXERCISE_REPLIES, SENT_TOO_MUCH
from ..sandbox.cpu_share import Meter
from ..sandbox.pool import acquire, give_back
from ..sandbox.signals import held_back
from ..sandbox.spec import SandboxSpec
from ..sandbox.usage import Usage
from .act_collector import ActCollector, left_over
from .engine_process import EngineProcess
from .errors import DeadKernelError
from .faults import ENGINE_GONE, HANGS, LOST, Fault, fault_of
from .request import GRACE_SECONDS, Client, Patience, Request
from .resources import Resources

START_SECONDS = 60
GENTLE_SECONDS = 0.5
NOTEBOOK_OUTPUTS = 8  # a notebook may print this many times the limit of one cell
THE_CODE = Message("the_code")


@dataclass
class Reply:
    """The reply to one request."""

    content: dict[str, Any] = field(default_factory=dict)  # the reply's own
    buffers: list[Any] = field(default_factory=list)  # its arrays, in npy format
    outputs: list[NotebookNode] = field(default_factory=list)  # the output during the request
    fault: Fault | None = None  # the reason why the code was stopped, or None

    @property
    def stdout(self) -> str:
        """The text that was printed to stdout."""
        return "".join(o.text for o in self.outputs if o.output_type == "stream" and o.name == "stdout")


class Kernel:
    """A kernel in its sandbox.  Use as a context manager.

    Args:
        sandbox_spec: The sandbox that it runs in.
        act_collector: Collects suspicious acts.
        device: Whether it gets the engine's process, if the engine has one; without it all work is on the host.
        cpu_seconds: Processor time that its notebook used in earlier kernels.

    Attributes:
        output_left: How many bytes of output the notebook may still produce.

    Raises:
        SandboxUnavailable: If it cannot start.
        DeadKernelError: If it cannot start.
    """

    def __init__(
        self,
        sandbox_spec: SandboxSpec,
        act_collector: ActCollector | None = None,
        device: bool = True,
        cpu_seconds: float = 0.0,
    ):
        self.sandbox_spec = sandbox_spec
        self.act_collector = act_collector or ActCollector()
        self._done: set[str] = set()
        self.fault: Fault | None = None
        self.helper_loss = ""  # why a second sandbox of this run was lost
        self._outside = sandbox_spec.engine.kind == "process"
        self._device = device and self._outside
        self.engine: EngineProcess | None = None  # only for an engine with its own process
        self._reply_left = EXERCISE_REPLIES
        self.output_left = int(NOTEBOOK_OUTPUTS * sandbox_spec.limits.output_mib * MIB)
        self._before = Usage(cpu_seconds=cpu_seconds)
        self.start_seconds = self.stop_seconds = self.busy_seconds = 0.0

    def __enter__(self) -> "Kernel":
        began = time.monotonic()
        try:
            with held_back():
                if self._device:
                    self.engine = EngineProcess(self.sandbox_spec)
                self._server = acquire(self.sandbox_spec)
                front_end = None if self.engine is None else self.engine.front_end
                connection = self._server.start_kernel(self.sandbox_spec, front_end)
            limits, before = self.sandbox_spec.limits, self._before
            sandboxes = [self._server, *([] if self.engine is None else [self.engine.sandbox])]
            self._resources = Resources(limits, sandboxes, before, self._exceeded)
            if self.engine is not None:
                self.engine.front_end.close()
                self._have_the_engine_ready(self.engine)
            self._client = Client(connection)
            self._wait_until_ready()
            self._process = self._server.note_kernel()
            if self._outside:
                self._server.count_from_here()  # two sandboxes with a loaded engine would use most of a usual limit
            self._resources.watch()
        except BaseException:
            self._stop(clean=False)
            raise
        self.start_seconds, self.busy_seconds = time.monotonic() - began, 0.0
        return self

    @held_back()
    def __exit__(self, *exception: Any) -> None:
        began = time.monotonic()
        self._resources.stop()
        self._stop(clean=self.fault is None)
        self.stop_seconds = time.monotonic() - began

    @held_back()
    def _stop(self, clean: bool) -> None:
        """Stop without a graceful end, which student code does not need. A sandbox with a problem is not reused."""
        if hasattr(self, "_client"):  # missing if the kernel did not start
            self._client.close()
        if hasattr(self, "_server"):  # missing if its sandbox did not start either
            give_back(self._server, clean)
        if self.engine is not None:
            self.engine.stop(clean)

    def _have_the_engine_ready(self, engine: EngineProcess) -> None:
        try:
            engine.wait_until_ready(START_SECONDS)
        except (EngineGone, TimeoutError) as problem:
            why = engine.sandbox.stderr_tail().splitlines()[-1:] or [str(problem)]
            raise DeadKernelError(Fault("engine", Message.of("engine_not_started", why=why[0][:200]))) from None

    def _wait_until_ready(self) -> None:
        """Wait for a reply and a status on one request, so all channels work, and for the control channel."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            request = Request(self._client, "kernel_info_request", {}, [], 0, self._done, self._patience)
            next_attempt = time.monotonic() + 0.05
            while time.monotonic() < next_attempt:
                self._listen(request)
                if request.idle and request.replied and self._client.control.ready:
                    return
        raise DeadKernelError(Fault("died", Message.of("not_started", seconds=START_SECONDS)))

    def execute(self, source: str, seconds: float, *, keep_names: bool = False) -> Reply:
        """Run a cell as a notebook would. With ``keep_names``, existing global names are restored after the cell."""
        content = {
            "code": source,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
            "keep_names": keep_names,
        }
        return self._request("execute_request", content, [], seconds)

    def begin_exercise(self, seconds: float) -> None:
        """Forget what earlier tests learned, and finish their remaining work, or drop it after some seconds."""
        self._reply_left = EXERCISE_REPLIES
        if self.engine is not None and self.fault is None:
            try:
                self.engine.outside.finish(seconds)
            except (EngineGone, TimeoutError):
                with contextlib.suppress(DeadKernelError):  # each test of the exercise will report it
                    self.lose_the_engine()

    def ask(self, content: dict[str, Any], buffers: list[bytes], seconds: float) -> Reply:
        """Send a request to the probe: plain data, and arrays in npy format."""
        return self._request("probe_request", content, buffers, seconds)

    @property
    def cut_off(self) -> str:
        """Return why the engine's process ignores this kernel; "" if it does not, or if one of them has ended."""
        if self.engine is None or self.fault is not None:
            return ""
        try:
            return self.engine.outside.ended()
        except EngineGone:
            with contextlib.suppress(DeadKernelError):  # the next request will report it
                self.lose_the_engine()
            return ""

    @property
    def unclean(self) -> str:
        """Why the sandbox of this ended kernel serves no other kernel; "" if it does."""
        return str(self.fault.message) if self.fault else self._server.unclean

    @property
    def lost(self) -> str:
        """The code of the reason why this run may not be the student's fault; "" for a run that counts.

        Somebody who is not the judge killed the kernel (the system, a person, or student code itself); or it crashed,
        as engines seldom do by themselves; or the engine's process ended; or a limit of time ran out that others on
        this machine had used up, see :class:`CpuShare`.
        """
        if self.fault is not None and self.fault.kind in LOST:
            return LOST[self.fault.kind]
        return "was_starved" if self.was_starved else self.helper_loss

    @property
    def was_starved(self) -> bool:
        """Whether other programs used up a time limit of this run; see :class:`CpuShare`."""
        return self.meter.starved

    def lose_the_engine(self) -> NoReturn:
        """End the kernel after its engine's process has ended."""
        self._die(ENGINE_GONE)

    def resident_bytes(self) -> int:
        """Return the resident memory of the kernel process, read from outside."""
        with contextlib.suppress(psutil.Error):
            if self._process is not None:
                return int(self._process.memory_info().rss)
        self._raise_when_dead()
        raise DeadKernelError(Fault("died", Message("memory_unread"))) from None

    def usage(self) -> Usage:
        """The resources that the notebook uses, including those of its earlier kernels."""
        return self._resources.usage()

    @property
    def meter(self) -> Meter:
        return self._resources.meter

    @property
    def peak_bytes(self) -> int:
        return self._resources.peak_bytes

    def check_leftovers(self) -> None:
        """Note which processes of the notebook still run. Call it after the last request."""
        if self.fault is None and self._process is not None:
            with contextlib.suppress(psutil.Error):
                self.act_collector.at_the_end(left_over(self._process, self._server.processes))

    def _request(self, kind: str, content: dict[str, Any], buffers: list[bytes], seconds: float) -> Reply:
        if self.fault is not None:
            raise DeadKernelError(self.fault)
        began = time.monotonic()
        try:
            return self._exchange(kind, content, buffers, seconds)
        finally:
            self.busy_seconds += time.monotonic() - began

    def _exchange(self, kind: str, content: dict[str, Any], buffers: list[bytes], seconds: float) -> Reply:
        allowed = min(int(self.sandbox_spec.limits.output_mib * MIB), self.output_left)
        request = Request(self._client, kind, content, buffers, allowed, self._done, self._patience)
        fault, deadline = None, time.monotonic() + seconds
        self.meter.go_on()
        while fault is None and not request.over:
            self._listen(request)
            if request.outputs.too_much:
                fault = Fault("output", self._printed_too_much(allowed))
            elif request.too_much or request.size > self._reply_left:
                fault = Fault("messages", SENT_TOO_MUCH)
            elif not request.replied and time.monotonic() > deadline:
                fault = Fault("timeout", Message.of("timeout", who=THE_CODE, seconds=seconds))
                self.meter.reach_the_limit()
        if fault is not None:
            self._stop_it(request, fault)
        self.output_left -= min(request.outputs.size, allowed)
        self._reply_left -= min(request.size, self._reply_left)
        if request.replied:
            self.act_collector.add_report(request.content)
        for violation in sorted(request.protocol_violations):
            self.act_collector.see("messages", Message(violation))
        return Reply(request.content, request.buffers, request.outputs.items, fault)

    def _stop_it(self, request: Request, fault: Fault) -> None:
        """Interrupt the running code; kill the kernel if that does not help."""
        # Code that has just finished needs no interrupt: it would lose the reply, or hit the next request.
        if fault.kind in ("output", "messages") and self._ends_within(request, GENTLE_SECONDS):
            return
        self._interrupt()
        if not self._ends_within(request, GRACE_SECONDS):
            self._die(Fault("hang", replace(fault.message, code=HANGS[fault.message.code])))

    def _ends_within(self, request: Request, seconds: float) -> bool:
        """Return whether the kernel reports, within this many seconds, that it is done, with or without a reply.

        A dropped reply must also have ended, so that none of it is left for the next request.  Time that
        others had the processors does not count: a kernel without a turn cannot react.
        """
        patience = self._patience()
        while self._client.shell.dropping or not (request.idle or request.over):
            if patience.is_over(seconds):
                return request.replied
            self._listen(request)
        return True

    def _patience(self) -> Patience:
        return Patience(self.meter)

    def _listen(self, request: Request) -> None:
        if not request.listen():
            self._raise_if_dead()
            if self._client.lost:
                self._raise_when_dead()
                self._die(Fault("messages", Message("cut_off")))

    def _printed_too_much(self, allowed: int) -> Message:
        per_cell = self.sandbox_spec.limits.output_mib
        if allowed >= per_cell * MIB:
            return Message.of("output", who=THE_CODE, mib=per_cell)
        return Message.of("notebook_output", who=THE_CODE, mib=NOTEBOOK_OUTPUTS * per_cell)

    def _interrupt(self) -> None:
        self._client.send(self._client.control, "interrupt_request", {}, [])

    def _die(self, fault: Fault) -> NoReturn:
        self.fault = self.fault or fault
        self._kill()
        raise DeadKernelError(self.fault)

    def _exceeded(self, fault: Fault) -> None:
        """Handle an exceeded limit; called by another thread."""
        self.fault = self.fault or fault
        self._kill()

    def _kill(self) -> None:
        self._server.kill()
        if self.engine is not None:
            self.engine.sandbox.kill()

    def _raise_if_dead(self) -> None:
        code = self._server.exit_code
        if code is None and (self.engine is None or self.engine.sandbox.exit_code is None):
            return
        self.fault = self.fault or self._resources.exhausted()
        if code is None:
            self._die(ENGINE_GONE)
        # Once it runs, its stderr says nothing about its end.
        self.fault = self.fault or fault_of(code, "" if self.start_seconds else self._server.stderr_tail())
        raise DeadKernelError(self.fault)

    def _raise_when_dead(self) -> None:
        """Wait briefly for the end of a kernel that may have ended: the server reports it right afterwards."""
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            self._raise_if_dead()
            time.sleep(0.01)
