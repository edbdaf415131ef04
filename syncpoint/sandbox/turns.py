"""Decides which judges of this account run together on this machine, and which one runs alone.

It uses two locks on files, which the system releases however a judge ends.  All judges share *judging*.  A judge that
must be alone holds *entry*, which every judge takes for a moment first, and waits until no other judges.
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
class Turns:
    """One such pair of locks.

    Attributes:
        name: The name that its users share.
        longest: How many seconds a judge waits at most; then it goes on as if it were its turn.
        over: While a judge waits, it asks whether this is true, and then goes on, in order to end.
    """

    name: str
    longest: float
    over: Callable[[], bool] = bool

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Judge while others do.  Waits for a judge that runs alone."""
        until = time.monotonic() + self.longest
        with contextlib.ExitStack() as judging:
            with contextlib.ExitStack() as entry:
                self._lock(entry, "entry", fcntl.LOCK_EX, until)
                self._lock(judging, "judging", fcntl.LOCK_SH, until)
            yield

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Judge while no other does.  Waits until the others have ended."""
        until = time.monotonic() + self.longest
        with contextlib.ExitStack() as both:
            self._lock(both, "entry", fcntl.LOCK_EX, until)
            self._lock(both, "judging", fcntl.LOCK_EX, until)
            yield

    def _lock(self, stack: contextlib.ExitStack, which: str, kind: int, until: float) -> None:
        """Hold a lock as long as the stack.  Without a lock, grading goes on."""
        try:
            path = _folder() / f"{self.name}.{which}"
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError:
            return
        stack.callback(os.close, handle)
        while True:
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(handle, kind | fcntl.LOCK_NB)
            if time.monotonic() > until or self.over():  # somebody stopped the one who has it, or us
                return
            time.sleep(0.05)


def _folder() -> Path:
    """Return a folder of this account's.

    Raises:
        PermissionError: If another account has taken its name.
    """
    folder = temporary_folder() / f"syncpoint-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's")
    return folder
