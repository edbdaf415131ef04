"""nbgrader's way in: an exporter that reads submissions through the intake and shows how far grading has come.

``c.Autograde.exporter_class`` names it.  nbgrader makes it once per run, after it has listed the submissions and
before it touches any of them, so this is also where a machine that cannot grade says so.
"""

import contextlib
import fnmatch
import glob
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import find_all_files
from sqlalchemy.exc import DBAPIError, SAWarning

from ..account import Account
from ..core.messages import to_data
from ..progress import Progress
from ..records.database import NewerTables, upgrade
from ..records.first_use import prepare
from ..records.forget import sweep
from ..release import check_gradebook
from ..sandbox.folder import PrivateFolder, sweep_folders
from ..sandbox.signals import end_cleanly
from ..sandbox.world import MIB, SandboxUnavailable, check_sandbox
from ..whole_file import sweep_parts
from .admission import Admission, convert_each
from .belongings import unfit_files
from .course import Course, CourseError
from .failures import PLAINLY, explain, stopped
from .grade import GradeSubmission
from .intake import read_submission
from .judging_process import JudgingProcess
from .timestamps import TIMESTAMP, LinkedFolder, Submissions, holds_no_time, linked
from .unfinished import INTAKE, Claims, graded_notebooks, remove_unfinished

# nbgrader 0.9.6 with SQLAlchemy 2 warns once per new submission about the order of its own inserts.
warnings.filterwarnings("ignore", message="Object of type <Submitted", category=SAWarning)

BECAUSE = "nothing newer was handed in; --force grades them again"
NO_TIME = "%s/%s holds no time: it counts as not given, and nothing as late."
UNFINISHED = "%s of %s was not graded to its end by an earlier run: it is now."


class SubmissionExporter(NotebookExporter):
    """Reads submitted notebooks, whatever they hold, as notebooks that can be graded."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.course: Course | None = None
        self._progress: Progress | None = None
        self._at_the_end = contextlib.ExitStack()
        # nbconvert makes exporters for other ends too, without a converter as parent.
        if isinstance(self.parent, Autograde):
            self._prepare(self.parent)

    def from_filename(self, filename: str, resources: Any = None, **keywords: Any) -> Any:
        """Read a submission (first pass) or nbgrader's own copy of it (second pass)."""
        if self.course is None or not self._is_submitted(Path(filename)):
            return super().from_filename(filename, resources=resources, **keywords)
        nbgrader = resources["nbgrader"]
        assert self._progress is not None
        self._progress.show(nbgrader["student"], nbgrader["assignment"])
        path = Path(filename)
        submission = read_submission(path, self.course.release(nbgrader["assignment"], nbgrader["notebook"]))
        folder = str(path.parent)
        submission.notebook.metadata[INTAKE] = {
            "notes": [to_data(note) for note in (*self.admission.notes(folder), *submission.notes)],
            "refused": submission.refused and to_data(submission.refused),
        }
        resources.setdefault("metadata", {}).update(name=path.stem, path=str(path.parent))
        return self.from_notebook_node(submission.notebook, resources=resources, **keywords)

    def _prepare(self, converter: Autograde) -> None:
        """Check the machine and the course, clean up after runs that were cut off, and list what is to be graded."""
        end_cleanly(lambda problem: stopped(problem, self._progress.student if self._progress else ""))
        converter.log.addFilter(PLAINLY)
        converter.coursedir = Submissions.like(converter.coursedir)
        self._submitted = Path(converter.coursedir.root, converter.coursedir.submitted_directory).absolute()
        try:
            judge = self._check(converter)
            sweep_folders()
            sweep_parts(Course(Path(converter.coursedir.root)).results.parent)
            PrivateFolder().remove()  # one can be made
            with Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
                upgrade(gradebook.engine)
                sweep(gradebook)
            self.admission = Admission(converter.coursedir)
            self._leave_unfit_files(converter, judge.settings.limits.disk_mib * MIB)
            self._add_missing(converter)
            self._claims = Claims(Path(converter.coursedir.root, converter.coursedir.autograded_directory))
            self._at_the_end.callback(self._claims.close)
            self._close_in_the_end(converter)
            self._remove_unfinished(converter)
            self._account_for(converter)
        except (CourseError, SandboxUnavailable, LinkedFolder, NewerTables, DBAPIError, OSError) as problem:
            self.log.error(explain(problem) or str(problem))
            self._at_the_end.close()
            raise NbGraderException(str(problem)) from None
        self._progress = Progress(self._students(converter))

    def _check(self, converter: Autograde) -> GradeSubmission:
        """The judge, if machine and course allow it to work."""
        self.course = Course(Path(converter.coursedir.root).absolute())
        self.judging = JudgingProcess(self.course.root)
        self._at_the_end.callback(self.judging.end)
        judge = GradeSubmission(parent=self)
        if judge.isolation == "bubblewrap":
            check_sandbox()
        judge.check_engine(self.course)
        prepare(converter.coursedir.db_url, converter.coursedir.course_id)
        for folder in converter.assignments:
            if len(Path(folder).relative_to(self._submitted).parts) != 2 or Path(folder).name in (".", ".."):
                raise CourseError(f"{folder} is no submission: name students and assignments without slashes.")
        for assignment in self._assignments(converter):
            self.course.check_graders(assignment)
            with Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
                check_gradebook(gradebook, self.course, assignment)
        return judge

    def _add_missing(self, converter: Autograde) -> None:
        """Let nbgrader convert the notebooks a student did not hand in, too: the report says what is missing."""
        coursedir = converter.coursedir
        released: dict[str, list[str]] = {}  # asked once each: a class has one assignment and a thousand folders
        for folder in self._folders(converter):
            assignment = Path(folder).name
            if assignment not in released:
                released[assignment] = self._released(converter, assignment)
            wanted = fnmatch.filter(released[assignment], coursedir.notebook_id)
            expected = {os.path.join(folder, f"{name}.ipynb") for name in wanted}
            converter.assignments[folder] = sorted({*converter.assignments.get(folder, ()), *expected})

    def _remove_unfinished(self, converter: Autograde) -> None:
        """Let nbgrader take up what an earlier run left half done, unless another run is at it now."""
        coursedir = converter.coursedir
        # First the claims: what others wrote until then is in the gradebook.
        alone = self._claims.take_if_alone
        ours: list[str] = []
        others: set[str] = set()
        for folder in converter.assignments:
            with self.admission.of(folder):
                if alone("/".join(Path(folder).parts[-2:])):
                    ours.append(folder)
                else:
                    others.add(folder)
        released = {assignment: self._released(converter, assignment) for assignment in self._assignments(converter)}
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
            graded = {assignment: graded_notebooks(gradebook, assignment) for assignment in released}
        for folder in ours:
            student, assignment = Path(folder).parts[-2:]
            wanted = fnmatch.filter(released[assignment], coursedir.notebook_id)
            recorded = {notebook for owner, notebook in graded[assignment] if owner == student}
            with self.admission.of(folder):
                result = Path(coursedir.format_path(coursedir.autograded_directory, student, assignment))
                if remove_unfinished(result, wanted, recorded, whole=coursedir.notebook_id == "*"):
                    self.log.error(UNFINISHED, assignment, student)
        self._leave_to_others(converter, others)

    def _leave_to_others(self, converter: Autograde, folders: set[str]) -> None:
        """Keep nbgrader from what another run is at: two at one submission would take its folder from each other."""
        for folder in folders:
            del converter.assignments[folder]
        if folders:
            names = sorted(Path(folder).parent.name for folder in folders)
            shown = ", ".join(names[:5]) + (f", and {len(names) - 5} more" if len(names) > 5 else "")
            self.log.error("Left to another run, which is at them now: %s.", shown)

    def _close_in_the_end(self, converter: Autograde) -> None:
        """Let others have all submissions as soon as the run is over: formgrader's process lives on."""
        convert = converter.convert_notebooks

        def convert_and_close() -> None:
            with self._at_the_end:
                self._convert(converter, convert)

        converter.convert_notebooks = convert_and_close

    def _account_for(self, converter: Autograde) -> None:
        """Tell in the end what was graded, and what was left as it is."""
        self._at_the_end.callback(Account(converter, "Graded", BECAUSE).tell)

    def _convert(self, converter: Autograde, convert: Callable[[], None]) -> None:
        """Grade what is listed; let others have each submission as soon as it is written, or has failed.

        Those at which judges died come last, when all others are written.
        """
        assert self.course is not None
        listed, last = converter.assignments, set(self.course.last)
        order = sorted(listed, key=lambda folder: ("/".join(Path(folder).parts[-2:]) in last, folder))
        converter.assignments = {folder: listed[folder] for folder in order}
        convert_each(converter, convert, self.admission, self._claims.release)

    def _leave_unfit_files(self, converter: Autograde, max_bytes: int) -> None:
        """Keep nbgrader from copying what would fill the disk, block, or be a copy of a file of the operator's."""
        coursedir = converter.coursedir
        ours: dict[str, set[str]] = {}  # of each assignment; asked once
        for folder in self._folders(converter):
            assignment = Path(folder).name
            if assignment not in ours:
                source = coursedir.format_path(coursedir.source_directory, ".", assignment)
                files = find_all_files(source, [*coursedir.ignore, "*.ipynb"])
                theirs = converter.exclude_overwriting.get(assignment, [])
                ours[assignment] = {os.path.relpath(path, source) for path in files} - set(theirs)
            with self.admission.of(folder):
                if linked(Path(folder)):
                    continue  # it is refused as a whole
                self.admission.leave(folder, unfit_files(Path(folder), max_bytes, ours[assignment]))
                if holds_no_time(Path(folder)):
                    self.log.error(NO_TIME, folder, TIMESTAMP)

    def _folders(self, converter: Autograde) -> list[str]:
        """The folders of the submissions that were asked for, also of those that nbgrader finds no notebook in."""
        coursedir = converter.coursedir
        pattern = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, coursedir.assignment_id)
        return list(filter(os.path.isdir, glob.glob(pattern)))

    def _assignments(self, converter: Autograde) -> set[str]:
        return {Path(folder).name for folder in converter.assignments}

    def _released(self, converter: Autograde, assignment: str) -> list[str]:
        """The names of an assignment's notebooks."""
        with Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
            return [notebook.name for notebook in gradebook.find_assignment(assignment).notebooks]

    def _students(self, converter: Autograde) -> list[str]:
        return [Path(folder).parent.name for folder in sorted(converter.assignments)]

    def _is_submitted(self, path: Path) -> bool:
        return path.absolute().is_relative_to(self._submitted)
