"""What earlier runs left half done: nbgrader takes a submission for graded as soon as its folder is there.

A submission is graded once each notebook stands in autograded/ as the judge wrote it last, and its verdicts are in
the gradebook.  Anything less is what a kill, a full disk or a power cut left, and is removed before nbgrader looks.
"""

import errno
import fcntl
import hashlib
import json
import os
import shutil
import struct
from collections.abc import Collection
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import select

from ..records.tables import NotebookRecord
from .course import CourseError

RUNS = ".runs"  # hidden: nbgrader looks for students in this folder
INTAKE = "syncpoint"  # what the exporter notes in a notebook's metadata and the judge takes out again
NO_LOCKS = "no file in {folder} can be locked ({reason}): put the course on a disk that has locks."
NO_FOLDER = "{folder} cannot be used ({reason}): make it writable, with room on its disk, then run this again."
BUSY = (errno.EAGAIN, errno.EACCES)  # another run has the lock


class Claims:
    """The submissions that this run may grade.  Others see them until they are released or closed, or the process ends.

    They are locks of an open file, and not of the process: formgrader's grades again and again, and closing the file
    of an earlier run would take the locks of this one away.
    """

    def __init__(self, autograded: Path):
        try:
            autograded.mkdir(parents=True, exist_ok=True)
            self._runs = (autograded / RUNS).open("a+b")
        except OSError as problem:
            raise CourseError(NO_FOLDER.format(folder=autograded, reason=problem.strerror)) from None

    def take_if_alone(self, submission: str) -> bool:
        """Claim this submission, unless another run that is still going has.  Returns whether it is ours."""
        try:
            self._lock(fcntl.F_OFD_SETLK, fcntl.F_WRLCK, submission)
        except OSError as problem:
            if problem.errno in BUSY:
                return False
            raise CourseError(NO_LOCKS.format(folder=Path(self._runs.name).parent, reason=problem.strerror)) from None
        return True

    def take(self, submission: str) -> None:
        """Claim this submission; if another run has it, as soon as that run is done with it or has gone.

        Who waits for several takes them in the order of their names: then no two wait for each other.
        """
        self._lock(fcntl.F_OFD_SETLKW, fcntl.F_WRLCK, submission)

    def release(self, submission: str) -> None:
        """Let others have the submission."""
        self._lock(fcntl.F_OFD_SETLK, fcntl.F_UNLCK, submission)

    def close(self) -> None:
        """Let others have all of them."""
        self._runs.close()

    def _lock(self, command: int, kind: int, submission: str) -> None:
        # One byte of the file for each submission, at a place that no other has.
        digest = hashlib.blake2b(os.fsencode(submission), digest_size=7).digest()
        wanted = struct.pack("hhqqi4x", kind, os.SEEK_SET, int.from_bytes(digest, "big"), 1, 0)  # Linux's struct flock
        fcntl.fcntl(self._runs, command, wanted)


def graded_notebooks(gradebook: Gradebook, assignment: str) -> set[tuple[str, str]]:
    """Student and notebook of all that has verdicts."""
    wanted = select(NotebookRecord.student, NotebookRecord.notebook).where(NotebookRecord.assignment == assignment)
    return {(row.student, row.notebook) for row in gradebook.db.execute(wanted)}


def remove_unfinished(folder: Path, wanted: Collection[str], recorded: Collection[str], whole: bool) -> bool:
    """Remove the ``wanted`` notebooks from a folder of autograded/ if they are unfinished, or the ``whole`` folder.

    Returns whether anything was removed.
    """
    paths = [folder / f"{name}.ipynb" for name in wanted]
    unfinished = [path for path in paths if path.stem not in recorded or not _was_judged(path)]
    if not unfinished:
        return False
    there = [path for path in ([folder] if whole else unfinished) if os.path.lexists(path)]
    for path in there:
        _remove(path)
    return bool(there)


def _remove(path: Path) -> None:
    """Remove whatever stands there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _was_judged(path: Path) -> bool:
    """Whether this is the judge's copy of a notebook, to its last byte: not nbgrader's first one, and no torn file."""
    try:
        return INTAKE not in dict(json.loads(path.read_bytes())["metadata"])
    except (OSError, ValueError, TypeError, LookupError, RecursionError):  # whatever it holds, we did not write it
        return False
