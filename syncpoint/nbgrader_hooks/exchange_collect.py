"""Collects work from nbgrader's exchange: only files of the student's account, and no link targets.

Everybody can write into the exchange, so a folder may bear another's name or no time, and hold links to what only the
grader can read.  ``c.ExchangeFactory.collect`` names it.
"""

import contextlib
import errno
import fcntl
import functools
import os
import pwd
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from nbgrader.apps import CollectApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect

from ..core.errors import CannotGrade, SyncpointError
from ..core.limits import MIB
from ..core.names import some
from ..core.strip import strip_control
from ..course.attachments import MAX_DEPTH, MAX_ENTRIES
from ..course.folder import STATE_FOLDER, Course
from ..course.intake import TIMESTAMP
from ..course.shared_files import SharedFiles
from ..course.submission_folder import LinkedFolder, check_name, linked, time_of
from ..course.times import Clock, UnreadableTime

READY = 0o777
BEGINNING = "collecting-"  # prefix of the folders for copies
CHUNK = MIB
NOBODY = "/"  # no student has this name, because no folder can
LEFT = "{assignment}: not collected: {path}: {reason}."
MANY_LEFT = "{assignment}: not collected: {count} folders in {place}, such as {some}."
MOST_LEFT = 5  # folders that get a line each: anyone can create ten thousand
COLLECTED = "{assignment}: collected submissions of {students}."
RETAINED = "{assignment}: kept the collected submissions of {students}: {why}."
NOTHING = "{assignment}: nothing was collected: {place} has no submission that can be collected."


class Submissions(CourseDirectory):
    """Collects like nbgrader, but a problem with one submission does not stop the others."""

    @classmethod
    def like(cls, other: CourseDirectory) -> "Submissions":
        """Return the same folders as this class."""
        return cls(parent=other.parent, **{name: getattr(other, name) for name in other.trait_names(config=True)})

    def format_path(self, nbgrader_step: str, student_id: str, assignment_id: str, escape: bool = False) -> str:
        """Return a path. Raises LinkedFolder if the submission is a link."""
        path = str(super().format_path(nbgrader_step, student_id, assignment_id, escape=escape))
        if nbgrader_step == self.submitted_directory and linked(Path(path)):
            raise LinkedFolder(Path(path))
        return path

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """Return a submission's time in UTC; None if it has no valid one."""
        try:
            return time_of(Path(dest_path), self._clock)
        except UnreadableTime:
            return None

    @functools.cached_property
    def _clock(self) -> Clock:
        return Course(Path(self.root)).clock


class Collect(ExchangeCollect):
    """nbgrader's collector, which only warns of forged names, follows links, and stops at a name without a time."""

    src_records: list[dict[str, Any]]
    coursedir: CourseDirectory
    _ready: Path  # the copy for nbgrader
    _shared: SharedFiles

    def init_src(self) -> None:
        """Choose each student's submission among their own folders, and report the others."""
        self._rejected: list[tuple[Path, str]] = []
        super().init_src()
        self._say_rejected()
        self.src_records = [record for record in self.src_records if record["username"] != NOBODY]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        try:
            record: dict[str, Any] = super()._path_to_record(path)
            # nbgrader's own parser treats an unknown zone as UTC.
            when = self._clock.read_stamp(Path(path).name.rsplit("+", 3)[2])
            record["timestamp"] = when.replace(tzinfo=None)
            self._check(Path(path), record["username"])
        except (ExchangeError, SyncpointError, ValueError, OverflowError, OSError) as problem:
            reason = str(problem).rstrip(".") or "its name cannot be read"
            self._rejected.append((Path(path), reason))
            return {"username": NOBODY, "filename": Path(path).name, "timestamp": datetime.min}
        return record

    def _say_rejected(self) -> None:
        """Report folders that are not a student's work, all if few, else their number and some names."""
        if len(self._rejected) <= MOST_LEFT:
            for path, reason in self._rejected:
                self._left(path, reason)
            return
        named = ", ".join(f"{path.name[:80]!r} ({reason})" for path, reason in self._rejected[:3])
        about = {"assignment": self.coursedir.assignment_id, "place": self.inbound_path, "some": named}
        self._say(MANY_LEFT.format(count=len(self._rejected), **about))

    @functools.cached_property
    def _clock(self) -> Clock:
        return Course(Path(self.coursedir.root)).clock

    def _check(self, folder: Path, student: str) -> None:
        """Refuse a folder that is not the student's."""
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            raise CannotGrade("it is a link or a file, not a folder")
        check_name(Path(student, self.coursedir.assignment_id))
        if not is_complete(folder):
            raise CannotGrade("it is still incomplete: collect again in a minute")
        owner = owner_of(status)
        if self.check_owner and owner != student:
            raise CannotGrade(f"it is named after {student} but belongs to {owner}: ask {owner}")

    def copy_files(self) -> None:
        """Collect, and report whose work was collected. One submission's problem does not stop the others."""
        self.coursedir = Submissions.like(self.coursedir)  # an invalid time stamp in submitted/ counts as none
        chosen, assignment = self.src_records, self.coursedir.assignment_id
        collected: list[dict[str, Any]] = []
        retained: list[dict[str, Any]] = []
        troubles: list[str] = []
        if not chosen:
            super().copy_files()  # it writes a line to the log, which formgrader shows
        with _taken(Path(self.coursedir.root), fcntl.LOCK_SH):
            self._shared = SharedFiles(Path(self.coursedir.root), assignment)
            for record in chosen:
                self.src_records = [record]
                try:
                    is_new = self._collect(record)
                except Exception as problem:
                    cause = (problem.strerror if isinstance(problem, OSError) else "") or str(problem)
                    self._left(Path(self.inbound_path, record["filename"]), cause.rstrip("."))
                    # a too long name is the student's problem
                    if isinstance(problem, OSError) and problem.errno != errno.ENAMETOOLONG:
                        troubles.append(cause)
                else:
                    (collected if is_new else retained).append(record)
        self.src_records = collected + retained
        if collected:
            print(COLLECTED.format(assignment=assignment, students=some(_students(collected))), file=sys.stderr)
        is_asked = isinstance(self.parent, CollectApp)  # `syncpoint watch` collects at every submission
        if is_asked and retained:
            why = "there is no newer submission" if self.update else "--update collects newer submissions"
            print(RETAINED.format(assignment=assignment, students=some(_students(retained)), why=why), file=sys.stderr)
        if is_asked and not chosen:
            print(NOTHING.format(assignment=assignment, place=self.inbound_path), file=sys.stderr)
        if troubles:  # this machine has a problem: collect again
            self.fail(f"{assignment}: not all was collected: {troubles[0]}")

    def _collect(self, record: dict[str, Any]) -> bool:
        """Collect one submission: its copy is complete before nbgrader removes the earlier one."""
        if not self._is_wanted(record):
            super().copy_files()  # it writes a line to the log
            return False
        with tempfile.TemporaryDirectory(prefix=BEGINNING, dir=Path(self.coursedir.root, STATE_FOLDER)) as private:
            self._ready = Path(private, "chosen")
            source, taken = Path(self.inbound_path, record["filename"]), Path(private, "taken")
            owner = source.lstat().st_uid if self.check_owner else None
            # First copied into a folder where nobody else can change the files.
            left = copy_files(source, taken, owner, 1000 * self.coursedir.max_dir_size)
            _write_time(taken, record["timestamp"])
            super().do_copy(str(taken), str(self._ready))
            self._shared.share(self._ready)
            super().copy_files()
        for path in left:
            self._left(path, "it is not the student's own file (but a link, a pipe, or another user's file)")
        return True

    def _is_wanted(self, record: dict[str, Any]) -> bool:
        """Whether nbgrader's rule collects this one."""
        names = self.coursedir.submitted_directory, record["username"], self.coursedir.assignment_id
        folder = self.coursedir.format_path(*names)
        if not os.path.isdir(folder):
            return True
        before, time = self.coursedir.get_existing_timestamp(folder), record["timestamp"]
        return (self.update and (before is None or time > before)) or (self.before_duedate and before != time)

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Move the finished copy to its place."""
        shutil.move(self._ready, dest)

    def _left(self, path: str | Path, reason: str) -> None:
        """Report what stays in the exchange; formgrader shows this log."""
        self._say(LEFT.format(assignment=self.coursedir.assignment_id, path=path, reason=reason))

    def _say(self, message: str) -> None:
        self.log.error(strip_control(message.replace("\n", "\N{REPLACEMENT CHARACTER}")))


def _students(records: list[dict[str, Any]]) -> list[str]:
    return sorted(record["username"] for record in records)


def exchange_of(course: Course) -> Path | None:
    """Return a course's folder in nbgrader's exchange; None if nbgrader has no name for it."""
    settings = course.settings()
    name = str(CourseDirectory(config=settings).course_id)
    return Path(Collect(config=settings).root, name) if name else None


def whose(name: str) -> str:
    """Return the student in a folder name of inbound/, as nbgrader reads it."""
    return name.rsplit("+", 3)[0]


def sweep(root: Path) -> None:
    """Remove the copies that a killed run left, unless another run is collecting now."""
    with contextlib.suppress(BlockingIOError), _taken(root, fcntl.LOCK_EX | fcntl.LOCK_NB):
        for folder in Path(root, STATE_FOLDER).glob(f"{BEGINNING}*"):
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _taken(root: Path, how: int) -> Iterator[None]:
    """Lock the folder for copies; sweeping locks it exclusively."""
    own = Path(root, STATE_FOLDER)
    own.mkdir(exist_ok=True)
    with (own / "collecting.lock").open("a") as lock:
        fcntl.flock(lock, how)
        yield


def _write_time(folder: Path, time: datetime) -> None:
    """Write the time of submission from the folder's name, because the file's own text may be invalid."""
    stamp = folder / TIMESTAMP
    if stamp.is_dir():
        shutil.rmtree(stamp)
    stamp.write_text(f"{time.isoformat(sep=' ', timespec='microseconds')} UTC")


def is_complete(folder: Path) -> bool:
    """Whether a submission is complete: `nbgrader submit` makes it writable for everybody as its last step."""
    if stat.S_IMODE(folder.lstat().st_mode) != READY:
        return False
    try:
        return stat.S_ISREG((folder / TIMESTAMP).lstat().st_mode)
    except FileNotFoundError:
        return False


def owner_of(status: os.stat_result) -> str:
    """Return the name of the account that owns a file, or its number."""
    try:
        return pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        return str(status.st_uid)


def copy_files(source: Path, target: Path, owner: int | None, most: int) -> list[Path]:
    """Copy a folder's regular files, safely even if somebody replaces them with links at the same time.

    Args:
        source: The folder; no link in it is followed.
        target: A new folder.
        owner: The user whose files are copied, or None for everybody's: a hard link may lead to another user's file.
        most: The most bytes to copy: a file that takes no space on the disk can still have any length.

    Raises:
        CannotGrade: If it has more bytes, too many files, or too many levels of folders.
        OSError: If it cannot be copied.
    """
    left: list[Path] = []
    entries = 0
    for place, folders, names, folder in os.fwalk(source, follow_symlinks=False):
        inside = os.path.relpath(place, source)
        entries += len(folders) + len(names)
        if entries > MAX_ENTRIES:
            raise CannotGrade(f"it has more than {MAX_ENTRIES:,} files and folders")
        if inside.count(os.sep) >= MAX_DEPTH:
            raise CannotGrade(f"it has more than {MAX_DEPTH} levels of folders")
        into = target / inside
        into.mkdir()
        for name in names:
            try:
                file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
            except OSError:
                left.append(Path(place, name))
                continue
            with os.fdopen(file, "rb") as content:
                status = os.fstat(file)
                if not stat.S_ISREG(status.st_mode) or owner not in (None, status.st_uid):
                    left.append(Path(place, name))
                    continue
                with open(into / name, "wb") as copy:
                    most -= _copy(content, copy, most, status.st_size)
    return left


def _copy(content: BinaryIO, copy: BinaryIO, most: int, size: int) -> int:
    """Copy a file, which may grow meanwhile."""
    copied, part = 0, b" "
    while part and max(size, copied) <= most:
        part = content.read(CHUNK)
        copied += copy.write(part)
    if max(size, copied) > most:
        raise CannotGrade("its directory size is too big (c.CourseDirectory.max_dir_size)")
    return copied
