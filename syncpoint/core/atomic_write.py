"""Atomic writes: a file or folder is complete or absent, even if its writer is killed or the disk is full."""

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path

BEGINNING, ENDING = ".syncpoint-", ".part"  # students' folders may have files with such an ending


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Replace a file atomically, or raise OSError and change nothing.

    It is written next to its target under another name, and locked as long as its writer lives: a part that can be
    locked no longer has a writer, see :func:`sweep_parts`.
    """
    handle, part = _new_part(path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
            os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def put_in_place(new: Path, place: Path, old: Path) -> None:
    """Move the folder at ``place`` to ``old``, and ``new`` to its place. Each of the two may be absent."""
    if place.exists():
        place.rename(old)
    if new.exists():
        new.rename(place)


def usual_mode() -> int:
    """Return the permissions of a new file of this user, from the umask."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def sweep_parts(folder: Path) -> None:
    """Remove unfinished files of killed writers in this folder and below it."""
    for part in folder.rglob(f"{BEGINNING}*{ENDING}"):
        # another run is removing it, or its writer is still running
        with contextlib.suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()


def _new_part(folder: Path) -> tuple[int, str]:
    while True:
        handle, name = tempfile.mkstemp(prefix=BEGINNING, suffix=ENDING, dir=folder)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.exists(name):  # otherwise another run removed it before we locked it
            return handle, name
        os.close(handle)
