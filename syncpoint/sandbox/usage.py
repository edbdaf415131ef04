"""The resources that a sandbox uses, read from outside, process by process.

Several looks a second at some processes with many threads: so files of /proc are read without psutil or pathlib, which
take five times as long.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import psutil

PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
# fields of /proc/.../stat; times: user, system, and both of children
STATE, SESSION, TIMES, THREADS = 0, 3, slice(11, 15), 17
# Otherwise all processes of the machine are searched, several times a second.
KERNEL_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{threading.get_native_id()}/children")


@dataclass(frozen=True)
class Usage:
    """The resources that all processes of a sandbox use together."""

    memory: int = 0  # bytes
    threads: int = 0
    cpu_seconds: float = 0.0  # seconds of processor time so far
    sessions: int = 0  # number of sessions (setsid), each with its own share of the processors
    # number of files in the writable folders: Linux counts the memory for each file for nobody
    files: int = 0
    descriptors: int = 0  # number of open descriptors: data that waits in a socket is memory of no process

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))

    def __sub__(self, before: "Usage") -> "Usage":
        return Usage(*(now - then for now, then in zip(astuple(self), astuple(before), strict=True)))


def usage_of_processes(outermost: int, dear_above: int, folders: Sequence[str] = ()) -> Usage:
    """Return the usage of a process and its descendants, without processes that end meanwhile.

    Shared pages are counted once only if the sum exceeds ``dear_above`` bytes, because that takes longer to read.
    Processor time includes that of descendants that have ended and were waited for.  ``folders`` are file systems in
    memory, as the first process below it sees them.
    """
    numbers = numbers_of(outermost)
    stats = _of_living(numbers, stat_of)
    memory = _of_living(numbers, lambda number: [int(pages) * PAGE for pages in read(number, "statm").split()[1:3]])
    used = sum(rss - shared for rss, shared in memory) + max((shared for _, shared in memory), default=0)
    if used > dear_above:
        used = sum(_of_living(numbers, lambda number: psutil.Process(number).memory_full_info().pss))
    return Usage(
        memory=used,
        threads=sum(int(stat[THREADS]) for stat in stats),
        cpu_seconds=_cpu_seconds(stats),
        sessions=len({stat[SESSION] for stat in stats}),
        files=sum(_of_living(numbers[1:2], lambda number: _files_of(number, folders))),
        descriptors=sum(_of_living(numbers, lambda number: len(os.listdir(f"/proc/{number}/fd")))),
    )


def read(process: int, name: str) -> bytes:
    """Return a file of a process's folder in /proc. Raises OSError if the process has ended."""
    with open(f"/proc/{process}/{name}", "rb", buffering=0) as file:
        return file.read()


def stat_of(process: int) -> list[bytes]:
    """The fields of a process's or thread's stat from 3 on, see proc_pid_stat(5). Raises OSError if it has ended."""
    return read(process, "stat").rpartition(b")")[2].split()


def numbers_of(outermost: int) -> list[int]:
    """Return the numbers of a process and its descendants, parents first; none once it has ended."""
    if not KERNEL_LISTS_CHILDREN:
        try:
            found = psutil.Process(outermost)
            return [outermost, *(child.pid for child in found.children(recursive=True))]
        except psutil.Error:
            return []
    numbers = [outermost] if os.path.exists(f"/proc/{outermost}") else []
    for number in numbers:  # the list grows in this loop
        for thread in threads_of(number):
            with contextlib.suppress(OSError):
                numbers += map(int, read(number, f"task/{thread}/children").split())
    return numbers


def processes_of(outermost: int) -> list[psutil.Process]:
    """Return a process and its descendants, parents first; none once it has ended."""
    return _of_living(numbers_of(outermost), psutil.Process)


def cpu_seconds_of(numbers: list[int]) -> float:
    """Processor time of these processes, and of descendants that ended and were waited for."""
    return _cpu_seconds(_of_living(numbers, stat_of))


def _cpu_seconds(stats: list[list[bytes]]) -> float:
    # Parents first: a child that ends between the two readings is missed, but never counted twice.
    return sum(int(ticks) for stat in stats for ticks in stat[TIMES]) / TICKS


def _files_of(number: int, folders: Sequence[str]) -> int:
    with contextlib.suppress(OSError):
        systems = [os.statvfs(f"/proc/{number}/root{folder}") for folder in folders]
        return sum(system.f_files - system.f_ffree for system in systems)
    return 0  # it has ended


def threads_of(number: int) -> list[int]:
    """The numbers of the threads of a process; none once it has ended."""
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir(f"/proc/{number}/task")]
    return []


def _of_living(numbers: list[int], look: Callable[[int], Any]) -> list[Any]:
    found = []
    for number in numbers:
        with contextlib.suppress(psutil.Error, OSError):
            found.append(look(number))
    return found
