"""What earlier runs left half done: nbgrader takes a submission for graded as soon as its folder is there.

A submission is graded once each notebook stands in autograded/ as the judge wrote it last, and its verdicts are in
the gradebook.  Anything less is what a kill, a full disk or a power cut left, and is removed before nbgrader looks.
"""

import json
import os
import shutil
from collections.abc import Collection
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import select

from ..records.tables import NotebookRecord

UNJUDGED = "syncpoint"  # what the exporter notes in a notebook's metadata and the judge takes out again
UNFINISHED = "%s of %s was not graded to its end by an earlier run: it is now."


def graded_notebooks(gradebook: Gradebook, assignment: str) -> set[tuple[str, str]]:
    """Student and notebook of all that has verdicts."""
    wanted = select(NotebookRecord.student, NotebookRecord.notebook).where(NotebookRecord.assignment == assignment)
    return {(row.student, row.notebook) for row in gradebook.db.execute(wanted)}


def remove_unfinished(folder: Path, wanted: Collection[str], recorded: Collection[str], whole: bool) -> bool:
    """Remove the ``wanted`` notebooks from a folder of autograded/ if they are unfinished, or the ``whole`` folder.

    Returns whether anything was removed.

    Returns:
        Whether anything was removed.
    """
    paths = unfinished(folder, wanted, recorded)
    if not paths:
        return False
    there = [path for path in ([folder] if whole else paths) if os.path.lexists(path)]
    for path in there:
        _remove(path)
    return bool(there)


def unfinished(folder: Path, wanted: Collection[str], recorded: Collection[str]) -> list[Path]:
    """Which of the ``wanted`` notebooks are not graded to their end in a folder of autograded/."""
    paths = [folder / f"{name}.ipynb" for name in wanted]
    return [path for path in paths if path.stem not in recorded or not _was_judged(path)]


def _remove(path: Path) -> None:
    """Remove whatever stands there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _was_judged(path: Path) -> bool:
    """Whether this is the judge's copy of a notebook, to its last byte: not nbgrader's first one, and no torn file."""
    try:
        return UNJUDGED not in dict(json.loads(path.read_bytes())["metadata"])
    except (OSError, ValueError, TypeError, LookupError, RecursionError):  # whatever it holds, we did not write it
        return False
