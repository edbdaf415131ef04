"""Shared and exclusive judging on this machine, among all judges of this account.

Two locks on files, which the system takes away however a judge ends.  All who judge share *judging*; who wants to be
alone holds *entry*, which everybody takes for a moment first, and waits until nobody judges.
"""

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .folder import temporary_folder


@dataclass(frozen=True)
class JudgingLock:
    """A pair of locks: one to enter, one to judge."""

    name: str  # the same name is the same lock
    longest: float  # seconds after which a waiting process continues without the lock
    over: Callable[[], bool] = bool  # a waiting process also continues when this is true: it is ending

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Judge while others judge as well. Waits for a judge that needs the machine alone."""
        until = time.monotonic() + self.longest
        with contextlib.ExitStack() as judging:
            with contextlib.ExitStack() as entry:
                self._lock(entry, "entry", fcntl.LOCK_EX, until)
                self._lock(judging, "judging", fcntl.LOCK_SH, until)
            yield

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Judge alone. Waits for all others."""
        until = time.monotonic() + self.longest
        with contextlib.ExitStack() as both:
            self._lock(both, "entry", fcntl.LOCK_EX, until)
            self._lock(both, "judging", fcntl.LOCK_EX, until)
            yield

    def _lock(self, stack: contextlib.ExitStack, which: str, kind: int, until: float) -> None:
        """Hold a lock until the stack closes. Continues without it if none can be created: grading goes on."""
        try:
            path = _folder() / f"{self.name}.{which}"
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError:
            return
        stack.callback(os.close, handle)
        while True:
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(handle, kind | fcntl.LOCK_NB)
            if time.monotonic() > until or self.over():  # the holder was stopped, or this process is ending
                return
            time.sleep(0.05)


def _folder() -> Path:
    """Return this account's folder for locks."""
    folder = temporary_folder() / f"syncpoint-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    return folder
