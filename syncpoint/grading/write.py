"""The one who writes: nbgrader's converter, which others tell when, and with which results."""

import glob
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import rmtree, setenv
from sqlalchemy.exc import DBAPIError
from traitlets.utils.importstring import import_item

from ..core.errors import CannotGrade
from ..course.folder import CourseError
from ..judge.job import Result
from ..nbgrader_hooks.admission import keep_time
from ..nbgrader_hooks.preprocessor import GradeSubmission
from ..nbgrader_hooks.reader import ReadNotebook
from ..records.mark_log import GRADING, acting_throughout, unix_user
from .exporter import Copy, QuietExporter
from .plan import Students, Submission

NOTHING = "nobody has submitted {assignment}: there is no folder submitted/<student>/{assignment}."
NO_JUDGE = (
    "c.Autograde.autograde_preprocessors in nbgrader_config.py does not name "
    "syncpoint.nbgrader_hooks.preprocessor.GradeSubmission: nobody would get points."
)
ADVICE = "There was an error processing assignment"
HELD_SECONDS = 1.0  # others wait so long, if they write into the gradebook meanwhile; SQLite lets them wait for 5


class NotWritten(CannotGrade):
    """nbgrader could not write a submission; the text is the first thing it said."""


class Writer(Autograde):
    """nbgrader's Autograde, except that results are given, and that it writes submissions when it is told to.

    The rows of several are written in one transaction; those of each are whole or not there.  A notebook stands in
    autograded/ when its rows are kept: a run that is cut off in between leaves none, and so the next one takes it up.

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
        self._copies: list[Copy] = []  # of the submission that is being written

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

    def write(self, submissions: Sequence[Submission]) -> dict[Submission, Exception]:
        """Write submissions of which all results are known.

        Args:
            submissions: With what was read of them already.

        Returns:
            Those that could not be written, with the reason.
        """
        failed: dict[Submission, Exception] = {}
        left = list(submissions)
        while left:
            try:
                left = left[self._write_together(left, failed) :]
            except DBAPIError:  # nothing of these is kept: each for itself, so that it harms no other one
                self._write_alone(left, failed)
                left = []
        return failed

    def _write_together(self, submissions: Sequence[Submission], failed: dict[Submission, Exception]) -> int:
        """Write the first ones of these in one transaction.

        Returns:
            How many that were.

        Raises:
            DBAPIError: If the database did not take them; then none is written.
        """
        done: dict[Submission, list[Copy]] = {}
        alone: list[Submission] = []  # something of these is still to be judged, and the gradebook is held meanwhile
        count, began = 0, time.monotonic()
        try:
            self.exporter.judges = False
            with (
                self.exporter.once.together(self.coursedir.db_url, self.coursedir.course_id) as connection,
                acting_throughout(connection, unix_user(), GRADING),
            ):
                while count < len(submissions) and (not count or time.monotonic() < began + HELD_SECONDS):
                    submission = submissions[count]
                    count += 1
                    try:
                        with connection.begin_nested():
                            done[submission] = self._convert(submission)
                    except Exception as problem:
                        _raise_if_of_database(problem)
                        if self.exporter.missed:
                            alone.append(submission)
                        else:
                            failed[submission] = problem
        except BaseException:  # nothing is kept
            for submission in done:
                self._remove(submission)
            raise
        finally:
            self.exporter.judges = True
        self._put_all(done, failed)
        self._write_alone(alone, failed)
        return count

    def _write_alone(self, submissions: Sequence[Submission], failed: dict[Submission, Exception]) -> None:
        """Write submissions as nbgrader does: in a transaction for each of its steps."""
        for submission in submissions:
            failed.pop(submission, None)
            try:
                copies = self._convert(submission)
            except Exception as problem:
                failed[submission] = problem
            else:
                self._put_all({submission: copies}, failed)

    def _convert(self, submission: Submission) -> list[Copy]:
        """Have nbgrader enter a submission into the gradebook, and put all but its notebooks into autograded/.

        Returns:
            The notebooks.

        Raises:
            NotWritten: If nbgrader could not.
            Exception: Whatever lies in that folder.
        """
        folder = str(submission.folder)
        self.assignments = {folder: [str(path) for path in submission.notebooks]}
        self.read, self._logged, self._copies = submission.read, [], []
        self.exporter.missed = False
        try:
            self.exporter.admission.admit(folder)
            super().convert_notebooks()
        except NbGraderException as problem:
            raise NotWritten(next(iter(self._logged), str(problem))) from None
        finally:
            self.read, self._logged = {}, None
        return self._copies

    def _put_all(self, done: Mapping[Submission, list[Copy]], failed: dict[Submission, Exception]) -> None:
        """Put the notebooks of submissions into autograded/, now that their scores are kept."""
        for submission, copies in done.items():
            try:
                self._put(submission, copies)
            except BaseException as problem:  # the next run takes it up
                self._remove(submission)
                if not isinstance(problem, Exception):
                    raise
                failed[submission] = problem

    def _put(self, submission: Submission, copies: list[Copy]) -> None:
        """Put the notebooks of a submission into autograded/."""
        for copy in copies:
            with setenv(NBGRADER_EXECUTION="autograde"):
                text = self.exporter.finish(copy)
            super().write_single_notebook(text, copy.resources)
        super().set_permissions(self.coursedir.assignment_id, submission.student)
        self.notebooks = [str(path) for path in submission.notebooks]
        super().run_post_convert_hook()
        keep_time(self, str(submission.folder))

    def _remove(self, submission: Submission) -> None:
        """Leave nothing of a submission in autograded/."""
        with suppress(OSError):
            rmtree(str(self.copies(submission.student)))

    def write_single_notebook(self, output: Any, resources: Any) -> None:
        """Keep a notebook until its scores are; nothing of what the first conversion made."""
        if self._sanitizing:  # nbgrader asks the writer where it is
            self.writer.build_directory = str(self.copies(resources["nbgrader"]["student"]))
        else:
            self._copies.append(output)

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        """Not before its notebooks are there."""

    def run_post_convert_hook(self) -> None:
        """Not before its notebooks are there."""

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


def _raise_if_of_database(problem: BaseException | None) -> None:
    """Some databases give up the whole transaction when one statement fails."""
    while problem is not None:
        if isinstance(problem, DBAPIError):
            raise problem
        problem = problem.__context__


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
