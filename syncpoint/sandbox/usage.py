"""What a sandbox takes of the machine, read from outside, process by process."""

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import psutil

# Where this Linux was built for it; else all processes of the machine are looked through, several times a second.
KERNEL_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{threading.get_native_id()}/children")


@dataclass(frozen=True)
class Usage:
    """What all processes of a sandbox take together."""

    memory: int = 0  # bytes
    threads: int = 0  # how many there are
    cpu_seconds: float = 0.0  # seconds of processor time so far
    sessions: int = 0  # how many sessions there are (setsid), of which each has a share of the processors for itself
    # how many files are in the folders that can be written, where what Linux needs for each counts for nobody
    files: int = 0
    descriptors: int = 0  # how many open ones there are: what waits in a socket is memory of no process

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))

    def __sub__(self, before: "Usage") -> "Usage":
        return Usage(*(now - then for now, then in zip(astuple(self), astuple(before), strict=True)))


def usage_of_processes(outermost: int, dear_above: int, folders: Sequence[str] = ()) -> Usage:
    """Return what a process and everything below it take; what ends meanwhile counts nothing.

    Pages that processes share are counted once only where the sum exceeds ``dear_above`` bytes: that reading is dear.
    Processor time includes that of descendants that ended and were waited for.

    Args:
        outermost: The number of the process.
        dear_above: Bytes from which on shared pages are counted once.
        folders: File systems of memory, as the first process below it sees them.
    """
    processes = processes_of(outermost)
    cpu_seconds = cpu_seconds_of(processes)
    memory = _of_living(processes, lambda process: process.memory_info())
    used = sum(m.rss - m.shared for m in memory) + max((m.shared for m in memory), default=0)
    if used > dear_above:
        used = sum(_of_living(processes, lambda process: process.memory_full_info().pss))
    return Usage(
        memory=used,
        threads=sum(_of_living(processes, lambda process: process.num_threads())),
        cpu_seconds=cpu_seconds,
        sessions=len(set(_of_living(processes, lambda process: os.getsid(process.pid)))),
        files=sum(_of_living(processes[1:2], lambda process: _files_of(process, folders))),
        descriptors=sum(_of_living(processes, lambda process: process.num_fds())),
    )


def processes_of(outermost: int) -> list[psutil.Process]:
    """A process and everything below it, parents first; nothing once it has ended."""
    try:
        found = [psutil.Process(outermost)]
        if not KERNEL_LISTS_CHILDREN:
            return [*found, *found[0].children(recursive=True)]
    except psutil.Error:
        return []
    for process in found:  # which grows meanwhile
        for child in _children_of(process):
            with contextlib.suppress(psutil.Error):
                found.append(psutil.Process(child))
    return found


def _children_of(process: psutil.Process) -> list[int]:
    """The numbers of its children, of each of its threads, as Linux tells them; none once it has ended."""
    found: list[int] = []
    for thread in threads_of(process):
        with contextlib.suppress(OSError):
            found += map(int, Path(f"/proc/{process.pid}/task/{thread}/children").read_bytes().split())
    return found


def cpu_seconds_of(processes: list[psutil.Process]) -> float:
    """Processor time of these, and of descendants that ended and were waited for."""
    # Parents come first: a child that ends between the two readings is missed, and never counted twice.
    times = _of_living(processes, lambda process: process.cpu_times())
    return float(sum(t.user + t.system + t.children_user + t.children_system for t in times))


def _files_of(process: psutil.Process, folders: Sequence[str]) -> int:
    with contextlib.suppress(OSError):
        systems = [os.statvfs(f"/proc/{process.pid}/root{folder}") for folder in folders]
        return sum(system.f_files - system.f_ffree for system in systems)
    return 0  # it has ended


def threads_of(process: psutil.Process) -> list[int]:
    """The numbers of the threads of a process; none once it has ended."""
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir(f"/proc/{process.pid}/task")]
    return []


def _of_living(processes: list[psutil.Process], read: Callable[[psutil.Process], Any]) -> list[Any]:
    found = []
    for process in processes:
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            found.append(read(process))
    return found
