"""The folders of submissions as nbgrader sees them: names and time stamps come from outside, and may hold anything."""

import functools
import os
import stat
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import nbgrader.utils
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Application
from traitlets.log import get_logger

from ..core.errors import CannotGrade, SyncpointError
from ..course.errors import UnreadableTime
from ..course.folder import Course
from ..course.intake import TIMESTAMP
from ..course.times import Clock

MAX_BYTES = 200
STOCK = nbgrader.utils.parse_utc


class OddName(CannotGrade):
    """A folder's name that cannot be a student's; the text says why and what to do."""

    def __init__(self, folder: Path):
        super().__init__(
            f"{str(folder)!r} has a line break, another control character or one of * ? [ in it. Rename it."
        )


class LinkedFolder(CannotGrade):
    """A submission that lies elsewhere, perhaps with another student; the text says what to do."""

    def __init__(self, folder: Path):
        super().__init__(f"{folder} is a link to another folder. Put a folder with the student's own work there.")


def check_name(folder: Path) -> None:
    """Refuse a submission whose folder is in one that no student should have.

    nbgrader takes * ? [ for patterns: such a folder would be taken for those of others.

    Raises:
        OddName: If it is so.
    """
    name = folder.parent.name
    if not name.isprintable() or set(name) & set("*?["):
        raise OddName(folder.parent)


def linked(folder: Path) -> bool:
    """Whether the folder of a submission, or of its student, is a link: what is behind it may be anybody's."""
    return folder.is_symlink() or folder.parent.is_symlink()


class Submissions(CourseDirectory):
    """nbgrader's folders of a course: an odd name loses one student and not the class, an odd time stamp nobody."""

    @classmethod
    def like(cls, other: CourseDirectory) -> "Submissions":
        """The same folders."""
        return cls(parent=other.parent, **{name: getattr(other, name) for name in other.trait_names(config=True)})

    def format_path(self, nbgrader_step: str, student_id: str, assignment_id: str, escape: bool = False) -> str:
        """Return a path, or a pattern that takes line breaks in paths: nbgrader ends its run at a path without a match.

        Raises:
            LinkedFolder: For a submission that is one: nbgrader would walk through all that lies behind it.
        """
        path = super().format_path(nbgrader_step, student_id, assignment_id, escape=escape)
        if nbgrader_step == self.submitted_directory and not escape and linked(Path(path)):
            raise LinkedFolder(Path(path))
        return f"(?s){path}" if escape else path

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """Return the time in UTC, or None.  It is the first thing that nbgrader asks of a submission.

        Raises:
            OddName: If its folder is in one that no student should have.
        """
        folder = Path(dest_path)
        check_name(folder)
        try:
            return time_of(folder, self.clock)
        except UnreadableTime:
            return None

    @functools.cached_property
    def clock(self) -> Clock:
        """How the course reads times."""
        return Course(Path(self.root)).clock


def time_of(folder: Path, clock: Clock) -> datetime | None:
    """Return when a submission was handed in, in UTC and without a zone; None if nothing says when.

    Raises:
        UnreadableTime: If there is a time stamp, and it is none: no text, too long, not a file, or with two meanings.
    """
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
    """Why the time stamp of a submission cannot be understood; "" if it can, or if there is none."""
    try:
        time_of(folder, clock)
    except UnreadableTime as problem:
        return str(problem)
    return ""


def read_typed_times(course: Course) -> None:
    """Have nbgrader read times that people type, such as due dates, as this course does.

    nbgrader has no setting for it: its own parser takes an offset for seconds, and a zone that it does not know for
    UTC.
    """
    nbgrader.utils.parse_utc = functools.partial(_parse, course, Clock.read)
    if collector := sys.modules.get("nbgrader.apps.zipcollectapp"):  # it has taken the name already
        collector.parse_utc = functools.partial(_parse, course, Clock.read_stamp)  # type: ignore[attr-defined]


def _parse(course: Course, read: Callable[[Clock, str], datetime], time: datetime | str | None) -> datetime | None:
    """What nbgrader's ``parse_utc`` does, with the one parser; says what was understood.

    Returns:
        UTC without a zone, as nbgrader keeps times.

    Raises:
        SyncpointError: If it has no meaning, or more than one; a command of nbgrader's says so and ends.
    """
    if not isinstance(time, str):
        return STOCK(time)
    try:
        clock = course.clock
        understood = read(clock, time)
    except SyncpointError as problem:
        if Application.initialized() and isinstance(app := Application.instance(), NbGrader):
            app.fail("%s", problem)
        raise
    get_logger().info("%r is %s.", time, clock.show(understood))
    return understood.replace(tzinfo=None)
