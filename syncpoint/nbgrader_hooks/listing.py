"""What a run has to grade: nbgrader's list of submissions, completed, and without what others are at."""

import contextlib
import fnmatch
import functools
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde

from .admission import Admission
from .attachments import rejected_files
from .locks import Claims
from .reader import SubmissionReader
from .recovery import UNFINISHED, graded_notebooks, remove_unfinished
from .timestamps import TIMESTAMP, Submissions, linked, why_no_time

NO_TIME = (
    "%s/%s holds no time: it counts as not given, and nothing of this student as late. The reason: %s "
    "Correct the file, then grade this student again with --force."
)


class Listing:
    """The submissions of one run.

    Args:
        converter: Its list, ``assignments``, is changed here.
        folders: Of the submissions that were asked for, also of those that nbgrader finds no notebook in.
        admission: Is told what goes wrong with each, and what to leave.
        reader: Knows the assignment's own files.
    """

    def __init__(
        self,
        converter: Autograde,
        folders: Sequence[str],
        admission: Admission,
        reader: SubmissionReader,
        log: logging.Logger,
    ):
        self._converter, self._folders, self._admission, self._log = converter, folders, admission, log
        self._ours = reader.ours
        # Asked once: a class has one assignment and a thousand folders.
        self._released = functools.cache(self._read_released)

    def leave_rejected_files(self, max_bytes: Callable[[str], int]) -> None:
        """Keep nbgrader from copying what would fill the disk, block, or be a copy of a file of the operator's.

        Args:
            max_bytes: What a submission of an assignment may hold.
        """
        clock = Submissions.like(self._converter.coursedir).clock
        for folder in self._folders:
            ours, most = self._ours(Path(folder).name), max_bytes(Path(folder).name)
            with self._admission.of(folder):
                if linked(Path(folder)):
                    continue  # it is refused as a whole
                self._admission.leave(folder, rejected_files(Path(folder), most, ours, clock))
                if why := why_no_time(Path(folder), clock):
                    self._log.error(NO_TIME, folder, TIMESTAMP, why.rstrip(".") + ".")
                    self._forget_time(folder)

    def _forget_time(self, folder: str) -> None:
        """Have the gradebook keep no time of an earlier submission for this one."""
        coursedir = self._converter.coursedir
        student, assignment = Path(folder).parts[-2:]
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook, contextlib.suppress(MissingEntry):
            gradebook.find_submission(assignment, student).timestamp = None
            gradebook.db.commit()

    def add_missing(self) -> None:
        """Let nbgrader convert the notebooks a student did not hand in, too: the report says what is missing."""
        assignments = self._converter.assignments
        for folder in self._folders:
            expected = {os.path.join(folder, f"{name}.ipynb") for name in self._wanted(Path(folder).name)}
            assignments[folder] = sorted({*assignments.get(folder, ()), *expected})

    def remove_unfinished(self, claims: Claims) -> set[str]:
        """Let nbgrader take up what an earlier run left half done; returns what another run is at now."""
        coursedir = self._converter.coursedir
        # First the claims: what others wrote until then is in the gradebook.
        ours: list[str] = []
        others: set[str] = set()
        for folder in self._converter.assignments:
            with self._admission.of(folder):
                if claims.take_if_alone("/".join(Path(folder).parts[-2:])):
                    ours.append(folder)
                else:
                    others.add(folder)
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
            names = {Path(folder).name for folder in self._converter.assignments}
            graded = {assignment: graded_notebooks(gradebook, assignment) for assignment in names}
        for folder in ours:
            student, assignment = Path(folder).parts[-2:]
            recorded = {notebook for owner, notebook in graded[assignment] if owner == student}
            with self._admission.of(folder):
                result = Path(coursedir.format_path(coursedir.autograded_directory, student, assignment))
                wanted = self._wanted(assignment)
                if remove_unfinished(result, wanted, recorded, whole=coursedir.notebook_id == "*"):
                    self._log.error(UNFINISHED, assignment, student)
        return others

    def _wanted(self, assignment: str) -> list[str]:
        return fnmatch.filter(self._released(assignment), self._converter.coursedir.notebook_id)

    def _read_released(self, assignment: str) -> list[str]:
        """The names of an assignment's notebooks."""
        coursedir = self._converter.coursedir
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
            return [notebook.name for notebook in gradebook.find_assignment(assignment).notebooks]
