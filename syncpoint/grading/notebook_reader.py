"""Makes a job for the judge from a submitted notebook and the files next to it."""

import fnmatch
import functools
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from ..check.status import SECRET
from ..core.errors import CannotGrade
from ..core.language import SOURCE
from ..core.messages import Message
from ..core.results import Note
from ..core.settings import Settings
from ..course.cells import grade_id
from ..course.folder import Course
from ..course.intake import PARTNERS, TIMESTAMP, Template, read_notebook
from ..course.released_notebooks import LANGUAGES
from ..course.variants import Variants
from ..judge.job import Cell, Files, GradingSpec, NotebookJob, sorted_files
from ..records.gradebook import gradebook_at
from ..records.student_details import groups, languages
from ..records.variants import drawn


class NotAsRead(CannotGrade):
    """nbgrader's copy of a notebook has other code than the submission; the text says what to do."""

    def __init__(self, notebook: str, number: int):
        super().__init__(
            f"cell {number} of {notebook}.ipynb differs in nbgrader's copy. If the release and the gradebook differ, "
            "run `nbgrader generate_assignment --force` again. Else check that only grade cells have hidden lines, and "
            "that no step of c.Autograde.sanitize_preprocessors changes cells."
        )


@dataclass(frozen=True)
class ReadNotebook:
    """A submitted notebook after reading: its job, and the input of nbgrader's copy."""

    notebook: NotebookNode  # for nbgrader: with the instructor's text in locked cells, without its hidden lines
    spec: GradingSpec  # how it is judged
    job: NotebookJob  # the judge's input
    refused: Message | None  # why it cannot be run, or None
    template: Template  # the released notebook in its language
    language: str  # the language of its report

    def put_language_back(self, copy: NotebookNode) -> None:
        """Restore the release's texts: nbgrader's copy has the gradebook's, in one language and without values."""
        if not (self.template.language or self.job.variant):
            return
        known = self.template.by_id
        for cell in copy.cells:
            original = known.get(grade_id(cell))
            if original is not None and original.metadata.nbgrader.get("locked"):
                cell.source = original.source
            elif original is not None:  # nbgrader recognizes an unwritten answer by this
                cell.metadata.nbgrader["checksum"] = original.metadata.nbgrader.get("checksum")

    def check_copy(self, copy: NotebookNode) -> None:
        """Check that a result of the job also holds for this copy; otherwise raise NotAsRead."""
        if len(copy.cells) != len(self.job.cells):
            raise NotAsRead(self.job.notebook, min(len(copy.cells), len(self.job.cells)) + 1)
        for number, (cell, read) in enumerate(zip(copy.cells, self.job.cells, strict=True), 1):
            if Cell.of(cell) != read:
                raise NotAsRead(self.job.notebook, number)


class NotebookReader:
    """Reads the notebooks of one run's submissions.

    ``theirs`` are, by assignment, the instructor's files that a student's copy may replace
    (``Autograde.exclude_overwriting``).
    """

    def __init__(
        self, course: Course, coursedir: CourseDirectory, settings: Settings, theirs: Mapping[str, Sequence[str]]
    ):
        self.course, self._coursedir, self._theirs = course, coursedir, theirs
        self._ignore = [*coursedir.ignore, "*.ipynb"]
        # One spec for the whole run, even if files change meanwhile. Raises CourseError.
        self.spec = functools.cache(lambda assignment: course.spec(assignment, settings))
        self._drawn = functools.cache(self._read_drawn)
        # Each is looked up once: a class has one assignment and a thousand folders.
        self.ours = functools.cache(self._find_ours)
        self._templates = functools.cache(
            lambda assignment, notebook, variant: (
                course.release(assignment).template(notebook, variant),
                course.release(assignment).translations(notebook, variant),
            )
        )

    def other_files(self, folder: Path, rejected: Sequence[Path] = ()) -> dict[str, Path]:
        """Return the files next to the graded notebooks by path: the student's, overlaid by the instructor's."""
        student = {} if folder in rejected else self._files(folder, rejected)
        return student | self.ours(folder.name)

    def read(
        self,
        path: Path,
        other_files: Mapping[str, Path],
        notes: Sequence[Message] = (),
        student: str = "",
        author: str = "",
    ) -> ReadNotebook:
        """Read a notebook of a submission with its other files and the notes on files that were left out.

        The report is for ``student``, and the values are those of ``author``: by default, whose folder it is in.

        Raises:
            CourseError: If the assignment cannot be judged.
            OSError: If a file cannot be read.
        """
        folder = path.parent
        spec: GradingSpec = self.spec(folder.name)
        variant = self.variant(folder.name, author or folder.parent.name)
        template, others = self._templates(folder.name, path.stem, variant)
        reads = self.languages.get(student or folder.parent.name, "")
        submission = read_notebook(path, template, others, reads)
        files = self._content(folder.name, submission.template, other_files)
        found = (*map(Note, notes), *submission.notes)
        job = NotebookJob.of(path.stem, submission.notebook, found, files, spec, variant)
        language = reads or submission.template.spoken
        return ReadNotebook(submission.notebook, spec, job, submission.refused, submission.template, language)

    def _gradebook(self) -> AbstractContextManager[Gradebook]:
        return gradebook_at(self._coursedir.db_url, self._coursedir.course_id)

    @functools.cached_property
    def languages(self) -> dict[str, str]:
        """The languages of the students who have one in the roster."""
        with self._gradebook() as gradebook:
            return languages(gradebook.db())

    def students_and_groups(self) -> tuple[set[str], dict[str, str]]:
        """The students of the gradebook, and the groups of those who have one in the roster."""
        with self._gradebook() as gradebook:
            return {student.id for student in gradebook.students}, groups(gradebook.db())

    def variant(self, assignment: str, student: str) -> str:
        """The values of a student: those drawn for them, else the release's. The submission cannot change them."""
        variants, found = self._drawn(assignment)
        return variants.now(found.get(student, ""))

    def _read_drawn(self, assignment: str) -> tuple[Variants, dict[str, str]]:
        variants = self.course.graders(assignment).settings().variants
        if not variants.choices:
            return variants, {}
        with self._gradebook() as gradebook:
            return variants, drawn(gradebook.db(), assignment)

    def texts(self, assignment: str, notebook: str, student: str) -> frozenset[str]:
        """The texts of all cells of a student's released notebook, in all languages."""
        template, others = self._templates(assignment, notebook, self.variant(assignment, student))
        return template.texts.union(*(other.texts for other in others.values()))

    def _find_ours(self, assignment: str) -> dict[str, Path]:
        """The instructor's files with which nbgrader overwrites the student's."""
        source = Path(self._coursedir.format_path(self._coursedir.source_directory, ".", assignment))
        theirs = set(self._theirs.get(assignment, ()))
        return {name: path for name, path in self._files(source).items() if name not in theirs}

    def _files(self, folder: Path, rejected: Sequence[Path] = ()) -> dict[str, Path]:
        """Return the files in and below a folder; nbgrader lists a folder again for each of its files."""
        found, left = dict[str, Path](), set(rejected)

        def wanted(place: str, names: list[str]) -> list[str]:
            ignored = {name for pattern in self._ignore for name in fnmatch.filter(names, pattern)}
            return [name for name in names if name not in ignored and Path(place, name) not in left]

        for place, folders, names in os.walk(folder):
            folders[:] = wanted(place, folders)
            paths = [Path(place, name) for name in wanted(place, names)]
            found |= {path.relative_to(folder).as_posix(): path for path in paths}
        return found

    def _content(self, assignment: str, template: Template, other_files: Mapping[str, Path]) -> Files:
        """Return the files as the kernel sees them."""
        files = {name: path for name, path in other_files.items() if not name.startswith(f"{LANGUAGES}/")}
        files |= self._in_language(assignment, template, files)
        for name in (TIMESTAMP, SECRET, PARTNERS):  # these describe the submission; the same work is judged once
            files.pop(name, None)
        return sorted_files((name, path.read_bytes()) for name, path in files.items())

    def _in_language(self, assignment: str, template: Template, other_files: Mapping[str, Path]) -> dict[str, Path]:
        """Return the instructor's files in a language, so that their output is in this language."""
        if template.spoken == SOURCE:
            return {}
        release = self.course.root / "release" / assignment
        released = release / LANGUAGES / template.language if template.language else release
        return {path.name: path for path in released.glob("*.py") if path.name in other_files}
