"""The outside of a judging process: started for a job, watched while it judges, and ended by its owner."""

import contextlib
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from ..core.limits import MIB
from ..sandbox.folder import sweep_folders
from ..sandbox.judging_lock import JudgingLock
from ..sandbox.signals import held_back
from .errors import JudgeDied
from .judging_main import PREPARE, TIDY_SECONDS

LOOK_SECONDS = 0.05  # between two checks of its memory; it can take about 100 MiB more in this time
HUNGRY = "needed more than {} MiB of memory"
OVER = "was ended with the run"
AGAIN = "the process that judged it {}; it was judged once more, alone"
DIED_AGAIN = (
    "the process that judged it {}; judged once more, alone and with {} MiB of memory, it {}. Look at this notebook "
    "and at the graders of its exercises. The next run takes it last."
)
# A judging process can also die because others use the memory, so this account's processes retry one at a time. The
# limit is for a process that somebody has stopped.
LOCK = JudgingLock("processes", longest=1800)


class JudgingProcess:
    """One judging process at a time, kept between jobs. It starts with the first job, and again after it died.

    Args:
        engines: The folder that holds the engines' environments.
        idle_seconds: How long it and its sandboxes wait for a job; 0 for as long as is usual.
    """

    def __init__(self, engines: Path, idle_seconds: float = 0.0):
        self._engines, self._idle_seconds = engines, idle_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._over = False

    def judge(self, spec: bytes, job: bytes, mib: int) -> bytes:
        """Send a job to the process, which may use this many MiB of memory, and return its reply; all three are JSON.

        Raises:
            JudgeDied: If the judging process ended without a reply.
        """
        if self._process is not None and _resident(self._process) > mib * MIB // 2:
            self._stop()  # memory that earlier jobs have left does not count against this job
        process, connection = self.start()
        try:
            connection.send_bytes(spec)
            connection.send_bytes(job)
            while not connection.poll(LOOK_SECONDS):
                if _resident(process) > mib * MIB:
                    process.kill()
                    process.wait()  # otherwise the next job might go to a dying process
                    raise JudgeDied(HUNGRY.format(mib))
            return connection.recv_bytes()
        except (EOFError, OSError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TIDY_SECONDS)
            raise JudgeDied(OVER if self._over else _how_it_ended(process.poll())) from None
        finally:
            if process.poll() is not None:
                self._clear()

    def judge_or_again(self, spec: bytes, job: bytes, mib: int) -> tuple[bytes, str]:
        """Judge a job; if the process dies, judge it again, alone, with half of the memory so that there is enough.

        Returns the reply, and a warning for the person who grades, or "".

        Raises:
            JudgeDied: If it died both times.
        """
        lock = replace(LOCK, over=lambda: self._over)
        try:
            with lock.shared():
                return self.judge(spec, job, mib), ""
        except JudgeDied as problem:
            why, half = str(problem), mib // 2
        try:
            with lock.exclusive():
                return self.judge(spec, job, half), AGAIN.format(why)
        except JudgeDied as problem:
            raise JudgeDied(DIED_AGAIN.format(why, half, problem)) from None

    def prepare(self, sandbox: bytes) -> None:
        """Load the engine in a sandbox (a SandboxSpec as JSON) before the first job; that job reports any problem."""
        _, connection = self.start()
        with contextlib.suppress(OSError):  # it has died: the next job starts another one
            connection.send_bytes(PREPARE)
            connection.send_bytes(sandbox)

    @held_back()
    def start(self) -> tuple[subprocess.Popen[bytes], Connection]:
        """Return the process, a new one if there is none, and the socket to it."""
        if self._over:
            raise JudgeDied(OVER)
        if self._process is not None and self._process.poll() is not None:
            self._clear()  # it was idle for long, or somebody killed it
        if self._process is None or self._connection is None:
            ours, its = socket.socketpair()
            with its:
                self._connection = Connection(ours.detach())
                self._process = subprocess.Popen(
                    # -P: nothing from the current folder is imported.
                    [
                        *(sys.executable, "-P", "-m", "syncpoint.judge.judging_main"),
                        *(str(its.fileno()), str(self._engines), str(self._idle_seconds)),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[its.fileno()],
                    start_new_session=True,  # a terminal's Ctrl-C is for its owner
                )
        return self._process, self._connection

    def end(self) -> None:
        """End the process permanently, whatever it is doing; any thread may call this."""
        self._over = True
        self._stop()

    @held_back()
    def _stop(self) -> None:
        """Make the process end its sandboxes and itself; kill it if this takes long."""
        process = self._process
        if process is None:
            return
        for _ in range(2):  # the first signal may only end a job
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TIDY_SECONDS)
        process.kill()
        self._clear()

    @held_back()
    def _clear(self) -> None:
        """Remove what the process left: a killed process's sandboxes end with it, but their folders stay."""
        process, connection, self._process, self._connection = self._process, self._connection, None, None
        if connection is not None:
            connection.close()
        if process is not None and process.wait() != 0:
            sweep_folders()


def _resident(process: subprocess.Popen[bytes]) -> int:
    """Bytes in memory; 0 for a process that has ended."""
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(process.pid).memory_info().rss)
    return 0


def _how_it_ended(code: int | None) -> str:
    if code is None:
        return "hung up"
    return f"ended itself (exit status {code})" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
