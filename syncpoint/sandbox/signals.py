"""Signals that ask the judge, or one of its tests, to end: the judge ends its sandboxes first."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType

# the last one: a test has reached its time limit
ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPROF)


def end_cleanly(farewell: Callable[[KeyboardInterrupt], str]) -> None:
    """Let SIGTERM and SIGHUP unwind the program as Ctrl-C does, unless it handles them itself.

    ``farewell`` makes what is printed instead of a traceback.
    """

    def end(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if isinstance(problem, KeyboardInterrupt):
            print(farewell(problem), file=sys.stderr)
        else:
            sys.__excepthook__(kind, problem, trace)

    if threading.current_thread() is threading.main_thread():
        sys.excepthook = end
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _interrupt)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Delay signals until this block ends, so that what it starts is known before an interrupt."""
    if threading.current_thread() is not threading.main_thread():  # signals never interrupt another thread
        yield
        return
    came: list[int] = []
    usual = {asking: signal.signal(asking, lambda number, _: came.append(number)) for asking in ASKING}
    try:
        yield
    finally:
        for asking, handler in usual.items():
            signal.signal(asking, handler)
        for number in came:
            signal.raise_signal(number)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)
