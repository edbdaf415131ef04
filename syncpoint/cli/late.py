"""The commands on late work: ``extend``, ``excuse``, ``time_factor``, ``late``."""

from typing import TYPE_CHECKING, Annotated

import typer

from .options import HERE, InCourse, in_gradebook

if TYPE_CHECKING:
    from ..course.folder import Course
    from ..records.late import Penalty

HOURS, FACTOR = 100_000, 100  # maximum: a due date after the year 9999 is invalid and would stop all later grading
NO_RULE = (
    "No late penalty has changed: nbgrader_config.py has no rule, so lateness costs nothing (docs/how-to/late-work.md)."
)


def extend(
    student: str,
    assignment: str,
    hours: Annotated[
        float | None,
        typer.Option(min=0, max=HOURS, help="Extra time, in hours after the due date; 0 removes the extension."),
    ] = None,
    until: Annotated[
        str, typer.Option(help="The new due date instead of --hours, such as 2026-03-01T12:00+01:00.")
    ] = "",
    folder: InCourse = HERE,
) -> None:
    """Give a student more time, and recompute their late penalty. Nothing is judged again."""
    if (hours is None) != bool(until):
        raise typer.BadParameter("give the extra time with --hours NUMBER, or the new due date with --until TIME.")
    with in_gradebook(folder) as (course, gradebook):
        from ..records.late import extend, hours_until, work_out_penalties

        clock = course.clock
        if hours is None:
            hours = hours_until(course, gradebook, assignment, clock.read(until))
        due = extend(course, gradebook, student, assignment, hours)
        why = f"{hours:g} hours more"
        changed = work_out_penalties(course, gradebook, assignment, student, why=why)
        print(f"{student}: {assignment} is due {clock.show(due)}.")
        print(f"The extension is {hours:g} elapsed hours after the due date, whether or not the clocks change.")
        _say(course, changed)


def excuse(
    student: str,
    assignment: str,
    because: Annotated[str, typer.Option(help="The reason, which is saved in the gradebook.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Let the assignment count again.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Excuse a student from an assignment: no points, no penalty, and it does not count as missing."""
    if bool(because.strip()) == undo:
        raise typer.BadParameter("give the reason with --because TEXT, or remove the excuse with --undo.")
    with in_gradebook(folder) as (course, gradebook):
        from ..records.late import excuse_from, work_out_penalties

        changed = excuse_from(course, gradebook, student, assignment, because.strip())
        why = f"excused: {because.strip()}" if because else "no longer excused"
        penalties = work_out_penalties(course, gradebook, assignment, student, why=why)
        status = "counts" if undo else "does not count"
        print(f"{student}: {assignment} {status}{'.' if changed else ' (unchanged).'}")
        _say(course, penalties)


def time_factor(
    student: str,
    factor: Annotated[
        float, typer.Argument(min=1, max=FACTOR, help="1.5 gives 50 % more time; 1 takes the extra time away.")
    ],
    folder: InCourse = HERE,
) -> None:
    """Give a student more time for every assignment, including those that get a due date later."""
    with in_gradebook(folder) as (course, gradebook):
        from ..records.late import give_time_factor, work_out_penalties

        means = give_time_factor(course, gradebook, student, factor)
        why = f"time factor {factor:g}"
        changed = [one for name in means for one in work_out_penalties(course, gradebook, name, student, why=why)]
        for assignment, status in means.items():
            print(f"{student}: {assignment} {status}.")
        _say(course, changed)


def late(assignment: str, folder: InCourse = HERE) -> None:
    """Recompute the late penalties of a class after a change of the due date or the rule. Nothing is judged again."""
    with in_gradebook(folder) as (course, gradebook):
        from ..records.late import work_out_penalties

        _say(course, work_out_penalties(course, gradebook, assignment, why="recomputed"))


def _say(course: "Course", changed: "list[Penalty]") -> None:
    from ..records.late import costs_nothing

    for one in changed:
        print(f"{one.student}, {one.notebook}: late penalty {one.before:g} -> {one.now:g} points.")
    if not changed:
        print(NO_RULE if costs_nothing(course) else "No late penalty has changed.")
