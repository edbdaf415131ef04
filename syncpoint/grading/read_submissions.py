"""Reads submitted/: lists a run's submissions, and converts each folder to jobs, or says why it cannot.

Reading a submission never raises because of its folder's content: the fault is a field.
"""

import fnmatch
import functools
import glob
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from ..check.status import SECRET
from ..core.names import did_you_mean
from ..course.attachments import notes_on, rejected_files
from ..course.collected import group_of
from ..course.folder import Course
from ..course.intake import MAX_BYTES, TIMESTAMP, is_untouched
from ..course.settings import read_settings
from ..course.submission_folder import LinkedFolder, check_name, linked, time_of, why_no_time
from ..course.times import Clock
from ..judge.job import NotebookJob, key
from .groups import GroupWork, SubmittedFolder, read_partners, share_out
from .notebook_reader import NotebookReader, ReadNotebook
from .submission_cache import content
from .try_files import digest_of, submitted_files

NOBODY = "no student matching {!r} has submitted {}"
NO_TIME = (
    "{}/{} has no valid time, so this student's work does not count as late. The reason: {}. "
    "Correct the file, then grade this student again."
)
EXCLUDED = "the configuration excludes this student (student_id_exclude)."


@dataclass(frozen=True)
class SubmittedWork:
    """What a submission's folder contains, as the judge, the graded copy and the tries need it."""

    notebooks: Mapping[str, ReadNotebook] = field(default_factory=dict)  # the prepared notebooks by name
    # the key of each notebook's result, by its name; None for a notebook that cannot be run
    keys: Mapping[str, str | None] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)  # the submitted files by path, without nbgrader's
    digest: str = ""  # of these files
    # the files to put next to the graded notebooks: the path there, and the file to copy
    other_files: Mapping[str, Path] = field(default_factory=dict)
    time: datetime | None = None  # when it was submitted; None if unknown
    timeless: bool = False  # whether its time stamp is not a time: then no earlier time counts either


@dataclass(eq=False)
class Submission:
    """A submission during a run: listed, read if it has changed, judged, committed."""

    folder: Path  # in submitted/
    whose: str = ""  # the student who gets the grade, if the folder in submitted/ is a partner's
    submitter: str = ""  # the partner whose work it is; "" for the student's own work
    follows: bool = False  # whether it is graded because a partner's submission is
    content: str = ""  # a digest of the folder and everything else that affects the result; "" if it cannot be read
    work: SubmittedWork = SubmittedWork()  # empty until it had to be read
    tries: list["Submission"] = field(default_factory=list)  # earlier submissions that may count instead of this one
    seconds: float = 0.0  # how long judging took
    fault: str = ""  # why it cannot be graded; "" if it can
    notes: list[str] = field(default_factory=list)  # sentences for the person who grades

    @property
    def student(self) -> str:
        return self.whose or self.folder.parent.name

    @property
    def author(self) -> str:
        """The student whose values count."""
        return self.submitter or self.student

    @property
    def name(self) -> str:
        """The name under which runs claim it: student/assignment."""
        return f"{self.student}/{self.folder.name}"

    @property
    def candidates(self) -> list["Submission"]:
        """All submissions that may count: the earlier ones and this one."""
        return [*self.tries, self]

    @property
    def all_keys(self) -> set[str]:
        """The results that are needed to grade it."""
        return {key for one in self.candidates for key in one.work.keys.values() if key}


@dataclass(frozen=True)
class Students:
    """The requested students."""

    assignment: str
    patterns: Sequence[str]  # names, or patterns of names
    excluded: Collection[str]  # by the configuration

    def __contains__(self, student: str) -> bool:
        return student not in self.excluded and any(_fits(student, pattern) for pattern in self.patterns)

    def missing(self, listed: list[str]) -> dict[str, str]:
        """Return a message for every requested pattern that matches no student."""
        reasons = {}
        for pattern in self.patterns:
            if pattern in self.excluded:
                reasons[pattern] = EXCLUDED
            elif not any(_fits(student, pattern) for student in listed):
                then = did_you_mean(pattern, listed) or ": look in submitted/ for the correct name."
                reasons[pattern] = NOBODY.format(pattern, self.assignment) + then
        return reasons


def _fits(student: str, pattern: str) -> bool:
    return student == pattern or fnmatch.fnmatchcase(student, pattern)


def _is_untouched(path: Path, released: frozenset[str]) -> bool:
    """Do as the intake's `is_untouched`, but read an unchanged file only once in a run."""
    try:
        state = path.lstat()
    except OSError:
        return True
    return _read_once(path, (state.st_ino, state.st_mtime_ns, state.st_size), released)


@functools.lru_cache(100_000)
def _read_once(path: Path, state: tuple[int, int, int], released: frozenset[str]) -> bool:
    return is_untouched(path, released)


def _bytes_of(path: Path) -> bytes | None:
    """The content of a student's notebook; None if it is not read."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return None
    return path.read_bytes()


class Reader:
    """Reads the submissions of one assignment."""

    def __init__(self, reader: NotebookReader, coursedir: CourseDirectory, assignment: str):
        self._reader, self._coursedir = reader, coursedir
        self.course, self.spec = reader.course, reader.spec(assignment)
        self._clock: Clock = self.course.clock
        release = self.course.root / "release" / assignment
        self.released = sorted(path.stem for path in release.glob("*.ipynb"))
        self.group_work = GroupWork()

    def everybody(self) -> list[Submission]:
        """All submissions, in the order of their names; in group work, also those of members who submitted nothing."""
        pattern = self._coursedir.format_path(self._coursedir.submitted_directory, "*", self.spec.assignment)
        folders = {path.parent.name: path for path in map(Path, sorted(glob.glob(pattern))) if path.is_dir()}
        if self.course.graders(self.spec.assignment).settings().groups:
            self.group_work = self._share_out(folders)
        sources = self.group_work.sources
        return [
            Submission(folders[sources[student]], student, sources[student])
            if student in sources
            else Submission(folders[student])
            for student in sorted({*folders, *sources})
        ]

    def _share_out(self, folders: Mapping[str, Path]) -> GroupWork:
        known, groups = self._reader.students_and_groups()
        submitted = {}
        for student, folder in folders.items():
            if not linked(folder):
                texts = {name: self._reader.texts(folder.name, name, student) for name in self.released}
                empty = all(_is_untouched(folder / f"{name}.ipynb", these) for name, these in texts.items())
                time = None if why_no_time(folder, self._clock) else time_of(folder, self._clock)
                group = group_of(self.course, folder)
                submitted[student] = SubmittedFolder(folder, empty, time, read_partners(folder), group)
        return share_out(submitted, groups, {*known, *folders}, self._same)

    def _same(self, one: Path, other: Path) -> bool:
        return one == other or all(
            _bytes_of(one / f"{name}.ipynb") == _bytes_of(other / f"{name}.ipynb") for name in self.released
        )

    @property
    def excluded(self) -> set[str]:
        """The students whom the configuration excludes."""
        return set(filter(None, self._coursedir.student_id_exclude.split(",")))

    def of(self, student: str) -> list[Submission]:
        """The submission of a student, whose fault it is if the configuration excludes them, and of their partners."""
        pattern = self._coursedir.submitted_directory, student, self.spec.assignment
        own = Submission(Path(self._coursedir.format_path(*pattern)))
        partners: list[Submission] = []
        if self.course.graders(self.spec.assignment).settings().groups:
            everybody = self.everybody()
            own = next((one for one in everybody if one.student == student), own)
            partners = [one for one in everybody if one.submitter == student and one.student not in self.excluded]
        own.fault = EXCLUDED if student in self.excluded else ""
        for one in partners:
            one.follows = True
        return [own, *partners]

    def look(self, submission: Submission, decides: str) -> None:
        """Read as much of a submission as is needed to see whether it has changed, into its ``content``.

        ``decides`` is everything apart from its folder that decides the outcome of a submission.

        Raises:
            LinkedFolder: If the folder is a link.
            Exception: Whatever else is wrong with it.
        """
        check_name(submission.folder)
        check_name(self._own(submission))
        if linked(submission.folder):
            raise LinkedFolder(submission.folder)
        decides += self._reader.languages.get(submission.student, "")
        decides += self._reader.variant(self.spec.assignment, submission.author)
        if submission.whose and not linked(own := self._own(submission)):  # its time and secret locate the pages
            decides += content(own, self.spec.limits.disk_bytes, "")
        submission.content = content(submission.folder, self.spec.limits.disk_bytes, decides)

    def _own(self, submission: Submission) -> Path:
        """The student's folder in submitted/, which may not be there."""
        names = self._coursedir.submitted_directory, submission.student, self.spec.assignment
        return Path(self._coursedir.format_path(*names))

    def read(self, submission: Submission) -> dict[str, NotebookJob]:
        """Return a submission's jobs by their keys, from its notebooks and the files next to them."""
        folder, ours = submission.folder, self._reader.ours(self.spec.assignment)
        rejected = rejected_files(folder, self.spec.limits.disk_bytes, ours.keys(), self._clock)
        other_files, notes = self._reader.other_files(folder, rejected), notes_on(folder, rejected)
        why = why_no_time(folder, self._clock)
        if why:
            submission.notes.append(NO_TIME.format(folder, TIMESTAMP, why.rstrip(".")))
        notebooks = {
            name: self._reader.read(folder / f"{name}.ipynb", other_files, notes, submission.student, submission.author)
            for name in self.released
        }
        keys = {name: None if read.refused else key(self.spec, read.job) for name, read in notebooks.items()}
        files = submitted_files(folder, rejected, self.released)
        submission.work = SubmittedWork(
            notebooks,
            keys,
            files,
            digest_of(files),
            self._copied(submission, other_files, timeless=bool(why)),
            None if why else time_of(folder, self._clock),
            timeless=bool(why),
        )
        return {its: notebooks[name].job for name, its in keys.items() if its}

    def _copied(self, submission: Submission, other_files: dict[str, Path], timeless: bool) -> dict[str, Path]:
        """Return the files to put next to the graded notebooks; the exchange finds a student's pages by two of them."""
        stamp, copied = submission.folder / TIMESTAMP, dict(other_files)
        if not timeless and stamp.is_file():  # it distinguishes newer work from this, whatever else is left
            copied.setdefault(TIMESTAMP, stamp)
        if submission.whose:
            own = self._own(submission)
            mine = {name: own / name for name in (TIMESTAMP, SECRET)}
            copied.pop(SECRET, None)
            if not linked(own):
                copied |= {name: path for name, path in mine.items() if path.is_file() and not path.is_symlink()}
        return copied


def reader_of(course: Course, assignment: str) -> Reader:
    """Return a reader for a command that only reads, as the course's configuration says."""
    config = course.settings()
    coursedir = CourseDirectory(config=config, root=str(course.root), assignment_id=assignment)
    return Reader(NotebookReader(course, coursedir, read_settings(config), {}), coursedir, assignment)
