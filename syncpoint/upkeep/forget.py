"""Forgets a student: their rows in the gradebook, their folders, and the results of their submissions."""

import os
import shutil
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import select

from ..check.status import note_name
from ..check.viva import ABOUT
from ..core.errors import SyncpointError
from ..core.names import did_you_mean, some
from ..course.folder import OF_STUDENTS, STATE_FOLDER, Course
from ..grading.submission_cache import CACHE_FOLDER, SubmissionCache
from ..nbgrader_hooks.exchange_collect import exchange_of, whose
from ..nbgrader_hooks.exchange_fetch import VARIANTS
from ..nbgrader_hooks.feedback_release import secret_of
from ..records.forget import clear_free_pages, forget_student, rows_of
from ..records.read_results import used_results
from ..records.tables import QueueEntry
from .claims import all_claimed
from .prune import prune

FOLDERS = (*OF_STUDENTS, *(f"{STATE_FOLDER}/{name}" for name in ("replaced", "collected", "tries")))
EXPORTS = ("*.csv", "*.parquet", "*.zip", ".nbgrader.log")
COPIES = ("*.db*", "*.dump")  # made by cp, `nbgrader db upgrade`, backup.sh
OF_SQLITE = ("", "-journal", "-wal", "-shm")
STAYS = (
    "{path} cannot be removed ({reason}), and the gradebook still has {student}: fix this, then run the command again."
)
IN_FREE_PAGES = (
    "another program has gradebook.db open: deleted data may remain in free pages of the file until you run "
    '`sqlite3 gradebook.db "VACUUM"`.'
)
EXTERNAL_COPIES = (
    "Backups, pages in the exchange and the learning platform are not changed: docs/how-to/backup-and-upgrade.md, "
    "Delete old data."
)
CLOSED = (
    "{path} cannot be read ({reason}), so {student}'s submissions there would be collected again: run this as "
    "the owner of the exchange."
)


@dataclass(frozen=True)
class StudentTraces:
    """The data of a student."""

    student: str
    # the student's assignments in nbgrader's gradebook; None if the student is not in it
    submissions: list[str] | None
    rows: dict[str, int]  # number of rows in our tables, by table
    paths: list[Path]  # folders and files of only this student

    def describe(self) -> list[str]:
        """Return lines for the person who must confirm."""
        graded = "no student of that name" if self.submissions is None else f"{len(self.submissions)} submissions"
        rows = ", ".join(f"{count} of {table}" for table, count in self.rows.items()) or "none"
        lines = [f"gradebook: {graded}; rows in Syncpoint's tables: {rows}"]
        return [*lines, *(str(path) for path in self.paths)]


def find(course: Course, gradebook: Gradebook, student: str) -> StudentTraces:
    if not student:
        raise SyncpointError("name a student: the id is empty.")
    try:
        submissions = sorted(one.assignment.name for one in gradebook.find_student(student).submissions)
    except MissingEntry:
        submissions = None
    paths = [*_paths(course, student), *_submissions(course, gradebook, student)]
    traces = StudentTraces(student, submissions, rows_of(gradebook.db(), student), paths)
    if submissions is None and not traces.rows and not traces.paths:
        perhaps = did_you_mean(student, (one.id for one in gradebook.students))
        raise SyncpointError(f"there is no data of {student!r}{perhaps or '.'}")
    return traces


def forget(course: Course, gradebook: Gradebook, traces: StudentTraces, why: str) -> list[str]:
    """Remove the data that was found, and return lines about data that this command cannot remove.

    If it is interrupted, the gradebook still has the student, and running the command again continues. A stored result
    is removed if no other student's mark needs it, because older results do not say whose they are. ``why`` is written
    into the log of marks.

    Raises:
        SyncpointError: If the student's work is being graded, or if something cannot be removed.
    """
    student = traces.student
    graded = {path.name for parent in FOLDERS[:2] for path in course.root.glob(f"{parent}/*/*")}
    assignments = sorted({*(traces.submissions or ()), *graded, *course.assignments()})
    with all_claimed(course, ((student, assignment) for assignment in assignments)):
        used = used_results(gradebook, but=student)
        with forget_student(gradebook, student, why):
            for file in (course.state / CACHE_FOLDER).glob("*"):
                SubmissionCache(file).remove(student)
            for path in (*traces.paths, *_paths(course, student)):  # and what a run wrote since
                try:
                    _remove(path)
                except OSError as problem:
                    raise SyncpointError(STAYS.format(path=path, reason=problem.strerror, student=student)) from None
            for assignment in assignments:
                course.postponed.remove(f"{student}/{assignment}")
            prune(course, used, mib=0)
    lines = [] if clear_free_pages(gradebook) else [IN_FREE_PAGES]
    exports = sorted(path.name for pattern in EXPORTS for path in course.root.glob(pattern))
    if exports:
        lines.append(f"These may also name {student}; remove them or make them again: {some(exports)}.")
    copies = _copies(course, gradebook)
    if copies:
        lines.append(f"These may be copies of the gradebook with {student}'s data; remove them: {', '.join(copies)}.")
    return [*lines, EXTERNAL_COPIES]


def _paths(course: Course, student: str) -> list[Path]:
    state = course.state
    paths = []
    if _names_a_folder(student):
        paths += [course.root / folder / student for folder in FOLDERS]
        compared = (folder for folder in sorted(state.glob("similarity/*")) if (folder / "files" / student).is_dir())
        paths += compared  # including the report, which compares everybody
    return [path for path in paths if os.path.lexists(path)]


def _names_a_folder(student: str) -> bool:
    return "/" not in student and not student.startswith(".")


def _submissions(course: Course, gradebook: Gradebook, student: str) -> list[Path]:
    """Find the student's files in nbgrader's exchange."""
    exchange = exchange_of(course)
    if exchange is None:
        return []
    try:
        there = [path for path in (exchange / "inbound").iterdir() if path.name.startswith(f"{student}+")]
    except (FileNotFoundError, NotADirectoryError):
        there = []
    except OSError as problem:
        place = exchange / "inbound"
        raise SyncpointError(CLOSED.format(path=place, reason=problem.strerror, student=student)) from None
    notes = list(gradebook.db.scalars(select(QueueEntry.note).where(QueueEntry.student == student)))
    # not of a student with a longer name that begins in the same way
    theirs = [path for path in there if whose(path.name) == student]
    works = [(path, path.name.rsplit("+", 3)[1]) for path in theirs if path.name.count("+") >= 3]
    if _names_a_folder(student):
        works += [(path, path.name) for path in (course.root / "submitted" / student).glob("*")]
    notes += [note_name(secret, assignment + ABOUT) for path, assignment in works if (secret := secret_of(path))]
    paths = {exchange / "feedback" / name for name in notes if name and "/" not in name}
    if _names_a_folder(student):
        paths |= {folder / student for folder in (exchange / VARIANTS).glob("*")}
    return sorted([*theirs, *(path for path in paths if os.path.lexists(path))])


def _copies(course: Course, gradebook: Gradebook) -> list[str]:
    """Find other files in the course with names like gradebooks, without submissions."""
    own = {os.path.realpath(f"{gradebook.engine.url.database}{ending}") for ending in OF_SQLITE}
    found = []
    for place, folders, files in os.walk(course.root):  # it follows no links
        theirs = OF_STUDENTS if Path(place) == course.root else ()
        folders[:] = [name for name in folders if name not in theirs and not name.startswith(".")]
        names = [name for name in files if any(fnmatch(name, pattern) for pattern in COPIES)]
        found += [path for name in names if os.path.realpath(path := os.path.join(place, name)) not in own]
    return sorted(os.path.relpath(path, course.root) for path in found)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
