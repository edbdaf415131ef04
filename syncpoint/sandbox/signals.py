"""Signals that ask the judge to end: it ends its worlds first."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_cleanly() -> None:
    """Let SIGTERM and SIGHUP unwind the program as Ctrl-C does, unless the program has plans of its own for them."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _interrupt)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Signals that come in this block take effect after it: what it starts is known before anything can interrupt."""
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
