"""nbgrader's way in: an exporter that reads submissions through the intake and shows how far grading has come.

``c.Autograde.exporter_class`` names it.  nbgrader makes it once per run, after it has listed the submissions and
before it touches any of them, so this is also where a machine that cannot grade says so.
"""

import fnmatch
import glob
import os
import warnings
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import SAWarning

from ..progress import Progress
from ..records.database import upgrade
from ..records.forget import sweep
from ..sandbox.world import MIB, SandboxUnavailable, check_sandbox
from .belongings import unfit_files
from .course import Course, CourseError
from .grade import GradeSubmission
from .intake import read_submission

# nbgrader 0.9.6 with SQLAlchemy 2 warns once per new submission about the order of its own inserts.
warnings.filterwarnings("ignore", message="Object of type <Submitted", category=SAWarning)


class SubmissionExporter(NotebookExporter):
    """Reads submitted notebooks, whatever they hold, as notebooks that can be graded."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.course: Course | None = None
        self._unfit: dict[str, list[Path]] = {}
        # nbconvert makes exporters for other ends too, without a converter as parent.
        if isinstance(self.parent, Autograde):
            self._prepare(self.parent)

    def from_filename(self, filename: str, resources: Any = None, **keywords: Any) -> Any:
        """Read a submission (first pass) or nbgrader's own copy of it (second pass)."""
        if self.course is None or not self._is_submitted(Path(filename)):
            return super().from_filename(filename, resources=resources, **keywords)
        nbgrader = resources["nbgrader"]
        self._progress.show(nbgrader["student"], nbgrader["assignment"])
        path = Path(filename)
        submission = read_submission(path, self.course.release(nbgrader["assignment"], nbgrader["notebook"]))
        left = [path.name for path in self._unfit.get(str(path.parent), ()) if path.suffix != ".ipynb"]
        notes = [f"Not used: {', '.join(map(repr, left[:5]))}, ... (a link, not a file, or too much)."] if left else []
        submission.notebook.metadata["syncpoint"] = {
            "notes": [*notes, *submission.notes],
            "refused": submission.refused,
        }
        resources.setdefault("metadata", {}).update(name=path.stem, path=str(path.parent))
        return self.from_notebook_node(submission.notebook, resources=resources, **keywords)

    def _prepare(self, converter: Autograde) -> None:
        """Check the machine and the course, and list the notebooks that students did not hand in."""
        self._submitted = Path(converter.coursedir.root, converter.coursedir.submitted_directory).absolute()
        try:
            self.course = Course(Path(converter.coursedir.root).absolute())
            judge = GradeSubmission(parent=self)
            if judge.isolation == "bubblewrap":
                check_sandbox()
            judge.check_engine(self.course)
            for assignment in {Path(folder).name for folder in converter.assignments}:
                self.course.check_graders(assignment)
                self._check_release(converter, assignment)
        except (CourseError, SandboxUnavailable) as problem:
            self.log.error(str(problem))
            raise NbGraderException(str(problem)) from None
        with Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
            upgrade(gradebook.engine)
            sweep(gradebook)
        self._leave_unfit_files(converter, judge.disk_mib * MIB)
        self._add_missing(converter)
        self._progress = Progress(self._students(converter))

    def _check_release(self, converter: Autograde, assignment: str) -> None:
        """The release, the gradebook and the source speak of the same cells."""
        assert self.course is not None
        again = f"run `nbgrader generate_assignment {assignment} --force` again."
        with Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
            try:
                notebooks = gradebook.find_assignment(assignment).notebooks
            except MissingEntry:
                raise CourseError(f"The gradebook has no assignment {assignment}: {again}") from None
            recorded = {(n.name, c.name, float(c.max_score)) for n in notebooks for c in n.grade_cells}
            names = [notebook.name for notebook in notebooks]
        released = {
            (name, identity, float(cell.metadata.nbgrader.points))
            for name in names
            for identity, cell in self.course.release(assignment, name).by_id.items()
            if cell.metadata.nbgrader.get("grade")
        }
        if recorded != released:
            odd = ", ".join(sorted({f"{cell} of {name}" for name, cell, _ in recorded ^ released}))
            raise CourseError(f"The gradebook and release/{assignment} differ ({odd}): {again}")
        if set(self.course.graded_cells(assignment)) != {cell for _, cell, _ in recorded}:
            raise CourseError(f"source/{assignment} has other grade cells than the gradebook: {again}")

    def _add_missing(self, converter: Autograde) -> None:
        """Let nbgrader convert the notebooks a student did not hand in, too: the report says what is missing."""
        coursedir = converter.coursedir
        submitted = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, coursedir.assignment_id)
        for folder in filter(os.path.isdir, glob.glob(submitted)):
            with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
                names = [notebook.name for notebook in gradebook.find_assignment(Path(folder).name).notebooks]
            wanted = fnmatch.filter(names, coursedir.notebook_id)
            expected = {os.path.join(folder, f"{name}.ipynb") for name in wanted}
            converter.assignments[folder] = sorted({*converter.assignments.get(folder, ()), *expected})

    def _leave_unfit_files(self, converter: Autograde, max_bytes: int) -> None:
        """Keep nbgrader from copying what would fill the disk, block, or be a copy of a file of the operator's."""
        coursedir = converter.coursedir
        pattern = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, coursedir.assignment_id)
        for folder in filter(os.path.isdir, glob.glob(pattern)):
            self._unfit[folder] = unfit_files(Path(folder), max_bytes)
            try:
                coursedir.get_existing_timestamp(folder)
            except Exception:  # nbgrader's parser raises many kinds, and would lose the student without a reason
                self.log.error("%s/timestamp.txt holds no time: mend it or delete it, nbgrader stops there.", folder)
        # A whole path in this list matches that one file; a name would match the files of others, too.
        paths = [glob.escape(str(path)) for found in self._unfit.values() for path in found]
        coursedir.ignore = [*coursedir.ignore, *paths]

    def _students(self, converter: Autograde) -> list[str]:
        return [Path(folder).parent.name for folder in sorted(converter.assignments)]

    def _is_submitted(self, path: Path) -> bool:
        return path.absolute().is_relative_to(self._submitted)
