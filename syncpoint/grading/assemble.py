"""Puts a submission and its results together: the graded notebooks and the marks to write, as plain data.

nbgrader's steps that look at a notebook alone are called as functions; what its other steps do with a gradebook is done
in :mod:`.commit`.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.validator import validate
from nbgrader import utils
from nbgrader.api import MissingEntry
from nbgrader.converters import Autograde
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.utils.importstring import import_item

from ..core.language import SOURCE, Language, speaking
from ..core.results import NotebookResult
from ..core.settings import Settings
from ..course.cells import grade_id
from ..course.folder import Course, CourseError
from ..course.intake import METADATA
from ..course.settings import SettingTraits
from ..judge.cells import is_autograded
from ..judge.job import NotebookJob, Result
from ..records.graded_answers import AnswerText, answers_of
from ..report.background import Background
from ..report.notebook import apply, refuse
from ..report.readable import LANGUAGE
from ..translations.catalogue import spoken
from ..translations.localize import misconceptions_in
from .notebook_reader import ReadNotebook
from .read_submissions import Submission

NO_JUDGE = (
    "c.Autograde.autograde_preprocessors in nbgrader_config.py does not name "
    "syncpoint.nbgrader_hooks.preprocessor.GradeSubmission: nobody would get points."
)
NO_RESPONSE = "No response."  # nbgrader's text
NOTES = "syncpoint_notes"  # in the metadata of a written answer


@dataclass(frozen=True)
class ReleasedCell:
    """A cell of the release, with the attributes that nbgrader's OverwriteCells reads."""

    id: str
    cell_type: str
    locked: bool
    source: str
    checksum: str


@dataclass(frozen=True)
class GradedCell:
    """A cell of the release that has points."""

    id: str
    max_score: float


@dataclass(frozen=True)
class ReleasedNotebook:
    """A notebook of the assignment, as the gradebook has it."""

    id: str
    name: str
    kernelspec: Mapping[str, Any] | None
    sources: Mapping[str, ReleasedCell]  # its cells, by name
    grades: Mapping[str, GradedCell]  # the cells with points, by name
    answers: Mapping[str, str]  # the ids of the cells that get a comment, by name


@dataclass(frozen=True)
class ReleaseAsGradebook:
    """The two questions that nbgrader's OverwriteCells asks a gradebook, answered from the release alone."""

    release: Mapping[str, ReleasedNotebook]

    def find_source_cell(self, name: str, notebook: str, assignment: str) -> ReleasedCell:
        """Return a cell, or raise MissingEntry if the release has no such cell."""
        try:
            return self.release[notebook].sources[name]
        except KeyError:
            raise MissingEntry(name) from None

    def find_graded_cell(self, name: str, notebook: str, assignment: str) -> GradedCell:
        return self.release[notebook].grades[name]


@dataclass(frozen=True)
class Graded:
    """A graded notebook to write."""

    text: str  # the file
    scores: Mapping[str, float | None]  # the judge's points by cell; None if a person gives them
    comments: Mapping[str, str | None]  # of cells with an answer
    answers: Mapping[str, AnswerText]  # the student's text for each cell with points
    refused: bool  # whether the notebook cannot be run
    result: NotebookResult
    key: str | None  # the key of that result, if it is stored


@dataclass(frozen=True, eq=False)
class AssembledSubmission:
    """A graded submission to write."""

    submission: Submission
    notebooks: dict[str, Graded] = field(default_factory=dict)
    tries: list["AssembledSubmission"] = field(default_factory=list)  # all tries judged together with it, and itself


class Assembler:
    """Assembles the submissions of one assignment, or raises CourseError if the configuration does not name the judge.

    nbgrader's converter is not started, only its settings are used.  ``late`` is the configured rule for late work, or
    None.
    """

    def __init__(
        self, course: Course, settings: Settings, autograde: Autograde, release: Mapping[str, ReleasedNotebook]
    ):
        self._course, self._settings, self._autograde, self._release = course, settings, autograde, release
        self._assignment = autograde.coursedir.assignment_id
        before = list(map(_kind, autograde.sanitize_preprocessors))
        after = list(map(_kind, autograde.autograde_preprocessors))
        judged = next((number for number, kind in enumerate(after) if issubclass(kind, SettingTraits)), None)
        if judged is None:
            raise CourseError(NO_JUDGE)
        self._before = [kind(parent=autograde) for kind in (*before, *after[:judged])]
        self._after = [kind(parent=autograde) for kind in after[judged + 1 :]]
        late = [step for step in self._after if isinstance(step, AssignLatePenalties) and step.enabled]
        self.late: AssignLatePenalties | None = late[0] if late else None
        if self.late is not None:
            self.late.init_plugin()
        self._seen: set[str] = set()  # cell metadata that nbgrader accepts

    def assemble(self, submission: Submission, results: Mapping[str, Result]) -> AssembledSubmission:
        """Convert a submission to everything that will be written. Raises errors of the configuration's steps."""
        entry = AssembledSubmission(submission)
        with utils.setenv(NBGRADER_EXECUTION="autograde"):
            for name, read in submission.work.notebooks.items():
                key = submission.work.keys[name]
                entry.notebooks[name] = self._one(submission.student, name, read, results[key] if key else None, key)
        return entry

    def _one(self, student: str, name: str, read: ReadNotebook, result: Result | None, key: str | None) -> Graded:
        book, scores, comments = read.notebook, dict[str, float | None](), dict[str, str | None]()
        answers: dict[str, AnswerText] = {}
        about = {"notebook": name, "assignment": self._assignment, "student": student}
        about["db_url"] = self._autograde.coursedir.db_url
        resources: dict[str, Any] = {"nbgrader": about, "unique_key": name, "output_files_dir": f"{name}_files"}
        resources["metadata"] = {"name": name}
        for step in self._before:
            book = self._step(step, book, resources)
        read.put_language_back(book)
        read.check_copy(book)
        language, background = self._background(read.language or SOURCE)
        book.metadata[METADATA] = language.name  # the page has this language as well
        resources[LANGUAGE] = language
        with speaking(language):
            _note_answers(book, read.job)
            if result is not None:
                found = apply(result, book, read.spec, background, read.job.variant)
            else:
                assert read.refused is not None
                found = refuse(book, read.spec, background, read.job.notes, read.refused)
        for step in self._after:
            if isinstance(step, SaveAutoGrades):
                scores, comments, answers = *self._marks(book), answers_of(book)
            else:
                book = self._step(step, book, resources)
        validate(book, relax_add_props=True)
        text = _notebook_text(book)
        text.encode()  # raises an error for unwritable text before anything is written
        lasts = key if result is not None and result.cacheable else None
        return Graded(text, scores, comments, answers, result is None, found, lasts)

    def _step(self, step: Any, book: NotebookNode, resources: Any) -> NotebookNode:
        """Return one of the configuration's steps, or its replacement without a gradebook."""
        name = resources["nbgrader"]["notebook"]
        if not step.enabled or isinstance(step, AssignLatePenalties):  # penalties: see :mod:`.commit`
            return book
        if isinstance(step, OverwriteKernelspec):
            if kernelspec := self._release[name].kernelspec:
                book.metadata["kernelspec"] = dict(kernelspec)
        elif isinstance(step, OverwriteCells):
            step.gradebook, step.notebook_id = ReleaseAsGradebook(self._release), name
            step.assignment_id = self._assignment
            book, _ = NbGraderPreprocessor.preprocess(step, book, resources)  # the intake has added missing cells
        elif isinstance(step, CheckCellMetadata):
            self._check(book)
        else:
            book, _ = step(book, resources)
        return book

    def _marks(self, book: NotebookNode) -> tuple[dict[str, float | None], dict[str, str | None]]:
        scores: dict[str, float | None] = {}
        comments: dict[str, str | None] = {}
        for cell in book.cells:
            marks = cell.metadata.get("nbgrader", {})
            if utils.is_grade(cell):
                scores[marks["grade_id"]] = utils.determine_grade(cell, self._autograde.log)[0]
            if utils.is_solution(cell) or utils.is_task(cell):
                unchanged = marks.get("checksum") == utils.compute_checksum(cell) and not utils.is_task(cell)
                comments[marks["grade_id"]] = NO_RESPONSE if unchanged else None
        return scores, comments

    def _check(self, book: NotebookNode) -> None:
        """Do the work of CheckCellMetadata, once for equal metadata. Raises nbgrader's ValidationError."""
        ids: list[str] = []
        for cell in book.cells:
            marks = cell.metadata.get("nbgrader")
            if marks is None:
                continue
            seen = cell.cell_type + json.dumps(marks, sort_keys=True)
            if seen not in self._seen:
                MetadataValidator().validate_cell(cell)
                self._seen.add(seen)
            if marks["grade"] or marks["solution"] or marks["locked"]:
                ids.append(marks["grade_id"])
        if len(ids) != len(set(ids)):
            MetadataValidator().validate_nb(book)  # it reports the invalid metadata

    @functools.cache  # noqa: B019  # as many as there are languages
    def _background(self, name: str) -> tuple[Language, Background]:
        language = spoken(self._course, name, self._assignment)
        with speaking(language):
            background = Background.of(self._settings, self._course.misconceptions_page)
        return language, replace(background, misconceptions=misconceptions_in(self._course, language.name))


def _notebook_text(book: NotebookNode) -> str:
    """Return the text of a notebook without line breaks: a class's disk holds one for each notebook of each student."""
    data = json.loads(nbformat.writes(book, version=4, split_lines=False))
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _note_answers(book: NotebookNode, job: NotebookJob) -> None:
    """Add the intake's notes to each written answer, which has no report from the judge."""
    for cell in book.cells:
        cell.metadata.pop(NOTES, None)
        identity = grade_id(cell)
        notes = [str(note) for note in job.notes if identity and note.exercise == identity]
        if notes and not is_autograded(cell):
            cell.metadata[NOTES] = notes


def _kind(preprocessor: Any) -> Any:
    """The class of a preprocessor, which a configuration may name."""
    return import_item(preprocessor) if isinstance(preprocessor, str) else preprocessor
