"""``syncpoint grade``: grades an assignment of a class, from the listing to the summary."""

import contextlib
import functools
from dataclasses import dataclass

from distributed import Client
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from ..judge.course import Course, CourseError
from .cluster import cluster_at, local_cluster
from .coordinator import Coordinator
from .display import Display
from .sql_cache import sharing


@dataclass(frozen=True)
class Choice:
    """Whom to grade, and with what.

    Attributes:
        students: Names or patterns; none for everybody.
        workers: How many of this machine.
        scheduler: The address of a cluster instead; "" for none.
        force: Judge also what is in the store.
    """

    students: tuple[str, ...] = ()
    workers: int = 1
    scheduler: str = ""
    force: bool = False


def run(course: Course, assignment: str, choice: Choice, display: Display) -> bool:
    """Grade an assignment.  Returns whether everybody is graded now."""
    if assignment not in course.assignments():
        raise CourseError(f"there is no assignment {assignment!r}; there are: {', '.join(course.assignments())}.")
    if not (course.root / "release" / assignment).is_dir():
        raise CourseError(f"{assignment} has no release yet: run `nbgrader generate_assignment {assignment}` first.")
    with display.shown(), contextlib.ExitStack() as stack:

        @functools.cache
        def client() -> Client:
            if choice.scheduler:
                return stack.enter_context(cluster_at(choice.scheduler))
            return stack.enter_context(local_cluster(choice.workers, course.root))

        settings = course.settings()
        coursedir = CourseDirectory(config=settings, root=str(course.root), assignment_id=assignment, student_id="*")
        coursedir.db_url = sharing(coursedir.db_url)
        students = choice.students or ("*",)
        try:
            Coordinator(client, display, choice.force, students, coursedir=coursedir, config=settings).start()
        except NbGraderException:  # it is logged, and so shown
            return False
    return display.complete
