"""Removes a try that is somebody else's work, so that it never counts."""

from nbgrader.api import Gradebook

from ..course.folder import Course
from ..records.database import one_transaction
from ..records.tries import remove
from .submission_cache import SubmissionCache
from .try_files import TryFiles


def remove_try(course: Course, gradebook: Gradebook, student: str, assignment: str, number: int) -> None:
    """Delete the record and the files of a try, by its number from 1; the next grading updates the marks.

    Raises:
        SyncpointError: If there is no such try.
    """
    with one_transaction(gradebook) as session:
        digest = remove(session, student, assignment, number)
        # Otherwise the next grading sees that the submission is unchanged, and reads no tries.
        SubmissionCache.of(course.results.parent, assignment).remove(student)
    TryFiles(course.root, assignment).remove(student, digest)
