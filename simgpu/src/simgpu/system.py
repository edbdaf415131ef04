"""The operating system's features: the only module that checks which system this is."""

import contextlib
import math
import mmap
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

TRANSPORT = "SIMGPU_TRANSPORT"
"""An environment variable: ``tcp`` or ``unix`` chooses how a process communicates with the device that it starts."""
HAS_UNIX = hasattr(socket, "AF_UNIX") and hasattr(socket, "SCM_RIGHTS") and hasattr(os, "memfd_create")
HAS_FORK = hasattr(os, "fork")
IS_LINUX = sys.platform == "linux"
BACKGROUND: dict[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)}
    if sys.platform == "win32"
    else {"start_new_session": True}
)
"""Options for starting a device so that Ctrl-C in a terminal does not reach it."""


def uses_tcp() -> bool:
    """Whether our own device uses TCP: without Unix sockets or memfd, or on request.

    Raises:
        ValueError: ``SIMGPU_TRANSPORT`` names no transport of this system.
    """
    wanted = os.environ.get(TRANSPORT, "")
    if wanted not in ("", "tcp", "unix"):
        raise ValueError(f'simgpu: {TRANSPORT} must be "tcp" or "unix", but is "{wanted}"')
    if wanted == "unix" and not HAS_UNIX:
        raise ValueError(f"simgpu: this system has no Unix sockets with sealed memory. Unset {TRANSPORT}.")
    return wanted == "tcp" or not HAS_UNIX


def is_unix(sock: socket.socket) -> bool:
    """Whether a socket can pass descriptors, so that pinned memory is sealed."""
    return HAS_UNIX and sock.family == socket.AF_UNIX


def after_fork(function: Callable[[], None]) -> None:
    """Call a function in each forked child, if the system can fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def tasks() -> set[str]:
    """Return the threads of this process if Linux shows what each one does; else none."""
    try:
        return set(os.listdir("/proc/self/task")) if IS_LINUX else set()
    except OSError:
        return set()


def limit_processor_time(seconds: int) -> None:
    """End this process after this much more processor time."""
    import resource  # Windows has no such module

    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, most))


_ADD_SEALS, _SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1033, 1, 2, 4


def seal(fd: int) -> None:
    """Fix the size of a memfd."""
    import fcntl  # only reached on systems with memfd, and Windows has no such module

    fcntl.fcntl(fd, _ADD_SEALS, _SEAL_SEAL | _SEAL_SHRINK | _SEAL_GROW)


def make_named(name: str, nbytes: int) -> tuple[mmap.mmap, int | None]:
    """Create shared memory, and a file descriptor of it if the system has them.

    Raises:
        OSError: it does not fit, or the name is taken.
    """
    return _named(name, nbytes, create=True)


def map_named(name: str, nbytes: int) -> mmap.mmap:
    """Map the same memory in another process.

    Raises:
        OSError: there is no such name.
    """
    memory, fd = _named(name, nbytes, create=False)
    if fd is not None:
        os.close(fd)
    return memory


if sys.platform == "win32":

    def _named(name: str, nbytes: int, create: bool) -> tuple[mmap.mmap, int | None]:
        return mmap.mmap(-1, nbytes, tagname=name), None

    def forget_name(name: str) -> None:
        """Do nothing: Windows drops a name with its last mapping."""

else:
    # multiprocessing.shared_memory uses it as well, but would start a process that tracks names on each side.
    import _posixshmem  # type: ignore[import-not-found]

    def _named(name: str, nbytes: int, create: bool) -> tuple[mmap.mmap, int | None]:
        fd = _posixshmem.shm_open(f"/{name}", os.O_RDWR | (os.O_CREAT | os.O_EXCL if create else 0), mode=0o600)
        try:
            if create:
                os.ftruncate(fd, nbytes)
                if IS_LINUX:  # a container's /dev/shm is small, and a page that does not fit would end the process
                    os.posix_fallocate(fd, 0, nbytes)
            return mmap.mmap(fd, nbytes), fd
        except OSError:
            os.close(fd)
            if create:
                forget_name(name)
            raise

    def forget_name(name: str) -> None:
        """Remove a name; the memory lasts as long as it is mapped."""
        with contextlib.suppress(FileNotFoundError):
            _posixshmem.shm_unlink(f"/{name}")
