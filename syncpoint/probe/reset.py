"""Cleans a sandbox after a notebook and compares it with its initial state. If it differs, it is not reused."""

import contextlib
import fcntl
import os
import resource
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

KILLED_SECONDS = 3
DEVICES = "/dev"
GET_FLAGS = 0x80086601  # FS_IOC_GETFLAGS of linux/fs.h
LIMITS = [value for name, value in sorted(vars(resource).items()) if name.startswith("RLIMIT_")]
# Properties of a process that others of the same user can change, or that its children inherit.
SETTINGS = (
    "oom_score_adj coredump_filter autogroup uid_map gid_map projid_map setgroups timens_offsets mountinfo".split()
)
# What a notebook may leave behind besides processes and files: sockets that close slowly, System V memory.
TABLES = [
    *(f"/proc/net/{name}" for name in ("tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6", "unix")),
    "/proc/net/ip6_flowlabel",  # labels of connections, each with an address: Linux keeps them for a minute
    *(f"/proc/sysvipc/{name}" for name in ("shm", "sem", "msg")),
]


class DirtySandbox(Exception):
    """The sandbox differs from its state before the notebook; the text says where."""


class Resetter:
    """Restores the sandbox to its state when this object was created.  Only for its first process.

    Its folders are all writable ones, each a file system in memory.  Files that the engine wrote there while loading
    are deleted.
    """

    def __init__(self, folders: list[str]):
        if os.getpid() != 1:
            raise DirtySandbox("the server is not the first process of a sandbox")
        if _writable_shared_memory():
            raise DirtySandbox("the engine shares memory with the kernels that would be forked")
        self._folders = folders
        self._modes = {folder: os.stat(folder).st_mode & 0o7777 for folder in folders}
        for folder in folders:
            self._empty(folder)
        self._first = self._state()

    def clean(self) -> None:
        """End every process, empty every folder, and compare. Raises DirtySandbox if the sandbox is not what it was."""
        self._end_processes()
        for folder in self._folders:
            self._empty(folder)
        state = self._state()
        if state != self._first:
            differs = [name for name in state if state[name] != self._first[name]]
            raise DirtySandbox(f"changed: {', '.join(differs)}")

    def _end_processes(self) -> None:
        """Kill all other processes of this sandbox. For its first process, -1 means all that it can see."""
        deadline = time.monotonic() + KILLED_SECONDS
        while True:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                return
            if time.monotonic() > deadline:
                raise DirtySandbox("a process cannot be killed")
            time.sleep(0.001)

    def _empty(self, folder: str) -> None:
        os.chmod(folder, self._modes[folder])
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
        # The folders themselves also have attributes and times.
        for name in os.listxattr(folder):
            os.removexattr(folder, name)
        os.utime(folder, ns=(0, 0))

    def _state(self) -> dict[str, Any]:
        """Return the state that a process of the same user could change here, as far as Linux shows it."""
        return {
            "processes": [name for name in os.listdir("/proc") if name.isdigit()],
            "folders": [(os.listdir(folder), os.stat(folder).st_mode, _flags(folder)) for folder in self._folders],
            "devices": {path: os.lstat(path).st_mode for path in _below(DEVICES) if path not in self._folders},
            "limits": [resource.getrlimit(limit) for limit in LIMITS],
            "priority": os.getpriority(os.PRIO_PROCESS, 0),
            "scheduler": (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority, os.sched_getaffinity(0)),
            **{name: _text(f"/proc/self/{name}") for name in SETTINGS},
            **{path: _entries(path) for path in TABLES},
        }


def _below(folder: str) -> list[str]:
    return [os.path.join(way, name) for way, folders, files in os.walk(folder) for name in (*folders, *files)]


def _flags(folder: str) -> int:
    """Return a folder's attributes that new files in it inherit; 0 if its file system has none."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        return int.from_bytes(fcntl.ioctl(handle, GET_FLAGS, bytes(8)), sys.byteorder)
    except OSError:
        return 0
    finally:
        os.close(handle)


def _entries(table: str) -> int:
    """Return the number of lines of a Linux table whose content changes with every reading."""
    return len(_text(table).splitlines())


def _text(path: str) -> str:
    """Return the content of a file; empty if Linux has no such file."""
    return Path(path).read_text() if os.path.exists(path) else ""


def _writable_shared_memory() -> bool:
    """Whether this process has memory that a fork would share instead of copying."""
    maps = Path("/proc/self/maps").read_text().splitlines()
    return any(line.split()[1][1] == "w" and line.split()[1][3] == "s" for line in maps)
