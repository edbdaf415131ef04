"""The command that grades a class."""

import contextlib
import sys
from typing import Annotated

import typer

from .options import CORES, HERE, InCourse, course_around, in_one_line


def grade(
    assignments: Annotated[list[str], typer.Argument(metavar="ASSIGNMENT...", help="One or more, one after another.")],
    workers: Annotated[
        int, typer.Option(min=1, help="Number of submissions to judge at a time on this machine.")
    ] = CORES,
    scheduler: Annotated[
        str, typer.Option(help="Have the workers of this Dask scheduler judge, such as tcp://host:8786.")
    ] = "",
    student: Annotated[
        list[str] | None, typer.Option(help="This student alone, or a pattern; may be given more than once.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Judge again what has not changed.")] = False,
    events: Annotated[
        typer.FileTextWrite | None, typer.Option("--json", help="Write what happens as JSON lines; - is the output.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Grade a class: only what has changed, several at a time, here or on a cluster; the scores are autograde's."""
    with in_one_line(), contextlib.ExitStack() as stack:
        course, complete, judges = course_around(folder), True, None
        if not scheduler:  # it loads what judges while this process loads what reads and writes
            from ..grading.pool import JudgingThreads

            judges = stack.enter_context(JudgingThreads(workers, course.root))
        from rich.console import Console

        from ..course.errors import CourseError
        from ..grading.display import Display
        from ..grading.failures import stopped
        from ..grading.run import Choice, run

        choice = Choice(tuple(student or ()), judges, workers, scheduler, force)
        for assignment in assignments:
            display = Display(assignment, Console(stderr=True, highlight=False), events)
            try:
                complete = run(course, assignment, choice, display) and complete
            except CourseError as problem:  # the others can be graded
                print(f"syncpoint: {problem}", file=sys.stderr)
                complete = False
            except KeyboardInterrupt as problem:
                print(stopped(problem, display.current), file=sys.stderr)
                raise typer.Exit(1) from None
        if not complete:
            raise typer.Exit(1)
