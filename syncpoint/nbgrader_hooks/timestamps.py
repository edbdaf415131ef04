"""The folders and times that nbgrader reads: names and time stamps come from outside, and may hold anything."""

import functools
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import nbgrader.utils
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Application
from traitlets.log import get_logger

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..course.submission_folder import LinkedFolder, check_name, linked, time_of
from ..course.times import Clock, UnreadableTime

STOCK = nbgrader.utils.parse_utc


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
