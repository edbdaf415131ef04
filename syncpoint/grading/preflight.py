"""Before a run: checks machine and course, and cleans up after earlier runs."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from ..core.atomic_write import sweep_parts
from ..core.settings import Settings
from ..course.folder import Course
from ..course.release import check_gradebook
from ..records.bootstrap import prepare
from ..records.forget import sweep
from ..records.gradebook import gradebook_at
from ..records.owner import check_owner
from ..sandbox.folder import PrivateFolder, sweep_folders
from ..sandbox.spec import check_sandbox


def check_course(coursedir: CourseDirectory, assignment: str, course: Course, settings: Settings) -> None:
    """Check that machine and course allow grading.

    Raises:
        SyncpointError: If the course or its settings, the sandbox or the gradebook cannot be used.
        DBAPIError: If the database cannot be used.
        OSError: If a folder of the course cannot be written.
    """
    if settings.isolation == "bubblewrap":
        check_sandbox()
    check_owner(coursedir.db_url, Path(coursedir.root))
    prepare(coursedir.db_url, coursedir.course_id)
    course.check_engine(course.settings_of(assignment, settings).engine)
    course.graders(assignment).check(course.source(assignment))
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        check_gradebook(gradebook, course, assignment)


def clean_up(coursedir: CourseDirectory, course: Course) -> None:
    """Remove leftovers of interrupted runs, and bring our tables up to date. Raises as `check_course` does."""
    sweep_folders()
    sweep_parts(course.state)
    PrivateFolder().remove()  # raises an error if no folder can be created
    with gradebook_at(coursedir.db_url, coursedir.course_id) as gradebook:
        sweep(gradebook)
