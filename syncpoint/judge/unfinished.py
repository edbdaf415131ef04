"""What earlier runs left half done: nbgrader takes a submission for graded as soon as its folder is there.

A submission is graded once each notebook stands in autograded/ as the judge wrote it last, and its verdicts are in
the gradebook.  Anything less is what a kill, a full disk or a power cut left, and is removed before nbgrader looks.
"""

import fcntl
import json
import os
import shutil
import zlib
from collections.abc import Collection
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import select

from ..records.tables import NotebookRecord
from .course import CourseError

RUNS = ".runs"  # hidden: nbgrader looks for students in this folder
INTAKE = "syncpoint"  # what the exporter notes in a notebook's metadata and the judge takes out again
NO_FOLDER = "{folder} cannot be used ({reason}): make it writable, with room on its disk, then run this again."


class Claims:
    """The submissions that this run may grade.  Others see them until this object or its process has gone."""

    def __init__(self, autograded: Path):
        try:
            autograded.mkdir(parents=True, exist_ok=True)
            self._runs = (autograded / RUNS).open("a+b")
        except OSError as problem:
            raise CourseError(NO_FOLDER.format(folder=autograded, reason=problem.strerror)) from None

    def take_if_alone(self, submission: str) -> bool:
        """Claim this submission, unless another run that is still going has.  Returns whether it is ours."""
        try:
            self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB, submission)
        except OSError:
            return False
        return True

    def take(self, submission: str) -> None:
        """Claim this submission; if another run has it, as soon as that run is done with it or has gone.

        Who waits for several takes them in the order of their names: then no two wait for each other.
        """
        self._lock(fcntl.LOCK_EX, submission)

    def release(self, submission: str) -> None:
        """Let others have the submission."""
        self._lock(fcntl.LOCK_UN, submission)

    def _lock(self, kind: int, submission: str) -> None:
        # One byte for each submission; two that meet in one only see each other as busy.
        fcntl.lockf(self._runs, kind, 1, zlib.crc32(submission.encode(errors="surrogateescape")))


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
