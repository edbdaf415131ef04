"""Who judges beside others on this machine and who alone: among all judges of this account, whoever started them.

Two locks on files, which the system takes away however a judge ends.  All who judge share the room; who wants it alone
closes the gate before it, through which everybody goes, and waits until the room is empty.
"""

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from .folder import temporary_folder


@contextlib.contextmanager
def beside_others(longest: float) -> Iterator[None]:
    """Judge while others do.  Waits for one who is alone, but not longer than so many seconds."""
    until = time.monotonic() + longest
    with contextlib.ExitStack() as room:
        with contextlib.ExitStack() as gate:
            _lock(gate, "gate", fcntl.LOCK_EX, until)
            _lock(room, "room", fcntl.LOCK_SH, until)
        yield


@contextlib.contextmanager
def alone(longest: float) -> Iterator[None]:
    """Judge while nobody else does.  Waits for those who do, but not longer than so many seconds."""
    until = time.monotonic() + longest
    with contextlib.ExitStack() as both:
        _lock(both, "gate", fcntl.LOCK_EX, until)
        _lock(both, "room", fcntl.LOCK_EX, until)
        yield


def _lock(stack: contextlib.ExitStack, name: str, kind: int, until: float) -> None:
    """Hold a lock as long as the stack.  Goes on without it where none can be had: grading does not end by that."""
    try:
        handle = os.open(_folder() / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return
    stack.callback(os.close, handle)
    while True:
        with contextlib.suppress(BlockingIOError):
            return fcntl.flock(handle, kind | fcntl.LOCK_NB)
        if time.monotonic() > until:  # somebody stopped the one who has it
            return
        time.sleep(0.05)


def _folder() -> Path:
    """Return a folder of this account's.

    Raises:
        PermissionError: Where another account has taken its name.
    """
    folder = temporary_folder() / f"syncpoint-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's")
    return folder
