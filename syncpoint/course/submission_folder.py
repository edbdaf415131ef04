"""The folder of a submission. Its name, links and time stamp come from outside and are not trusted."""

import os
import stat
from datetime import datetime
from pathlib import Path

from ..core.errors import CannotGrade
from .intake import TIMESTAMP
from .times import Clock, UnreadableTime

MAX_BYTES = 200


class OddName(CannotGrade):
    """A folder's name that cannot be a student's; the text says why and what to do."""

    def __init__(self, folder: Path):
        super().__init__(
            f"{str(folder)!r} has a line break, another control character or one of * ? [ in it. Rename it."
        )


class LinkedFolder(CannotGrade):
    """A submission's folder is a link, possibly to another student's work; the message says what to do."""

    def __init__(self, folder: Path):
        super().__init__(f"{folder} is a link to another folder. Put a folder with the student's own work there.")


def check_name(folder: Path) -> None:
    """Raise OddName if nbgrader would take a student's folder for a pattern that matches other students'."""
    name = folder.parent.name
    if not name.isprintable() or set(name) & set("*?["):
        raise OddName(folder.parent)


def linked(folder: Path) -> bool:
    """Whether the folder of a submission or of its student is a link, which may lead to any files."""
    return folder.is_symlink() or folder.parent.is_symlink()


def time_of(folder: Path, clock: Clock) -> datetime | None:
    """Return the time of submission in UTC, without a zone; None without a time stamp. Raises UnreadableTime."""
    path = folder / TIMESTAMP
    if not os.path.lexists(path):
        return None
    state = path.lstat()
    if not stat.S_ISREG(state.st_mode):
        raise UnreadableTime("it is not a file")
    if state.st_size > MAX_BYTES:
        raise UnreadableTime(f"it has more than {MAX_BYTES} bytes")
    try:
        text = path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        raise UnreadableTime("it is not text that can be read") from None
    return clock.read_stamp(text).replace(tzinfo=None) if text else None


def why_no_time(folder: Path, clock: Clock) -> str:
    """Return why the time stamp of a submission cannot be read; "" if it can, or if there is none."""
    try:
        time_of(folder, clock)
    except UnreadableTime as problem:
        return str(problem)
    return ""
