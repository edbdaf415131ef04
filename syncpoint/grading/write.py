"""The one who writes: nbgrader's converter, which others tell when, and with which results."""

import glob
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import rmtree
from traitlets.utils.importstring import import_item

from ..core.errors import CannotGrade
from ..course.folder import CourseError
from ..judge.job import Result
from ..nbgrader_hooks.admission import keep_time
from ..nbgrader_hooks.preprocessor import GradeSubmission
from ..nbgrader_hooks.reader import ReadNotebook
from .exporter import QuietExporter
from .plan import Students

NOTHING = "nobody has submitted {assignment}: there is no folder submitted/<student>/{assignment}."
NO_JUDGE = (
    "c.Autograde.autograde_preprocessors in nbgrader_config.py does not name "
    "syncpoint.nbgrader_hooks.preprocessor.GradeSubmission: nobody would get points."
)
ADVICE = "There was an error processing assignment"


class NotWritten(CannotGrade):
    """nbgrader could not write a submission; the text is the first thing it said."""


class Writer(Autograde):
    """nbgrader's Autograde, except that results are given, and that it writes one submission when it is told to.

    Args:
        students: Those to be graded; the course directory is asked for all.
        grade: Called with this writer when all is listed, checked and claimed.
        note: Told what goes wrong outside of a submission.
        keywords: Of nbgrader's converter.

    Attributes:
        results: Those of this run, by their keys; others are in the store.
        read: The notebooks of the submission that is being written, as far as they were read before it was judged.

    Raises:
        CourseError: If the configuration has no judge.
    """

    def __init__(
        self,
        students: Students,
        grade: Callable[["Writer"], None],
        note: Callable[[str], None],
        **keywords: Any,
    ):
        super().__init__(exporter_class=QuietExporter, log=_log(self._on_log), **keywords)
        self.students, self._grade, self._note = students, grade, note
        if GradeSubmission not in map(_kind, self.autograde_preprocessors):
            raise CourseError(NO_JUDGE)
        self.results: Mapping[str, Result] = {}
        self.read: Mapping[Path, ReadNotebook] = {}
        self._steps: dict[bool, list[Any]] = {}  # nbgrader's preprocessors of each of its two passes
        self._logged: list[str] | None = None  # what nbgrader logs while it writes a submission

    def init_notebooks(self) -> None:
        """List the submissions of those who are to be graded."""
        self.assignments = {}
        submitted = glob.glob(self._format_source(self.coursedir.assignment_id, "*"))
        if not submitted:
            nothing = NOTHING.format(assignment=self.coursedir.assignment_id)
            self.log.error(nothing)
            raise NbGraderException(nothing)
        for folder in submitted:
            if Path(folder).parent.name in self.students:
                self.assignments[folder] = glob.glob(f"{glob.escape(folder)}/{self.coursedir.notebook_id}.ipynb")

    def convert_notebooks(self) -> None:
        """Leave to others what is written when."""
        self._grade(self)

    def write(self, folder: Path, notebooks: list[Path], read: Mapping[Path, ReadNotebook]) -> None:
        """Write a submission of which all results are known.

        Args:
            folder: Of the submission.
            notebooks: Their paths.
            read: Those that were read already.

        Raises:
            NotWritten: If nbgrader could not.
            Exception: Whatever lies in that folder.
        """
        self.assignments = {str(folder): [str(path) for path in notebooks]}
        self.read, self._logged = read, []
        try:
            self.exporter.admission.admit(str(folder))
            super().convert_notebooks()
            keep_time(self, str(folder))
        except NbGraderException as problem:
            raise NotWritten(next(iter(self._logged), str(problem))) from None
        finally:
            self.read, self._logged = {}, None

    def copies(self, student: str) -> Path:
        """The folder that the work of a student is written to."""
        return Path(self._format_dest(self.coursedir.assignment_id, student))

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Make room for a submission: whoever comes here is written, whatever its time stamp says."""
        folder = Path(self._format_dest(assignment_id, student_id))
        if folder.exists():
            rmtree(str(folder))
        return True

    def _init_preprocessors(self) -> None:
        """Nbgrader makes them anew for each pass over each notebook; here they are made once a run."""
        if self._sanitizing not in self._steps:
            super()._init_preprocessors()
            self._steps[self._sanitizing] = self.exporter._preprocessors
        self.exporter._preprocessors = self._steps[self._sanitizing]

    def _on_log(self, message: str, why: str) -> None:
        """nbgrader, or a part of ours that stands in its pipeline, logged an error."""
        if self._logged is None:
            self._note(message)
        elif ADVICE not in message:
            self._logged.append(why or message.strip().splitlines()[-1])


def _kind(preprocessor: Any) -> Any:
    """The class of a preprocessor, which a configuration may name."""
    return import_item(preprocessor) if isinstance(preprocessor, str) else preprocessor


def _log(heard: Callable[[str, str], None]) -> logging.Logger:
    """A log that tells errors to whoever listens, and to nobody else: what is said, and the reason behind it."""

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard(record.getMessage(), getattr(record, "reason", ""))

    log = logging.Logger("syncpoint.grading", logging.ERROR)
    log.addHandler(Listener())
    return log
