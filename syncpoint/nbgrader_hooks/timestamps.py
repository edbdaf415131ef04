"""Times that people type into nbgrader's commands, such as due dates."""

import functools
import sys
from collections.abc import Callable
from datetime import datetime

import nbgrader.utils
from nbgrader.apps.baseapp import NbGrader
from traitlets.config import Application
from traitlets.log import get_logger

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..course.times import Clock

STOCK = nbgrader.utils.parse_utc


def read_typed_times(course: Course) -> None:
    """Make nbgrader read typed times, such as due dates, as this course does.

    nbgrader has no setting for it: its own parser takes an offset for seconds, and a zone that it does not know for
    UTC.
    """
    nbgrader.utils.parse_utc = functools.partial(_parse, course, Clock.read)
    if collector := sys.modules.get("nbgrader.apps.zipcollectapp"):  # it has already imported the name
        collector.parse_utc = functools.partial(_parse, course, Clock.read_stamp)  # type: ignore[attr-defined]


def _parse(course: Course, read: Callable[[Clock, str], datetime], time: datetime | str | None) -> datetime | None:
    """Replace nbgrader's ``parse_utc`` by our parser, and log the resulting time."""
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
