"""Claims a student's submissions for a change, which is refused while a run grades one."""

import contextlib
from collections.abc import Iterable, Iterator

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..grading.claims import Claims

BUSY = "{student}'s work on {assignment} is being graded now, so nothing was removed. Wait until it is done."


@contextlib.contextmanager
def all_claimed(course: Course, submissions: Iterable[tuple[str, str]]) -> Iterator[None]:
    """Keep runs from grading these submissions (student, assignment) in the block, or raise SyncpointError."""
    with contextlib.closing(Claims(course.root / "autograded")) as claims:
        for student, assignment in submissions:
            if not claims.take_if_alone(f"{student}/{assignment}"):
                raise SyncpointError(BUSY.format(student=student, assignment=assignment))
        yield
