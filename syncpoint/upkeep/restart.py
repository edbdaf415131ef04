"""Starts the grading of an assignment anew, so that its cells may change: nbgrader keeps the cells of graded work."""

import shutil

from nbgrader.api import Gradebook

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..nbgrader_hooks.locks import Claims
from ..records.accommodations import keep_extensions
from ..records.database import one_transaction, upgrade
from ..records.forget import forget
from ..records.gradebook import find_assignment
from ..records.mark_log import acting
from ..records.tables import NotebookRecord

RESTART = "restart"
BUSY = "the work of {student} on {assignment} is being graded now: nothing was removed. Wait until the run is done."


def graded(course: Course, gradebook: Gradebook, assignment: str) -> list[str]:
    """Whose marks would go.

    Raises:
        CourseError: If there is no such assignment.
        SyncpointError: If the gradebook does not have it yet.
    """
    return sorted(one.student_id for one in find_assignment(course, gradebook, assignment).submissions)


def restart(course: Course, gradebook: Gradebook, assignment: str, why: str) -> None:
    """Remove cells and marks of an assignment, and what was made of them in autograded/ and feedback/.

    Due date, extensions, excuses and log stay.  nbgrader writes no page of the same work while there is an old one.

    Raises:
        CourseError: If there is no such assignment.
        SyncpointError: If the gradebook does not have it yet, or if somebody's work is being graded.
    """
    upgrade(gradebook.engine)
    handed_in = {path.parent.name for path in (course.root / "submitted").glob(f"*/{assignment}")}
    claims = Claims(course.root / "autograded")
    try:
        for student in sorted({*handed_in, *graded(course, gradebook, assignment)}):
            if not claims.take_if_alone(f"{student}/{assignment}"):
                raise SyncpointError(BUSY.format(student=student, assignment=assignment))
        with one_transaction(gradebook) as session:
            found = find_assignment(course, gradebook, assignment)
            due = found.duedate
            keep_extensions(session, found)
            with acting(session, RESTART, why):
                gradebook.remove_assignment(assignment)
            forget(session, NotebookRecord.assignment == assignment)
            gradebook.add_assignment(assignment, duedate=due)
        for made in ("autograded", "feedback"):
            for folder in (course.root / made).glob(f"*/{assignment}"):
                shutil.rmtree(folder)
    finally:
        claims.close()
