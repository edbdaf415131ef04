"""Maintenance: ``doctor``, ``engine``, ``prune``, ``forget``, ``restart``, and moving or adopting a gradebook."""

import subprocess
import sys
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_gradebook, in_one_line


def doctor(folder: InCourse = HERE) -> None:
    """Check what this machine and this course need for grading, and say how to fix what is missing."""
    with in_one_line():
        from ..doctor.checks import examine_all

        if not examine_all(course_around(folder)):
            raise typer.Exit(1)


engine = typer.Typer(no_args_is_help=True)


@engine.callback()
def _engine() -> None:
    """The engines that run student code."""


@engine.command()
def install(
    names: Annotated[list[str] | None, typer.Argument(help="Engines. Default: those that the assignments use.")] = None,
    folder: InCourse = HERE,
) -> None:
    """Create or update an engine's Python environment, .venv-NAME in the course."""
    with in_one_line():
        from ..engines.find import ENVIRONMENTS

        command = ["bash", str(ENVIRONMENTS), str(course_around(folder).root), sys.executable, *(names or ())]
        raise typer.Exit(subprocess.run(command, stdin=subprocess.DEVNULL).returncode)


NO_MARKS = (
    "{0} has no marks, so you can change its cells: run `nbgrader generate_assignment {0} --force`. Nothing was done."
)
RESTARTED = (
    "The gradebook has no cells or marks of {0} any more. Due date, extensions, excuses and submissions are kept. "
    "Continue with `nbgrader generate_assignment {0} --force`, then `syncpoint grade {0}`."
)
Days = Annotated[
    float | None, typer.Option("--older-than", min=0, help="Remove results that are at least this many days old.")
]
Size = Annotated[float | None, typer.Option(min=0, help="Then remove the oldest results until this many MiB are left.")]


def prune(older_than: Days = None, size: Size = None, folder: InCourse = HERE) -> None:
    """Remove old or excess results that no mark needs, and store identical files of students' folders only once."""
    with in_one_line():
        from ..records.read_results import used_results
        from ..upkeep.prune import describe, prune

        with in_gradebook(folder) as (course, gradebook):
            used = used_results(gradebook)
        print(*describe(prune(course, used, older_than, size), size), sep="\n")


def forget(
    student: Annotated[str, typer.Argument(help="The student's id.")],
    why: Annotated[str, typer.Option(help="The reason, for the log of marks; write no name.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Remove all data of one student: marks, work, feedback, results, questions, and lines of the log."""
    with in_gradebook(folder) as (course, gradebook):
        from ..upkeep.forget import find, forget

        traces = find(course, gradebook, student)
        print(f"Data of {student}:", *traces.describe(), sep="\n    ")
        if not yes:
            typer.confirm("Remove it permanently?", abort=True)
        print(f"Removed {student}.", *forget(course, gradebook, traces, why), sep="\n")


def restart(
    assignment: str,
    why: Annotated[str, typer.Option(help="The reason, for the log of marks.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Remove an assignment's cells and marks from the gradebook, so that you can change its cells and grade again."""
    with in_gradebook(folder) as (course, gradebook):
        from ..core.names import some
        from ..upkeep.restart import graded, restart

        students = graded(course, gradebook, assignment)
        if not students:
            print(NO_MARKS.format(assignment))
            return
        number = "1 submission" if len(students) == 1 else f"{len(students)} submissions"
        print(f"{assignment}: marks of {number} ({some(students)}).")
        if not yes:
            typer.confirm("Remove them, including those that people gave?", abort=True)
        restart(course, gradebook, assignment, why)
        print(RESTARTED.format(assignment))


def move_gradebook(
    url: Annotated[str, typer.Argument(help="An empty database: postgresql+psycopg:///syncpoint")],
    folder: InCourse = HERE,
) -> None:
    """Copy the gradebook into an empty database and use it from now on; the old one stays unchanged."""
    with in_one_line():
        from ..upkeep.move import move

        print(*move(course_around(folder), url), sep="\n")


def adopt_gradebook(folder: InCourse = HERE) -> None:
    """Make this folder the only one that uses its gradebook, after the course was restored or moved."""
    with in_one_line():
        from ..records.gradebook import database
        from ..records.owner import adopt, shown

        course = course_around(folder)
        adopt(database(course), course.root)
        print(f"{shown(database(course))} now belongs to the course in {course.root}.")
