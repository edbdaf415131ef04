"""Restarts the grading of an assignment, so that its cells can change; nbgrader locks graded cells."""

import shutil

from nbgrader.api import Gradebook

from ..course.folder import Course
from ..records.accommodations import keep_extensions
from ..records.database import one_transaction
from ..records.forget import forget
from ..records.gradebook import find_assignment
from ..records.mark_log import acting
from ..records.tables import NotebookRecord
from .claims import all_claimed

RESTART = "restart"


def graded(course: Course, gradebook: Gradebook, assignment: str) -> list[str]:
    """Return the students whose marks would be removed."""
    return sorted(one.student_id for one in find_assignment(course, gradebook, assignment).submissions)


def restart(course: Course, gradebook: Gradebook, assignment: str, why: str) -> None:
    """Remove cells and marks of an assignment, and the files made from them in autograded/ and feedback/.

    Due date, extensions, excuses and log stay.  nbgrader writes no page of the same work while there is an old one.

    Raises:
        SyncpointError: If the gradebook does not have it yet, or if a submission is being graded.
    """
    submitted = {path.parent.name for path in (course.root / "submitted").glob(f"*/{assignment}")}
    students = sorted({*submitted, *graded(course, gradebook, assignment)})
    with all_claimed(course, ((student, assignment) for student in students)):
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
