"""Starts the grading of an assignment anew, so that its cells may change: nbgrader keeps the cells of graded work."""

import shutil

from nbgrader.api import Gradebook

from ..course.folder import Course
from ..records.accommodations import keep_extensions
from ..records.database import one_transaction, upgrade
from ..records.forget import forget
from ..records.gradebook import find_assignment
from ..records.mark_log import acting
from ..records.tables import NotebookRecord

RESTART = "restart"


def graded(course: Course, gradebook: Gradebook, assignment: str) -> list[str]:
    """Whose marks would go.

    Returns:
        Their ids.

    Raises:
        CourseError: If there is no such assignment.
        UnknownEntry: If the gradebook does not have it yet.
    """
    return sorted(one.student_id for one in find_assignment(course, gradebook, assignment).submissions)


def restart(course: Course, gradebook: Gradebook, assignment: str, why: str) -> None:
    """Remove cells and marks of an assignment, and what was made of them in autograded/ and feedback/.

    Due date, extensions, excuses and log stay.  nbgrader writes no page of the same work while there is an old one.

    Args:
        course: Its.
        gradebook: It is changed, in one transaction.
        assignment: Its name.
        why: What the log of marks says.

    Raises:
        CourseError: If there is no such assignment.
        UnknownEntry: If the gradebook does not have it yet.
    """
    upgrade(gradebook.engine)
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
