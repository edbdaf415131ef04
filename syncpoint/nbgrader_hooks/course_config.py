"""Changes for which nbgrader has no setting; a course's nbgrader_config.py calls this once."""

import functools
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps import NbGrader
from traitlets.config import Application

from ..course.folder import Course
from ..records.errors import GradebookError
from ..records.owner import check_owner
from .timestamps import read_typed_times

STOCK = Gradebook.__init__
_course: Course | None = None  # the course whose configuration was read last


def set_up_nbgrader(config_file: str) -> None:
    """Make nbgrader's programs read typed times as this course does, and refuse other courses' gradebooks."""
    global _course
    _course = Course(Path(config_file).absolute().parent)
    read_typed_times(_course)
    Gradebook.__init__ = _open


@functools.wraps(STOCK)
def _open(self: Gradebook, db_url: str, *arguments: Any, **more: Any) -> None:
    """Open a gradebook that belongs to the course; only formgrader and ``nbgrader db`` use this path."""
    if _course is not None and Application.initialized():  # Syncpoint's own commands check this themselves
        try:
            check_owner(db_url, _course.root)
        except GradebookError as problem:
            app = Application.instance()
            if isinstance(app, NbGrader):
                app.fail("%s", problem)
            raise
    STOCK(self, db_url, *arguments, **more)
