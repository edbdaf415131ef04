"""The inside of a judging process: its main thread judges one job after another; it ends with its owner.

It is a separate process because it reads what notebooks send: if that exhausts its memory or kills it, the grading run
continues.  The judge also needs signals, which reach only the main thread of a process.  Large modules are imported
only after this process has begun to watch its owner.
"""

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .job import GradingSpec, JudgeReply

# A killed coordinator sends neither jobs nor an end.
IDLE_SECONDS = 1800.0
PREPARE = b""  # instead of a spec: no job follows, but the sandbox of later jobs
TIDY_SECONDS = 10.0  # the longest time to end the sandbox of a job that nobody waits for


class _State:
    """open: whether jobs may come.  busy: held while a job is judged."""

    open = False
    busy = threading.Lock()


def main(descriptor: int, engines: Path, idle_seconds: float = 0.0) -> None:
    """Judge the jobs that come over a socket, each with its spec, until the other end is closed.

    Each job gets a reply.  Spec, job and reply are JSON.  A request to prepare a sandbox gets no reply.  The socket
    is inherited, ``descriptor`` its number.  The process and its sandboxes wait ``idle_seconds`` for a job; 0 is the
    default.
    """
    os.set_inheritable(descriptor, False)  # a sandbox must not keep the socket open, nor see it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner, which ends this process
    signal.signal(signal.SIGTERM, _stop)
    owner = Connection(descriptor)
    threading.Thread(target=_end_with, args=(descriptor,), daemon=True).start()
    from ..sandbox import pool
    from ..sandbox.folder import sweep_folders
    from . import grade_notebook  # noqa: F401  # the first job need not wait for this
    from .job import to_json

    sweep_folders()
    # Loaded modules stay: without this, garbage collection took a seventh of the judge's time.
    gc.collect()
    gc.freeze()
    pool.idle_seconds = idle_seconds or pool.idle_seconds
    _State.open = True
    try:
        while owner.poll(idle_seconds or IDLE_SECONDS):
            spec, job = owner.recv_bytes(), owner.recv_bytes()
            if spec == PREPARE:
                _prepare(job)
                continue
            with _State.busy:
                reply = _reply(spec, job, engines)
            owner.send_bytes(to_json(reply))
    except (EOFError, OSError):  # the owner has ended
        return


def _prepare(sandbox: bytes) -> None:
    """Load the engine while the owner still reads; a failure will appear again in the first job."""
    from ..engines.find import EngineError
    from ..sandbox import SandboxSpec, SandboxUnavailable, pool
    from .errors import Malformed
    from .job import from_json

    with contextlib.suppress(EngineError, Malformed, OSError, SandboxUnavailable):
        pool.prepare(from_json(SandboxSpec, sandbox))


def _reply(spec: bytes, job: bytes, engines: Path) -> "JudgeReply":
    from ..sandbox import SandboxUnavailable
    from .errors import EngineDiffers
    from .grade_notebook import grade_notebook
    from .job import JudgeReply, NotebookJob, from_json

    result, fault, unusable, began = None, "", False, time.monotonic()
    try:
        result = grade_notebook(_spec(spec), from_json(NotebookJob, job), engines)
    except (EngineDiffers, SandboxUnavailable) as problem:
        fault, unusable = str(problem), True
    except Exception as problem:  # a fault of this machine or of Syncpoint: another process may succeed
        from .failures import reason

        fault = reason(problem)
        if not fault:
            traceback.print_exc()
            fault = f"{type(problem).__name__}: {problem}"
    return JudgeReply(result, fault, unusable, host=socket.gethostname(), seconds=time.monotonic() - began)


_specs: dict[bytes, "GradingSpec"] = {}  # only the last one


def _spec(data: bytes) -> "GradingSpec":
    from .job import GradingSpec, from_json

    if data not in _specs:
        _specs.clear()
        _specs[data] = from_json(GradingSpec, data)
    return _specs[data]


def _stop(number: int, frame: object) -> None:
    """End the main thread's work: a job ends its sandbox first, a process without a job just ends."""
    if not _State.open:
        os._exit(0)  # an exception would print a traceback, and there is nothing to clean up yet
    if _State.busy.locked():
        raise KeyboardInterrupt(signal.Signals(number).name)
    raise SystemExit(0)


def _end_with(descriptor: int) -> None:
    """End this process when its owner closes the other end of the socket."""
    hang_up = select.poll()
    hang_up.register(descriptor, select.POLLRDHUP)
    hang_up.poll()
    os.kill(os.getpid(), signal.SIGTERM)
    if _State.busy.acquire(timeout=TIDY_SECONDS):  # the job has ended; now end the process
        _State.busy.release()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(TIDY_SECONDS)  # the process ends meanwhile, with this thread
    os._exit(1)


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
    except KeyboardInterrupt:
        sys.exit(1)
