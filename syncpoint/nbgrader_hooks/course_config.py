"""Changes for which nbgrader has no setting; a course's nbgrader_config.py calls this once."""

import functools
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import nbgrader.utils
from nbgrader.api import Gradebook
from nbgrader.apps import NbGrader
from traitlets.config import Application
from traitlets.log import get_logger

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..course.times import Clock
from ..records.errors import GradebookError
from ..records.owner import check_owner

OPEN, PARSE = Gradebook.__init__, nbgrader.utils.parse_utc
_course: Course | None = None  # the course whose configuration was read last


def set_up_nbgrader(config_file: str) -> None:
    """Make nbgrader's programs read typed times as this course does, and refuse other courses' gradebooks.

    nbgrader's own parser of times takes an offset for seconds, and a zone that it does not know for UTC.
    """
    global _course
    _course = Course(Path(config_file).absolute().parent)
    Gradebook.__init__ = _open
    nbgrader.utils.parse_utc = functools.partial(_parse, _course, Clock.read)
    if collector := sys.modules.get("nbgrader.apps.zipcollectapp"):  # it has already imported the name
        collector.parse_utc = functools.partial(_parse, _course, Clock.read_stamp)  # type: ignore[attr-defined]


@functools.wraps(OPEN)
def _open(self: Gradebook, db_url: str, *arguments: Any, **more: Any) -> None:
    """Open a gradebook that belongs to the course; all of nbgrader's programs do."""
    if _course is not None and Application.initialized():  # Syncpoint's own commands check this themselves
        try:
            check_owner(db_url, _course.root)
        except GradebookError as problem:
            _end_command(problem)
            raise
    OPEN(self, db_url, *arguments, **more)


def _parse(course: Course, read: Callable[[Clock, str], datetime], time: datetime | str | None) -> datetime | None:
    """Replace nbgrader's ``parse_utc`` by our parser, and log the resulting time."""
    if not isinstance(time, str):
        return PARSE(time)
    try:
        clock = course.clock
        understood = read(clock, time)
    except SyncpointError as problem:
        _end_command(problem)
        raise
    get_logger().info("%r is %s.", time, clock.show(understood))
    return understood.replace(tzinfo=None)


def _end_command(problem: SyncpointError) -> None:
    """End a command of nbgrader's with this sentence; other programs go on."""
    if Application.initialized() and isinstance(app := Application.instance(), NbGrader):
        app.fail("%s", problem)
