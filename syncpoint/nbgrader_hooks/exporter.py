"""nbgrader's way in: an exporter that reads submissions through the intake and shows how far grading has come.

``c.Autograde.exporter_class`` names it.  nbgrader makes it once per run, after it has listed the submissions and
before it touches any of them, so this is also where a machine that cannot grade says so.
"""

import contextlib
import glob
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import DBAPIError, SAWarning

from ..core.names import some
from ..course.errors import CourseError
from ..course.folder import Course
from ..judge.job import Result
from ..judge.judging_process import JudgingProcess
from ..judge.store import Store
from ..records.errors import GradebookError
from ..sandbox.signals import end_cleanly
from ..sandbox.spec import SandboxUnavailable
from .admission import Admission, convert_each
from .attachments import notes_on
from .failures import FRIENDLY_ERRORS, explain, stopped
from .listing import Listing
from .locks import Claims
from .preflight import check, clean_up
from .preprocessor import GradeSubmission
from .progress import Progress
from .reader import ReadNotebook, SubmissionReader
from .recovery import UNJUDGED
from .run_summary import RunSummary
from .timestamps import LinkedFolder, Submissions

# nbgrader 0.9.6 with SQLAlchemy 2 warns once per new submission about the order of its own inserts.
warnings.filterwarnings("ignore", message="Object of type <Submitted", category=SAWarning)

BECAUSE = "nothing newer was handed in; --force grades them again"


class SubmissionExporter(NotebookExporter):
    """Reads submitted notebooks, whatever they hold, as notebooks that can be graded.

    Attributes:
        read: The one that nbgrader is at.
    """

    read: ReadNotebook

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.optimistic_validation = True  # a notebook is held against its format after the last step, not after each
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
        self.read = self._read(path)
        self.read.notebook.metadata[UNJUDGED] = True
        resources.setdefault("metadata", {}).update(name=path.stem, path=str(path.parent))
        return self.from_notebook_node(self.read.notebook, resources=resources, **keywords)

    def known(self, key: str) -> Result | None:
        """Look up a result that need not be judged again.

        Looks at ``--force`` where it was written: formgrader's button forces nbgrader to take a graded submission up
        once more, and means no new run.

        Args:
            key: Of the result in the store.

        Returns:
            The result with this key, or None if there is none or the operator asked for new runs.
        """
        converter: Any = self.parent
        if any(converter.config[name].get("force", False) for name in ("BaseConverter", "Autograde")):
            return None
        return self._store.get(key)

    def _read(self, path: Path) -> ReadNotebook:
        folder = path.parent
        rejected = self.admission.rejected(str(folder))
        return self.reader.read(path, self.reader.beside(folder, rejected), notes_on(folder, rejected))

    def _prepare(self, converter: Autograde) -> None:
        """Check the machine and the course, clean up after runs that were cut off, and list what is to be graded."""
        end_cleanly(lambda problem: stopped(problem, self._progress.student if self._progress else ""))
        converter.log.addFilter(FRIENDLY_ERRORS)
        converter.coursedir = Submissions.like(converter.coursedir)
        self._submitted = Path(converter.coursedir.root, converter.coursedir.submitted_directory).absolute()
        try:
            course = self.course = Course(Path(converter.coursedir.root).absolute())
            self._store = Store(self.course.results)
            self.judging = JudgingProcess(self.course.root)
            self._at_the_end.callback(self.judging.end)
            settings = GradeSubmission(parent=self).settings
            check(converter.coursedir, converter.assignments, self.course, settings)
            clean_up(converter.coursedir, self.course)
            self.admission = Admission(converter.coursedir)
            self.reader = SubmissionReader(self.course, converter.coursedir, settings, converter.exclude_overwriting)
            listing = Listing(converter, self._folders(converter), self.admission, self.reader, self.log)
            listing.leave_rejected_files(lambda name: course.settings_of(name, settings).limits.disk_bytes)
            listing.add_missing()
            self.claims = Claims(Path(converter.coursedir.root, converter.coursedir.autograded_directory))
            self._at_the_end.callback(self.claims.close)
            self._close_in_the_end(converter)
            self._leave_to_others(converter, listing.remove_unfinished(self.claims))
            self._at_the_end.callback(RunSummary(converter, "Graded", BECAUSE).tell)
        except (CourseError, SandboxUnavailable, LinkedFolder, GradebookError, DBAPIError, OSError) as problem:
            self.log.error(explain(problem) or str(problem))
            self._at_the_end.close()
            raise NbGraderException(str(problem)) from None
        self._progress = Progress([Path(folder).parent.name for folder in sorted(converter.assignments)])

    def _leave_to_others(self, converter: Autograde, folders: set[str]) -> None:
        """Keep nbgrader from what another run is at: two at one submission would take its folder from each other."""
        for folder in folders:
            del converter.assignments[folder]
        if folders:
            names = sorted(Path(folder).parent.name for folder in folders)
            self.log.error("Left to another run, which is at them now: %s.", some(names))

    def _close_in_the_end(self, converter: Autograde) -> None:
        """Let others have all submissions as soon as the run is over: formgrader's process lives on."""
        convert = converter.convert_notebooks

        def convert_and_close() -> None:
            with self._at_the_end:
                self._convert(converter, convert)

        converter.convert_notebooks = convert_and_close

    def _convert(self, converter: Autograde, convert: Callable[[], None]) -> None:
        """Grade what is listed; let others have each submission as soon as it is written, or has failed.

        Those at which judges died come last, when all others are written.
        """
        assert self.course is not None
        listed, last = converter.assignments, set(self.course.postponed)
        order = sorted(listed, key=lambda folder: ("/".join(Path(folder).parts[-2:]) in last, folder))
        converter.assignments = {folder: listed[folder] for folder in order}
        convert_each(converter, convert, self.admission, self.claims.release)

    def _folders(self, converter: Autograde) -> list[str]:
        """The folders of the submissions that were asked for, also of those that nbgrader finds no notebook in."""
        coursedir = converter.coursedir
        pattern = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, coursedir.assignment_id)
        return list(filter(os.path.isdir, glob.glob(pattern)))

    def _is_submitted(self, path: Path) -> bool:
        return path.absolute().is_relative_to(self._submitted)
