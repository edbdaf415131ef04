"""The commands on late work: ``extend``, ``late``."""

from typing import TYPE_CHECKING, Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line

if TYPE_CHECKING:
    from ..nbgrader_hooks.late import Penalty


def extend(
    student: str,
    assignment: str,
    hours: Annotated[float, typer.Option(min=0, help="So long after the due date; 0 takes an extension back.")],
    folder: InCourse = HERE,
) -> None:
    """Give a student more time, and work their late penalty out anew; nothing is judged again."""
    with in_one_line():
        from ..nbgrader_hooks.late import extend, work_out_penalties
        from ..records.gradebook import open_gradebook

        course = course_around(folder)
        with open_gradebook(course) as gradebook:
            due = extend(gradebook, student, assignment, hours)
            changed = work_out_penalties(gradebook, course.settings(), assignment, student)
        print(f"{student}: {assignment} is due {due:%Y-%m-%d %H:%M} UTC.")
        _say(changed)


def late(assignment: str, folder: InCourse = HERE) -> None:
    """Work out the late penalties of a class anew, after another due date or another rule; nothing is judged again."""
    with in_one_line():
        from ..nbgrader_hooks.late import work_out_penalties
        from ..records.gradebook import open_gradebook

        course = course_around(folder)
        with open_gradebook(course) as gradebook:
            _say(work_out_penalties(gradebook, course.settings(), assignment))


def _say(changed: "list[Penalty]") -> None:
    for one in changed:
        print(f"{one.student}, {one.notebook}: late penalty {one.before:g} -> {one.now:g} points.")
    if not changed:
        print("No late penalty has changed.")
