"""The judging process of a worker: its main thread judges paper after paper, and it ends when its worker does.

It is a process of its own because the judge needs signals, and they reach the main thread of a process only.  The
worker itself imports this room as well, so whatever is heavy is imported where it is used.
"""

import contextlib
import functools
import os
import signal
import socket
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..judge.paper import Kit
    from .answer import Answer

ENGINES = "SYNCPOINT_ENGINES"  # the variable that names the folder of the engines' environments
# A coordinator that was killed sends no more papers, and no goodbye.  Longer than any paper takes: a worker with
# several processes loses them all when one ends.
IDLE_SECONDS = 1800.0
TIDY_SECONDS = 10.0  # the longest that the world of a paper nobody waits for may take to end


class _Desk:
    """What this process was given when it began.  kit: as JSON."""

    kit: bytes
    worker: str
    open = False  # whether papers may come
    busy = threading.Lock()  # held while a paper is judged


def begin(kit: bytes, worker: str, lifeline: Connection) -> None:
    """Make this process ready to judge papers of one kit.

    worker: the address of the worker it belongs to.  lifeline: whoever holds the other end holds this process.
    """
    _Desk.kit, _Desk.worker = kit, worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the coordinator, which ends us by the lifeline
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    from ..judge import judging  # noqa: F401  # the first paper need not wait for this
    from ..sandbox.folder import sweep_folders

    sweep_folders()
    _Desk.open = True


def ready() -> None:
    """Nothing: the process exists once this has run in it."""


def judge(paper: bytes) -> bytes:
    """Judge one paper.  Paper and answer are JSON; see :class:`syncpoint.grading.answer.Answer`.  Never raises."""
    from ..judge.paper import to_json

    with _Desk.busy:
        return to_json(_answer(paper))


def engines() -> Path:
    """The folder that holds the environments of the engines: named by a variable, else where the tools are."""
    return Path(os.environ.get(ENGINES) or Path(sys.prefix).parent)


def _answer(paper: bytes) -> "Answer":
    from ..judge.failures import explain
    from ..judge.judging import EngineDiffers, judge_paper
    from ..judge.paper import Paper, from_json
    from ..sandbox import SandboxUnavailable
    from .answer import Answer

    host, began = socket.gethostname(), time.monotonic()
    result, fault, unfit = None, "", False
    try:
        result = judge_paper(_kit(_Desk.kit), from_json(Paper, paper), engines())
    except (EngineDiffers, SandboxUnavailable) as problem:
        fault, unfit = str(problem), True
    except Exception as problem:  # a fault of this machine or of ours: another one may do better
        fault = explain(problem) or f"{type(problem).__name__}: {problem}"
    return Answer(_Desk.worker, host, time.monotonic() - began, result, fault, unfit)


@functools.cache
def _kit(data: bytes) -> "Kit":
    from ..judge.paper import Kit, from_json

    return from_json(Kit, data)


def _stop(number: int, frame: object) -> None:
    """End what the main thread is at: a paper takes its world down with it, a process without one just ends."""
    if not _Desk.open:
        os._exit(0)  # an exception would be told at length, and there is nothing to tidy up yet
    if _Desk.busy.locked():
        raise KeyboardInterrupt(signal.Signals(number).name)
    raise SystemExit(0)


def _end_with(lifeline: Connection) -> None:
    """End this process when its worker has ended or let go, or when nothing was to be judged for long."""
    while not _cut(lifeline) and _Desk.busy.locked():
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    if _Desk.busy.acquire(timeout=TIDY_SECONDS):  # the paper is dropped; now the process
        _Desk.busy.release()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(TIDY_SECONDS)  # the process ends meanwhile, and this thread with it
    os._exit(1)


def _cut(lifeline: Connection) -> bool:
    """Whether the other end was closed; waits for it as long as a process may have nothing to do."""
    with contextlib.suppress(OSError):
        return lifeline.poll(IDLE_SECONDS)
    return True
