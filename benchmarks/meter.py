"""The meter: runs one command and reads what it and every process below it cost; a process of its own."""

import contextlib
import ctypes
import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

from syncpoint.course.nbgrader_command import CommandFailed

PR_SET_CHILD_SUBREAPER = 36
PERIOD = 0.5  # seconds between two looks at the processes; a look costs some milliseconds
PATIENCE = 20.0  # seconds for what the command left running
SANDBOX = "bwrap"


@dataclass(frozen=True)
class Memory:
    """MiB resident: of the command itself, and of its largest process outside and inside a sandbox."""

    coordinator: float = 0.0
    worker: float = 0.0
    kernel: float = 0.0


@dataclass(frozen=True)
class Reading:
    """What a command cost.

    began: time.time() at its start.  wall: seconds.  cpu: processor seconds of it and of every process below it, also
    of those whose parent was killed.  peak: the most of each.  series: (seconds since the start, memory then).
    left_over: processes that were still there long after it had ended, and were killed.
    """

    status: int
    began: float
    wall: float
    cpu: float
    peak: Memory
    series: tuple[tuple[float, Memory], ...]
    left_over: int
    said: str


def read(argv: Sequence[str], folder: Path, environment: dict[str, str]) -> Reading:
    """Run a command to its end under the meter.  Raises CommandFailed with the end of what it said."""
    meter = [sys.executable, "-P", __file__, *argv]  # whatever folder it stands in
    done = subprocess.run(meter, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise CommandFailed(f"the bench could not run {argv[0]}: the lines above say why.")
    plain = json.loads(done.stdout)
    series = tuple((seconds, Memory(**memory)) for seconds, memory in plain.pop("series"))
    reading = Reading(peak=Memory(**plain.pop("peak")), series=series, **plain)
    if reading.status:
        said = reading.said.strip() or "it said nothing"
        raise CommandFailed(f"{' '.join(argv)} failed in the bench (exit status {reading.status}):\n{said}")
    return reading


# --- the meter's own process ----------------------------------------------------------------------------------------


@dataclass
class Peaks:
    """The most memory seen so far, and its course."""

    root: int
    began: float
    peak: Memory = field(default_factory=Memory)
    series: list[tuple[float, Memory]] = field(default_factory=list)

    def look(self) -> None:
        """Look at every process below the meter once."""
        now = dict.fromkeys(asdict(self.peak), 0.0)
        peak = asdict(self.peak)
        for role, pid in roles(self.root, _parents()):
            with contextlib.suppress(OSError):  # it may have ended meanwhile
                resident, highest = _memory(pid)
                now[role] = max(now[role], resident)
                peak[role] = max(peak[role], highest)
        self.peak = Memory(**peak)
        self.series.append((round(time.monotonic() - self.began, 2), Memory(**now)))


def roles(root: int, parents: dict[int, tuple[int, str]]) -> Iterable[tuple[str, int]]:
    """The role and number of each process below the meter: ``parents`` holds parent and name by number."""
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in parents.items():
        children.setdefault(parent, []).append(pid)
    waiting = [(child, "") for child in children.get(os.getpid(), ())]
    while waiting:
        pid, role = waiting.pop()
        if role != "kernel":
            role = "kernel" if parents[pid][1] == SANDBOX else "coordinator" if pid == root else "worker"
        yield role, pid
        waiting += [(child, role) for child in children.get(pid, ())]


def _parents() -> dict[int, tuple[int, str]]:
    found = psutil.process_iter(["ppid", "name"])
    return {process.pid: (process.info["ppid"], process.info["name"]) for process in found}


def _memory(pid: int) -> tuple[float, float]:
    """MiB resident now and at its highest.  Raises OSError if the process is gone."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    kib = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith(("VmRSS", "VmHWM"))}
    return float(kib.get("VmRSS", 0)) / 1024, float(kib.get("VmHWM", 0)) / 1024


def _wait_for_all() -> int:
    """Wait for whatever the command left running; kill it in the end.  Returns how many had to be killed."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            gone, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return 0
        if not gone:
            time.sleep(0.05)
    stray = psutil.Process().children(recursive=True)
    for process in stray:
        with contextlib.suppress(psutil.Error):
            process.kill()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    return len(stray)


def main(argv: Sequence[str]) -> None:
    """Run the command and print the reading as JSON."""
    # A process whose parent was killed comes to us, so that its processor time is not lost.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryFile("w+") as said:
        began, clock = time.time(), time.monotonic()
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
        peaks = Peaks(process.pid, clock)
        ended = os.pidfd_open(process.pid)
        while not select.select([ended], [], [], PERIOD)[0]:
            peaks.look()
        status = process.wait()
        wall = time.monotonic() - clock
        left_over = _wait_for_all()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        said.seek(0)
        words = "\n".join(said.read().splitlines()[-20:])
    cpu = used.ru_utime + used.ru_stime
    reading = Reading(status, began, wall, cpu, peaks.peak, tuple(peaks.series), left_over, words)
    print(json.dumps(asdict(reading)))


if __name__ == "__main__":
    main(sys.argv[1:])
