"""Work taken from nbgrader's exchange: what its student's account put there, and nothing that it leads to.

Everybody can write into the exchange, so a folder may bear another's name or no time, and hold links to what only the
grader can read.  ``c.ExchangeFactory.collect`` names it.
"""

import os
import pwd
import shutil
import stat
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect

from ..core.errors import CannotGrade
from .timestamps import TIMESTAMP, check_name

READY = 0o777
NOBODY = "/"  # no student's name: it cannot be a folder's
LEFT = "{assignment}: not collected: {path}: {reason}."
COLLECTED = "{assignment}: collected the work of {students}."


class Collect(ExchangeCollect):
    """nbgrader's, which only warns of a forged name, follows links, and ends at the first name without a time."""

    src_records: list[dict[str, Any]]

    def init_src(self) -> None:
        """Choose each student's submission among those that are theirs, and name the others."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] != NOBODY]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        try:
            record: dict[str, Any] = super()._path_to_record(path)
            self._check(Path(path), record["username"])
        except (ExchangeError, CannotGrade, ValueError, OverflowError, OSError) as problem:
            reason = str(problem).rstrip(".") or "its name cannot be read"
            self._left(path, reason)
            return {"username": NOBODY, "filename": Path(path).name, "timestamp": datetime.min}
        return record

    def _check(self, folder: Path, student: str) -> None:
        """Refuse what is no folder of that student's.  Raises CannotGrade or OSError."""
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            raise CannotGrade("it is a link or a file, and no folder")
        check_name(Path(student, self.coursedir.assignment_id))
        if not is_complete(folder):
            raise CannotGrade("it is not all there yet: collect again in a minute")
        owner = owner_of(status)
        if self.check_owner and owner != student:
            raise CannotGrade(f"it says to be {student}'s, and is {owner}'s: ask {owner}")

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the files of a submission: all or none, and first to where nobody else can change them meanwhile."""
        owner = os.lstat(src).st_uid if self.check_owner else None
        own = Path(self.coursedir.root, ".syncpoint")
        own.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="collecting-", dir=own) as private:
            taken, chosen = Path(private, "taken"), Path(private, "chosen")
            left = copy_files(Path(src), taken, owner)
            super().do_copy(str(taken), str(chosen), log)
            shutil.move(chosen, dest)
        for path in left:
            self._left(path, "it is no file of the student's own (a link, a pipe, or another's)")

    def _left(self, path: str | Path, reason: str) -> None:
        """Say what stays in the exchange: also in formgrader, which shows the log."""
        self.log.error(LEFT.format(assignment=self.coursedir.assignment_id, path=path, reason=reason))

    def copy_files(self) -> None:
        """Collect, and say whose work was chosen."""
        super().copy_files()
        students = ", ".join(sorted(record["username"] for record in self.src_records))
        if students:
            said = COLLECTED.format(assignment=self.coursedir.assignment_id, students=students)
            print(said, file=sys.stderr)


def is_complete(folder: Path) -> bool:
    """Whether a submission is all there: that everybody may write to it is the last thing `nbgrader submit` does."""
    return stat.S_IMODE(folder.lstat().st_mode) == READY and (folder / TIMESTAMP).exists()


def owner_of(status: os.stat_result) -> str:
    """The account that a file belongs to, or its number."""
    try:
        return pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        return str(status.st_uid)


def copy_files(source: Path, target: Path, owner: int | None) -> list[Path]:
    """Copy a folder's regular files, while somebody may exchange them for links.

    Args:
        source: The folder; no link in it is followed.
        target: A new folder.
        owner: The user whose files are taken, or None for everybody's: a hard link may lead to another's.

    Returns:
        What was left.
    """
    left = []
    for place, _, names, folder in os.fwalk(source, follow_symlinks=False):
        into = target / os.path.relpath(place, source)
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
                    shutil.copyfileobj(content, copy)
    return left
