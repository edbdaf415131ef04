"""The control group of a sandbox: if one can be created, Linux counts and limits all processes together.

Version 2 of control groups only (Linux 5.14 and newer); see cgroups(7) and Documentation/admin-guide/cgroup-v2.rst.
"""

import contextlib
import functools
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from .usage import Usage

PREFIX = "syncpoint-"
NEEDED = ("memory.max", "memory.oom.group", "pids.max", "cpu.stat", "cgroup.kill")
CONTROLLERS = ("+memory +pids", "+cpu")  # the last one only where available
WEIGHT = 25  # a sandbox's weight; other groups have 100 by default
GONE_SECONDS = 5  # the longest time for killed processes to leave their group


@dataclass(frozen=True)
class ControlGroup:
    """The group of one sandbox, a folder in the machine's tree of groups."""

    folder: Path

    @classmethod
    def make(cls, parent: Path, memory: int, threads: int) -> "ControlGroup":
        """Return a new group below a parent that limits all its processes together to these bytes and threads."""
        group = cls(Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent)))
        try:
            group._write("memory.max", memory)
            group._write("memory.oom.group", 1)  # a sandbox that has lost a process is useless
            group._write("pids.max", threads)
            # Missing if Linux has no swap, or if groups do not share out the processors.
            for name, value in (("memory.swap.max", 0), ("cpu.weight", WEIGHT)):
                if (group.folder / name).exists():
                    group._write(name, value)
        except OSError:
            group.folder.rmdir()
            raise
        return group

    def command(self, argv: list[str]) -> list[str]:
        """Return a command that enters the group and becomes ``argv``, so no process is ever outside."""
        return ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.folder / "cgroup.procs"), *argv]

    def usage(self) -> Usage:
        """The resources in use now. Cached files that Linux can drop do not count as memory."""
        memory = self._table("memory.stat")
        return Usage(
            memory=self._number("memory.current") - memory["file"] + memory["shmem"],
            threads=self._number("pids.current"),
            cpu_seconds=self.cpu_seconds,
        )

    @property
    def cpu_seconds(self) -> float:
        return self._table("cpu.stat")["usage_usec"] / 1e6

    def threads(self) -> list[int]:
        with contextlib.suppress(OSError):
            return [int(number) for number in (self.folder / "cgroup.threads").read_text().split()]
        return []  # the group no longer exists

    @property
    def exhausted(self) -> str:
        """The resource that the sandbox ran out of, as :class:`Usage` names it; "" for none."""
        if self._table("memory.events")["oom"]:
            return "memory"
        return "threads" if self._table("pids.events")["max"] else ""

    def end(self) -> None:
        """Kill every process of the group."""
        self._write("cgroup.kill", 1)

    def remove(self) -> None:
        """End the sandbox, wait until its last process has gone, and remove the group."""
        self.end()
        deadline = time.monotonic() + GONE_SECONDS
        while self._table("cgroup.events")["populated"] and time.monotonic() < deadline:
            time.sleep(0.005)
        with contextlib.suppress(OSError):  # Linux has not ended a process yet: a later judge removes the group
            self.folder.rmdir()

    def _write(self, name: str, value: int) -> None:
        (self.folder / name).write_text(str(value))

    def _number(self, name: str) -> int:
        return int((self.folder / name).read_text())

    def _table(self, name: str) -> dict[str, int]:
        lines = (line.split() for line in (self.folder / name).read_text().splitlines())
        return {key: int(value) for key, value in lines}


@functools.cache
def find_parent() -> Path | None:
    """Return the nearest group, from this process's own upwards, that can have groups of sandboxes; or None."""
    return next((folder for folder in own_groups() if _allows_groups(folder)), None)


def own_groups() -> Iterator[Path]:
    """The folders of this process's group and of all mounted groups above it."""
    groups = (line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines())
    own = next((Path(path) for number, _, path in groups if number == "0"), None)
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        root, mounted = Path(fields[3]), Path(fields[4])
        if own is not None and ".." not in own.parts and " - cgroup2 " in line and own.is_relative_to(root):
            below = mounted / own.relative_to(root)
            yield from (folder for folder in (below, *below.parents) if folder.is_relative_to(mounted))


def _allows_groups(parent: Path) -> bool:
    """Whether a group below this one has all it needs and a process can enter it; it is tried."""
    _sweep(parent)
    for controllers in CONTROLLERS:
        with contextlib.suppress(OSError):  # Linux refuses this if processes are in the parent itself
            (parent / "cgroup.subtree_control").write_text(controllers)
    try:
        trial = ControlGroup(Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent)))
    except OSError:
        return False
    try:
        entered = subprocess.run(trial.command(["/bin/true"]), capture_output=True).returncode == 0
        return entered and all((trial.folder / name).exists() for name in NEEDED)
    finally:
        trial.folder.rmdir()


def _sweep(parent: Path) -> None:
    """Remove the empty groups of judges that were killed."""
    for folder in parent.glob(f"{PREFIX}*"):
        judge = folder.name.removeprefix(PREFIX).split("-")[0]
        if judge.isdigit() and not psutil.pid_exists(int(judge)):
            with contextlib.suppress(OSError):  # not empty, or another judge was faster
                folder.rmdir()
