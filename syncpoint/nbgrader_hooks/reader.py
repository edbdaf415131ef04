"""Reads submissions: what of each has to be judged.  Both commands that grade read them here, and nowhere else."""

import functools
import os
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.utils import find_all_files

from ..core.errors import CannotGrade
from ..core.language import SOURCE
from ..core.messages import Message
from ..core.results import Note
from ..core.settings import Settings
from ..course.folder import Course
from ..course.intake import Template, read_submission
from ..course.released import LANGUAGES
from ..judge.job import Cell, Files, GradingSpec, NotebookJob, sorted_files
from ..records.database import upgrade
from ..records.languages import languages
from .admission import Admission
from .timestamps import TIMESTAMP


class NotAsRead(CannotGrade):
    """nbgrader's copy of a notebook holds other code than the submission; the text says what to do."""

    def __init__(self, notebook: str, number: int):
        super().__init__(
            f"cell {number} of {notebook}.ipynb is not in nbgrader's copy as it was read: the release and the "
            "gradebook differ there (run `nbgrader generate_assignment --force` again), it has hidden lines, which "
            "only a grade cell may have, or a step of c.Autograde.sanitize_preprocessors changes it, which none may."
        )


@dataclass(frozen=True)
class ReadNotebook:
    """A submitted notebook.

    Attributes:
        notebook: For nbgrader, with the instructor's text in locked cells, but without its hidden lines.
        spec: What judges it.
        job: What the judge gets of it.
        refused: Why nothing of it can be run, or None.
        template: The released notebook in its language.
        language: That of its report.
    """

    notebook: NotebookNode
    spec: GradingSpec
    job: NotebookJob
    refused: Message | None
    template: Template
    language: str

    def put_language_back(self, copy: NotebookNode) -> None:
        """Put the texts of the release back: nbgrader's copy has the gradebook's, which knows one language alone."""
        if not self.template.language:
            return
        known = self.template.by_id
        for cell in copy.cells:
            original = known.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
            if original is not None and original.metadata.nbgrader.get("locked"):
                cell.source = original.source
            elif original is not None:  # by this an answer that nobody has written is known
                cell.metadata.nbgrader["checksum"] = original.metadata.nbgrader.get("checksum")

    def check_copy(self, copy: NotebookNode) -> None:
        """Whether a result of the job is one of this copy, too.

        Raises:
            NotAsRead: If it is not.
        """
        if len(copy.cells) != len(self.job.cells):
            raise NotAsRead(self.job.notebook, min(len(copy.cells), len(self.job.cells)) + 1)
        for number, (cell, read) in enumerate(zip(copy.cells, self.job.cells, strict=True), 1):
            if Cell.of(cell) != read:
                raise NotAsRead(self.job.notebook, number)


class SubmissionReader:
    """The submissions of one run.

    Args:
        converter: nbgrader's, whose settings say which files are taken.
        course: Of which they are.
        settings: Of configuration and command line.
        admission: Knows what was left of each submission.
    """

    def __init__(self, converter: Autograde, course: Course, settings: Settings, admission: Admission):
        self._converter, self.course, self._admission = converter, course, admission
        # One spec for the whole run, whatever is changed meanwhile.  Raises CourseError.
        self.spec = functools.cache(lambda assignment: course.spec(assignment, settings))
        self._templates = functools.cache(
            lambda assignment, notebook: (
                course.release(assignment).template(notebook),
                course.release(assignment).translations(notebook),
            )
        )

    def read(self, path: Path) -> ReadNotebook:
        """Read a notebook of a submission, and what lies beside it.

        Args:
            path: The notebook, as student/assignment/notebook.ipynb.

        Returns:
            The notebook as taken in, with its spec and its job.

        Raises:
            CourseError: If the assignment cannot be judged.
            OSError: If a file cannot be read.
        """
        folder = path.parent
        spec: GradingSpec = self.spec(folder.name)
        template, others = self._templates(folder.name, path.stem)
        reads = self.languages.get(folder.parent.name, "")
        submission = read_submission(path, template, others, reads)
        notes = (*map(Note, self._admission.notes(str(folder))), *submission.notes)
        job = NotebookJob.of(path.stem, submission.notebook, notes, self._files(folder, submission.template), spec)
        language = reads or submission.template.spoken
        return ReadNotebook(submission.notebook, spec, job, submission.refused, submission.template, language)

    @functools.cached_property
    def languages(self) -> dict[str, str]:
        """The languages of the students who have one in the roster."""
        coursedir = self._converter.coursedir
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
            upgrade(gradebook.engine)
            return languages(gradebook.db())

    def _files(self, folder: Path, template: Template) -> Files:
        """What nbgrader puts beside the notebooks: the student's files with the instructor's laid over them."""
        coursedir = self._converter.coursedir
        source = coursedir.format_path(coursedir.source_directory, ".", folder.name)
        theirs = {os.path.join(source, name) for name in self._converter.exclude_overwriting.get(folder.name, [])}
        beside = {}
        for place, left in ((str(folder), set()), (source, theirs)):
            for path in set(find_all_files(place, [*coursedir.ignore, "*.ipynb"])) - left:
                beside[Path(os.path.relpath(path, place)).as_posix()] = Path(path)
        beside = {name: path for name, path in beside.items() if not name.startswith(f"{LANGUAGES}/")}
        beside |= self._in_language(folder.name, template, beside)
        beside.pop(TIMESTAMP, None)
        return sorted_files((name, path.read_bytes()) for name, path in beside.items())

    def _in_language(self, assignment: str, template: Template, beside: dict[str, Path]) -> dict[str, Path]:
        """The instructor's files that the release has in a language: what they print is in it, too."""
        if template.spoken == SOURCE:
            return {}
        release = self.course.root / "release" / assignment
        released = release / LANGUAGES / template.language if template.language else release
        return {path.name: path for path in released.glob("*.py") if path.name in beside}
