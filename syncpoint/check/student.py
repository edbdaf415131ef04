"""The ``student`` of a visible test: the functions of the notebook in which the check runs, in its own process."""

from __future__ import annotations

import _thread
import contextlib
import inspect
import io
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, Callable, NoReturn

from ..core.messages import Message
from ..engines.base import EngineGone
from ..observe.errors import NotTested
from ..observe.outside_call import OutsideCall
from ..observe.student import Calls
from ..probe.handlers import Probe
from .engine import LocalEngine

SECONDS = 30.0  # for one test, as for all hidden tests of an exercise; a longer call is interrupted
AGAIN_SECONDS = 5.0  # until a second interrupt, because code may catch the first


@dataclass
class LocalReply:
    """The probe's reply."""

    content: dict[str, Any]
    buffers: list[Any]
    stdout: str


@dataclass
class LocalProcess:
    """This process, as seen by a call of student code."""

    probe: Probe  # calls the functions of the notebook
    engine: LocalEngine | None  # only for an engine in a separate process
    fault: Message | None = None  # why no more requests are possible

    def lose_the_engine(self) -> NoReturn:
        """Raise EngineGone: the engine's process has ended."""
        self.fault = Message("engine_gone")
        raise EngineGone(str(self.fault))


@dataclass(frozen=True)
class Student(Calls):
    """The student whose notebook this is."""

    here: LocalProcess  # the process that runs the code
    end: float = 0.0  # when this test's time ends, on the clock of `time.monotonic`
    interface: str = ""  # see `Calls`
    _gate_results: bool = False
    _unrelated: bool = False

    def with_time(self) -> Student:
        """The same student, with one test's time limit starting now."""
        return replace(self, end=time.monotonic() + SECONDS)

    @property
    def _remaining(self) -> float:
        return max(0.0, self.end - time.monotonic())

    def _late(self, who: Message) -> NotTested:
        return NotTested(Message.of("timeout", who=who, seconds=SECONDS))

    def _ask(self, request: dict[str, Any], buffers: list[bytes], who: Message) -> LocalReply:
        if not self._remaining:
            raise self._late(who)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), interrupted_after(self._remaining) as rang:
            content, out = self.here.probe.reply(request, list(buffers))
        if rang():
            raise self._late(who)
        error = content.get("error")
        if isinstance(error, dict) and error["types"][:1] == ["KeyboardInterrupt"]:
            raise KeyboardInterrupt  # the user interrupted the notebook
        return LocalReply(content, out, printed.getvalue())

    def _outside_call(self, who: Message) -> OutsideCall | None:
        if self.here.engine is None:
            return None
        call = OutsideCall(self.here, lambda: self._remaining, lambda: self._late(who))  # type: ignore[arg-type]
        call.begin()
        return call

    def _patience(self) -> Callable[[], None]:
        return lambda: None


@contextlib.contextmanager
def interrupted_after(seconds: float) -> Iterator[Callable[[], bool]]:
    """Interrupt the block after this many seconds, like a notebook's stop button, until it ends.

    Yields whether it was.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # another thread cannot be interrupted
    elif hasattr(signal, "SIGALRM"):
        with _interrupted_by_the_system(seconds) as rang:
            yield rang
    else:
        with _interrupted_by_a_thread(seconds) as rang:
            yield rang


@contextlib.contextmanager
def _interrupted_by_the_system(seconds: float) -> Iterator[Callable[[], bool]]:
    times = [0]

    def ring(number: int, frame: FrameType | None) -> None:
        if not _leaves(frame):
            times[0] += 1
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
        yield lambda: bool(times[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _interrupted_by_a_thread(seconds: float) -> Iterator[Callable[[], bool]]:
    """Windows has no alarm. This interrupts Python code, but no wait inside a system call."""
    times, rings, changing, block = [0], [0], threading.Lock(), threading.Lock()

    def ring() -> None:
        while not block.acquire(timeout=AGAIN_SECONDS if times[0] else seconds):
            with changing:
                if block.locked():
                    rings[0] += 1
                    _thread.interrupt_main()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not rings[0]:  # the stop button
            raise KeyboardInterrupt
        rings[0] -= 1
        if not _leaves(frame):
            times[0] += 1
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    block.acquire()
    try:
        threading.Thread(target=ring, daemon=True, name="alarm").start()  # it may ring before start returns
        yield lambda: bool(times[0])
    finally:
        with changing:
            block.release()
        signal.signal(signal.SIGINT, before)


def _leaves(frame: FrameType | None) -> bool:
    """Whether the block is being left: an interrupt would be raised outside, and the alarm would go on."""
    return frame is not None and (frame.f_code in LEAVING or frame.f_code.co_filename == contextlib.__file__)


_PARTS = interrupted_after, _interrupted_by_the_system, _interrupted_by_a_thread
LEAVING = {inspect.unwrap(each).__code__ for each in _PARTS}
