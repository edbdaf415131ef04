"""Runs one command and measures the cost of it and every process below it."""

import ctypes
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from syncpoint.course.errors import CommandFailed

PR_SET_CHILD_SUBREAPER = 36
PERIOD = 0.2  # seconds between two readings of the processes, which take some milliseconds
PATIENCE = 20.0  # seconds for processes that the command left running
SANDBOX = "bwrap"


@dataclass(frozen=True)
class Reading:
    """The cost of a command.

    Attributes:
        began: time.time() at its start.
        wall: Seconds.
        cpu: Processor seconds of all processes, orphans included.
        own_cpu: Those of the command's own process, as last seen.
        own_mib: Most memory of that process.
        worker_mib: Most memory of another process outside a sandbox.
    """

    began: float
    wall: float
    cpu: float
    own_cpu: float
    own_mib: float
    worker_mib: float


def read(argv: Sequence[str], folder: Path, environment: dict[str, str]) -> Reading:
    """Run a command to its end.

    Raises:
        CommandFailed: With the end of its output, if it fails or leaves processes that do not end.
    """
    # An orphan becomes a child of this process, so that its processor time is counted.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    others = set(psutil.Process().children(recursive=True))
    before, own_cpu, own_mib, worker_mib = _cpu_of_children(), 0.0, 0.0, 0.0
    with tempfile.TemporaryFile("w+") as output:
        began, clock = time.time(), time.monotonic()
        process = subprocess.Popen(
            argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        root, status = psutil.Process(process.pid), None
        while status is None:
            with suppress(psutil.Error):
                own_cpu, own_mib = max(own_cpu, sum(root.cpu_times()[:2])), max(own_mib, _mib(root))
                worker_mib = max(worker_mib, *map(_mib, _outside_sandboxes(root)), 0.0)
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(PERIOD)
        wall, left_over = time.monotonic() - clock, _wait_for_orphans(others)
        output.seek(0)
        last = "\n".join(output.read().splitlines()[-20:]) or "it wrote nothing"
    if status or left_over:
        how = f"exit status {status}" if status else f"{left_over} processes did not end"
        raise CommandFailed(f"{' '.join(argv)} failed in the bench ({how}):\n{last}")
    return Reading(began, wall, _cpu_of_children() - before, own_cpu, own_mib, worker_mib)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _mib(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        return process.memory_info().rss / 2**20
    return 0.0


def _outside_sandboxes(process: psutil.Process) -> Iterator[psutil.Process]:
    """Return the processes below this one, without sandboxes and processes in them."""
    for child in process.children():
        with suppress(psutil.Error):
            if child.name() != SANDBOX:
                yield child
                yield from _outside_sandboxes(child)


def _wait_for_orphans(others: set[psutil.Process]) -> int:
    """Wait for processes that the command left, then kill them; return how many were killed."""
    deadline = time.monotonic() + PATIENCE
    while left := set(psutil.Process().children(recursive=True)) - others:
        _, alive = psutil.wait_procs(left, max(0, deadline - time.monotonic()))
        if alive:
            for process in alive:
                with suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(alive)
            return len(alive)
    return 0
