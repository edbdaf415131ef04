"""The command that grades a class."""

import contextlib
import sys
from typing import Annotated

import typer

from .options import CORES, HERE, InCourse, Scheduler, Workers, course_around, in_one_line


def grade(
    assignments: Annotated[list[str], typer.Argument(metavar="ASSIGNMENT...", help="One or more assignments.")],
    workers: Workers = CORES,
    scheduler: Scheduler = "",
    student: Annotated[
        list[str] | None,
        typer.Option(help="Only this student, or students that match a pattern; may be given more than once."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Judge unchanged submissions again.")] = False,
    events: Annotated[
        typer.FileTextWrite | None,
        typer.Option("--json", help="Write progress as JSON lines to this file, or to the standard output if it is -."),
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Grade a class like `nbgrader autograde`, but only what has changed, and several submissions at a time."""
    with in_one_line(), contextlib.ExitStack() as stack:
        course, complete, judges = course_around(folder), True, None
        if not scheduler:  # the judging processes load their modules while this process loads its own
            from ..grading.pool import JudgingThreads

            judges = stack.enter_context(JudgingThreads(workers, course.root))
        from rich.console import Console

        from ..course.errors import CourseError
        from ..grading.display import Display
        from ..grading.failures import stopped
        from ..grading.options import RunOptions
        from ..grading.run import run

        options = RunOptions(
            students=tuple(student or ()), executor=judges, workers=workers, scheduler=scheduler, force=force
        )
        for assignment in assignments:
            display = Display(assignment, Console(stderr=True, highlight=False), events)
            try:
                complete = run(course, assignment, options, display) and complete
            except CourseError as problem:  # the other assignments can still be graded
                print(f"syncpoint: {problem}", file=sys.stderr)
                complete = False
            except KeyboardInterrupt as problem:
                print(stopped(problem, display.current), file=sys.stderr)
                raise typer.Exit(1) from None
        if not complete:
            raise typer.Exit(1)
