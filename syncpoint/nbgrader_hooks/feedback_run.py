"""A feedback run: makes changed pages on all cores, and prints a summary."""

import contextlib
import hashlib
import json
import logging
import os
import pickle
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    GradeCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import select
from sqlalchemy.orm import Session
from traitlets.config import Config

from ..check.status import SECRET
from ..core.names import some
from ..course.child_process import SPAWN, end_with_parent
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.intake import TIMESTAMP
from ..course.shared_files import linked_or_copied
from ..records.gradebook import gradebook_at
from ..records.tables import RegradeRequest, TryRecord
from ..records.totals import read_totals
from .feedback_release import secret_of

NOTHING = "nothing was done"
BECAUSE = "nothing in them has changed; --force writes their pages again"
CANNOT = "The feedback of {students} could not be written, for the reasons above. Fix them, then run this again."
ENDED = "A process that wrote pages has crashed. Run this again: complete pages are kept."
MIN_PARALLEL_SUBMISSIONS = 8  # submissions; for fewer, starting more processes takes longer than it saves
SUBMISSIONS_PER_PROCESS = 25  # submissions that a process handles at a time
OF_A_PAGE = "report/**/*", "nbgrader_hooks/**/*", "core/*.py", "check/ask*.py"  # what writes pages
META, BEGINNING, ENDING = '<meta name="syncpoint-content" content="{}">', 4096, 256


class Part(GenerateFeedback):
    """Makes the pages for part of a run's submissions."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy no files of a submission: they are not released."""

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        """Set those of the pages, which are complete, and add what releasing them needs."""
        super().set_permissions(assignment_id, student_id)
        copy_stamps(self, assignment_id, student_id)


@dataclass
class FeedbackRun:
    """Makes a converter's requested pages instead of its own loop."""

    converter: GenerateFeedback
    contents: dict[str, str] = field(default_factory=dict)  # student -> a digest of the pages' content
    workers: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))

    def __post_init__(self) -> None:
        self._convert = self.converter.convert_notebooks
        self.converter.convert_notebooks = self.run
        self.converter.init_assignment = partial(Part.init_assignment, self.converter)
        self._set_permissions = self.converter.set_permissions
        self.converter.set_permissions = self._finish

    def run(self) -> None:
        """Make the pages, or raise NbGraderException."""
        converter, coursedir = self.converter, self.converter.coursedir
        excluded = set(coursedir.student_id_exclude.split(","))
        theirs = {self._student(folder): folder for folder in sorted(converter.assignments)}
        self.contents = read_contents(converter, {student: converter.assignments[at] for student, at in theirs.items()})
        converter.syncpoint_contents = self.contents
        asked = [student for student in theirs if student not in excluded]
        stale = [student for student in asked if converter.force or not self._is_current(student, theirs[student])]
        converter.assignments = {theirs[student]: converter.assignments[theirs[student]] for student in stale}
        try:
            usual, converter.force = converter.force, True
            config = _pickled(converter.config) if len(stale) >= MIN_PARALLEL_SUBMISSIONS and self.workers > 1 else None
            if config is None:
                self._convert()
            else:
                self._on_all_cores(config)
        finally:
            converter.force = usual
            self._summarize(stale, [student for student in asked if student not in stale], excluded & theirs.keys())

    def _finish(self, assignment: str, student: str) -> None:
        self._set_permissions(assignment, student)
        copy_stamps(self.converter, assignment, student)

    def _student(self, folder: str) -> str:
        pattern = self.converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
        found = re.match(pattern, folder)
        assert found, f"{folder} does not match {pattern}"
        return found["student"]

    def _is_current(self, student: str, folder: str) -> bool:
        made = self._made(student)
        names = (Path(notebook).stem for notebook in self.converter.assignments[folder])
        if secret_of(made) != secret_of(Path(folder)):
            return False
        return all(_shows(made / f"{name}.html", self.contents[student]) for name in names)

    def _on_all_cores(self, config: bytes) -> None:
        converter = self.converter
        settings = {name: getattr(converter.coursedir, name) for name in converter.coursedir.trait_names(config=True)}
        folders = sorted(converter.assignments.items())
        size = min(SUBMISSIONS_PER_PROCESS, -(-len(folders) // self.workers))
        parts = [dict(folders[at : at + size]) for at in range(0, len(folders), size)]
        failed: list[str] = []
        with ProcessPoolExecutor(self.workers, SPAWN, end_with_parent) as pool:
            waiting = {}
            for part in parts:
                contents = {student: self.contents[student] for student in map(self._student, part)}
                waiting[pool.submit(_make, config, settings, part, contents)] = part
            try:
                for done in as_completed(waiting):
                    messages, is_whole = done.result()
                    for level, text in messages:
                        converter.log.log(level, text)
                    if not is_whole:
                        failed += map(self._student, waiting[done])
            except BrokenProcessPool:
                raise NbGraderException(ENDED) from None
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        lacking = [student for student in failed if not os.path.isdir(self._made(student))]
        if lacking:
            text = CANNOT.format(students=some(map(repr, sorted(lacking))))
            converter.log.error(text)
            raise NbGraderException(text)

    def _made(self, student: str) -> Path:
        return Path(self.converter._format_dest(self.converter.coursedir.assignment_id, student))

    def _summarize(self, stale: Sequence[str], current: Sequence[str], excluded: Iterable[str]) -> None:
        """Print what was written.  nbgrader has reported failures itself."""
        coursedir = self.converter.coursedir
        written = [student for student in stale if os.path.isdir(self._made(student))]
        lines = []
        if written:
            shown = f"{self.converter._output_directory}/<student>/{coursedir.assignment_id}/"
            lines.append(f"Wrote feedback for {_count(written)}, in {shown}: {some(map(repr, sorted(written)))}.")
        if current:
            lines.append(f"Kept the pages of {_count(current)} ({some(map(repr, sorted(current)))}): {BECAUSE}.")
        if excluded := sorted(excluded):
            lines.append(f"Excluded {_count(excluded)} by student_id_exclude: {some(map(repr, excluded))}.")
        if not stale:
            lines.insert(0, f"{NOTHING}.")
        for line in lines:
            print(f"{coursedir.assignment_id}: {line}", file=sys.stderr, flush=True)


def copy_stamps(converter: GenerateFeedback, assignment: str, student: str) -> None:
    """Copy a submission's time stamp and secret, which `nbgrader release_feedback` needs to name its pages."""
    source, target = (Path(where(assignment, student)) for where in (converter._format_source, converter._format_dest))
    target.mkdir(parents=True, exist_ok=True)
    for name in (TIMESTAMP, SECRET):
        path, copy = source / name, target / name
        if path.is_file():
            copy.unlink(missing_ok=True)
            linked_or_copied(path, copy)  # each file takes a block of the disk


def marked(page: str, content: str) -> str:
    """Return a page with a digest of its content in its head."""
    return page.replace("<head>", "<head>" + META.format(content), 1)


def _shows(page: Path, content: str) -> bool:
    """Whether a page is complete and shows this content."""
    try:
        with page.open("rb") as file:
            head = file.read(BEGINNING)
            file.seek(max(0, page.stat().st_size - ENDING))
            return META.format(content).encode() in head and b"</html>" in file.read()
    except OSError:
        return False


def read_contents(converter: GenerateFeedback, notebooks: dict[str, list[str]]) -> dict[str, str]:
    """Return a digest of all that each student's pages show: work, marks, comments, answers, texts, settings."""
    coursedir = converter.coursedir
    course, assignment = Course(Path(coursedir.root).absolute()), coursedir.assignment_id
    rows: dict[str, list[Any]] = defaultdict(list)
    with gradebook_at(coursedir.db_url, coursedir.course_id) as gradebook:
        for student, *values in _rows(gradebook.db(), assignment, list(notebooks)):
            rows[student].append([str(value) for value in values])
        for student, total in (read_totals(course, gradebook.db(), notebooks) or {}).items():
            rows[student].append([str(total)])
    common = _common(course, assignment)
    return {
        student: hashlib.sha256(
            json.dumps([common, [_digest(Path(path)) for path in sorted(theirs)], sorted(rows[student])]).encode()
        ).hexdigest()
        for student, theirs in notebooks.items()
    }


def _rows(session: Session, assignment: str, students: list[str]) -> Iterable[Sequence[Any]]:
    """The gradebook's rows about these students' work, each beginning with the student."""
    student, kept = SubmittedAssignment.student_id, [Assignment.name == assignment]
    if len(students) < MIN_PARALLEL_SUBMISSIONS:  # for a class, all rows are read at once
        kept.append(student.in_(students))

    def of_notebooks(*columns: Any) -> Any:
        return (
            select(student, *columns)
            .select_from(SubmittedAssignment)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .where(*kept)
        )

    penalties = of_notebooks(SubmittedNotebook.notebook_id, SubmittedNotebook.late_submission_penalty)
    marks = of_notebooks(
        *(BaseCell.name, Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade),
        *(GradeCell.max_score, TaskCell.max_score),
    )
    marks = marks.join(Grade, Grade.notebook_id == SubmittedNotebook.id)
    marks = marks.join(BaseCell.__table__, BaseCell.__table__.c.id == Grade.cell_id)
    marks = marks.outerjoin(GradeCell.__table__, GradeCell.__table__.c.id == Grade.cell_id)
    marks = marks.outerjoin(TaskCell.__table__, TaskCell.__table__.c.id == Grade.cell_id)
    comments = of_notebooks(Comment.cell_id, Comment.auto_comment, Comment.manual_comment)
    comments = comments.join(Comment, Comment.notebook_id == SubmittedNotebook.id)
    asked = select(
        RegradeRequest.student, RegradeRequest.exercise, RegradeRequest.question, RegradeRequest.answer
    ).where(RegradeRequest.assignment == assignment)
    tries = select(
        *(TryRecord.student, TryRecord.digest, TryRecord.submitted_at, TryRecord.points, TryRecord.counts),
        *(TryRecord.submitter, TryRecord.max_points),
    ).where(TryRecord.assignment == assignment)
    for statement in (penalties, marks, comments, asked, tries):
        yield from session.execute(statement)


def _common(course: Course, assignment: str) -> list[str]:
    """Return what all pages share: the program, its texts, and the course's."""
    try:
        title = course.graders(assignment).settings().title
    except CourseError:
        title = ""
    package = Path(__file__).parents[1]
    paths = [path for kind in OF_A_PAGE for path in package.glob(kind)]
    paths += [*course.settings_files, course.misconceptions_page, *course.root.glob("locale/*/*.po")]
    return [str(title), *(_digest(path) for path in sorted(paths) if path.is_file() and path.suffix != ".pyc")]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _make(
    config: bytes, settings: dict[str, Any], part: dict[str, list[str]], contents: dict[str, str]
) -> tuple[list[tuple[int, str]], bool]:
    """Make pages in a separate process; return its reports, and whether all succeeded."""
    known = pickle.loads(config)
    coursedir = CourseDirectory(config=known)
    for name, value in settings.items():
        setattr(coursedir, name, value)
    converter = Part(coursedir=coursedir, config=known)
    converter.force, converter.syncpoint_contents = True, contents
    converter.init_notebooks = lambda: setattr(converter, "assignments", part)
    reported = _Reports()
    converter.log.handlers[:], converter.log.propagate = [reported], False
    with contextlib.suppress(NbGraderException):
        converter.start()
        return reported.messages, True
    return reported.messages, False


class _Reports(logging.Handler):
    """Collects messages for the parent process."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[tuple[int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append((record.levelno, record.getMessage()))


def _pickled(config: Config) -> bytes | None:
    """Return the configuration for another process; None if it cannot be pickled, as with a function."""
    try:
        return pickle.dumps(config)
    except Exception:
        return None


def _count(students: Iterable[str]) -> str:
    number = len(list(students))
    return f"{number} submission{'' if number == 1 else 's'}"
