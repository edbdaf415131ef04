"""What can begin before a run has read anything: the first judging process, and the sandbox of its first job.

Whoever grades one student waits for these one after the other: for the command, the judge, and the engine.
"""

import contextlib
import fnmatch
from collections.abc import Sequence

from traitlets import TraitError

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..judge.job import to_json
from ..judge.judging_process import JudgingProcess


def get_ready(process: JudgingProcess, course: Course, assignment: str, students: Sequence[str], force: bool) -> None:
    """Start a judging process, and have its sandbox load the engine if somebody is surely judged.

    Args:
        process: Of the run's.
        course: What is graded.
        assignment: The first one.
        students: Names or patterns; none for everybody.
        force: Whether they are judged in any case.
    """
    process.start()
    with contextlib.suppress(SyncpointError, TraitError, OSError):  # the run says it
        if _somebody_is_judged(course, assignment, students or ("*",), force):
            process.prepare(to_json(course.sandbox_spec(assignment).empty))


def _somebody_is_judged(course: Course, assignment: str, students: Sequence[str], force: bool) -> bool:
    """Whether somebody was never graded; for changed work a sandbox starts when the change is found."""
    for folder in (course.root / "submitted").glob(f"*/{assignment}"):
        name = folder.parent.name
        graded = (course.root / "autograded" / name / assignment).is_dir()
        if (force or not graded) and any(fnmatch.fnmatchcase(name, pattern) for pattern in students):
            return True
    return False
