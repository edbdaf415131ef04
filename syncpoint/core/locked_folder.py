"""Locks that the system releases when their holder ends, however it ends: of temporary folders and of commands."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


def make_locked(parent: Path, prefix: str) -> tuple[Path, int]:
    """Create a locked folder; return its path and the descriptor that holds the lock until it is closed."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with contextlib.suppress(FileNotFoundError):  # another process removed it before it was locked
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if path.is_dir():
                return path, lock
            os.close(lock)


@contextlib.contextmanager
def if_nobodys(folder: Path) -> Iterator[int | None]:
    """Return a locked descriptor of a folder whose creator has ended; None for any other folder."""
    with contextlib.ExitStack() as stack:
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            stack.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield None
        else:
            yield lock


@contextlib.contextmanager
def locked_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Yield a temporary folder, after removing folders of this name whose creators were killed."""
    for left in parent.glob(f"{prefix}*"):
        with if_nobodys(left) as lock:
            if lock is not None:
                shutil.rmtree(left, ignore_errors=True)
    path, lock = make_locked(parent, prefix)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


@contextlib.contextmanager
def only_one(lock: Path, taken: Exception) -> Iterator[None]:
    """Hold this file's lock, whose folder is created; raise ``taken`` if another process holds it."""
    lock.parent.mkdir(exist_ok=True)
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise taken from None
        yield
