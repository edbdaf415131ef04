"""Entry point for grading: ``nbgrader autograde`` and formgrader's button start one of our runs.

``c.Autograde.exporter_class`` names the exporter.  nbgrader makes it once per run, after it has listed the submissions
and before it touches any of them.
"""

import functools
import logging
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from rich.console import Console

from ..core.strip import strip_control
from ..course.folder import Course, CourseError
from ..grading.display import Display
from ..grading.options import RunOptions
from ..grading.pool import JudgingThreads
from ..grading.run import run

WHOLE = "nothing was graded: a submission is graded with all its notebooks. Leave out --notebook."
EXECUTES = "nothing was graded: student code always runs, in a sandbox. Leave out --no-execute."
NOT_ALL = "Some students were not graded: see the reasons above."


class SubmissionExporter(NotebookExporter):
    """Makes its converter grade as ``syncpoint grade`` does, with one judging process; converts nothing itself."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        # nbconvert also creates exporters for other purposes, without a converter as parent.
        if isinstance(self.parent, Autograde):
            self.parent.convert_notebooks = functools.partial(_grade, self.parent)


class _LoggedDisplay(Display):
    """Shows a run in plain lines; warnings go to nbgrader's log, which formgrader shows."""

    def __init__(self, assignment: str, log: logging.Logger):
        # No live progress line: the log writes to the same terminal.
        super().__init__(assignment, Console(stderr=True, force_terminal=False, highlight=False))
        self._log = log

    def _warn(self, text: str) -> None:
        self._log.error("%s: %s", self.assignment, strip_control(text))


def _grade(converter: Autograde) -> None:
    coursedir, log = converter.coursedir, converter.log
    why = WHOLE if coursedir.notebook_id != "*" else "" if converter.config.Execute.get("enabled", True) else EXECUTES
    if why:
        log.error(why)
        raise NbGraderException(why)
    course = Course(Path(coursedir.root).absolute())
    students = () if coursedir.student_id == "*" else (coursedir.student_id,)
    # Only if --force or the configuration sets it: formgrader's button sets it on the object without requesting a new
    # run.
    force = any(converter.config[name].get("force", False) for name in ("BaseConverter", "Autograde"))
    complete = True
    with JudgingThreads(1, course.root) as judges:
        # Another run may take hours, and formgrader's server must not wait for it.
        options = RunOptions(students=students, executor=judges, force=force, waits=False)
        for name in sorted({Path(folder).name for folder in converter.assignments}):
            coursedir.assignment_id, display = name, _LoggedDisplay(name, log)
            try:
                run(course, name, options, display, converter)
            except CourseError as problem:
                log.error(str(problem))
                complete = False
            complete = complete and display.all_graded
    if not complete:
        raise NbGraderException(NOT_ALL)
