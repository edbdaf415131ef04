"""The commands for what an operator does between gradings: to prune, forget, restart, and to keep the gradebook."""

from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_gradebook, in_one_line

NO_MARKS = "{0} has no marks, so its cells may change: `nbgrader generate_assignment {0} --force`. Nothing was done."
RESTARTED = (
    "{0} has no cells and no marks in the gradebook now; due date, extensions, excuses and what was handed in stay. "
    "Go on: `nbgrader generate_assignment {0} --force`, then `syncpoint grade {0}`."
)
Days = Annotated[
    float | None, typer.Option("--older-than", min=0, help="Remove what was judged this many days ago or earlier.")
]
Size = Annotated[float | None, typer.Option(min=0, help="Then remove the oldest until this many MiB are left.")]


def prune(older_than: Days = None, size: Size = None, folder: InCourse = HERE) -> None:
    """Remove results from the store that are old or too much; those of marks in the gradebook stay."""
    with in_one_line():
        from ..core.errors import SyncpointError
        from ..records.read import used_results
        from ..upkeep.prune import describe, prune

        if older_than is None and size is None:
            raise SyncpointError("say what may go: --older-than DAYS, --size MIB, or both.")
        with in_gradebook(folder) as (course, gradebook):
            used = used_results(gradebook)
        print(*describe(prune(course, used, older_than, size), size), sep="\n")


def forget(
    student: Annotated[str, typer.Argument(help="Their id.")],
    why: Annotated[str, typer.Option(help="What the log of marks says of it; no name.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Remove all data of one student: marks, work, feedback, results, questions, and their lines of the log."""
    with in_gradebook(folder) as (course, gradebook):
        from ..upkeep.forget import find, forget

        traces = find(course, gradebook, student)
        print(f"Of {student} there is:", *traces.describe(), sep="\n    ")
        if not yes:
            typer.confirm("Remove it for good?", abort=True)
        print(f"{student} is removed.", *forget(course, gradebook, traces, why), sep="\n")


def restart(
    assignment: str,
    why: Annotated[str, typer.Option(help="What the log of marks says of it.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Remove the cells and all marks of an assignment, so that its cells may change. Then grade everybody again."""
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
            typer.confirm("Remove them, also those that people gave?", abort=True)
        restart(course, gradebook, assignment, why)
        print(RESTARTED.format(assignment))


def move_gradebook(
    url: Annotated[str, typer.Argument(help="Of an empty database: postgresql+psycopg:///syncpoint")],
    folder: InCourse = HERE,
) -> None:
    """Copy the gradebook into an empty database and use that from now on; the old one stays as it is."""
    with in_one_line():
        from ..upkeep.move import move

        print(*move(course_around(folder), url), sep="\n")


def adopt_gradebook(folder: InCourse = HERE) -> None:
    """Say that this folder is the course of its gradebook from now on, after it was restored or moved elsewhere."""
    with in_one_line():
        from ..records.gradebook import database
        from ..records.owner import adopt, shown

        course = course_around(folder)
        adopt(database(course), course.root)
        print(f"{shown(database(course))} belongs to the course in {course.root} from now on.")
