"""The command ``syncpoint``: what an instructor types beside nbgrader's own commands."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Syncpoint: graded exercises on asynchronous computation, beside nbgrader's own commands.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# Each command imports its room when it is called: nbgrader alone takes two seconds to import.


@contextlib.contextmanager
def _in_one_line() -> Iterator[None]:
    """Errors that an operator can mend are one line and exit status 1."""
    from .command import CommandFailed
    from .gradebook import GradebookError
    from .judge.course import CourseError
    from .sandbox import SandboxUnavailable

    try:
        yield
    except (CommandFailed, CourseError, GradebookError, SandboxUnavailable) as problem:
        print(f"syncpoint: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        raise typer.Exit(1) from None


@app.command()
def doctor() -> None:
    """Say what this machine and this course have and lack for grading."""
    with _in_one_line():
        from .doctor import examine_all
        from .judge.course import Course

        if not examine_all(Course.around(Path.cwd())):
            raise typer.Exit(1)


@app.command()
def demo(
    clean: Annotated[bool, typer.Option("--clean", help="Remove the sample class again, and nothing else.")] = False,
) -> None:
    """Grade a small class of right, wrong and cheating students, and show the result."""
    with _in_one_line():
        from .demo.clean import remove_sample_class
        from .demo.run import run
        from .judge.course import Course

        course = Course.around(Path.cwd())
        if clean:
            remove_sample_class(course)
            print("demo: the sample class is gone.")
        else:
            run(course)


@app.command()
def scores(assignment: str) -> None:
    """Show the class: points by student and exercise."""
    with _in_one_line():
        from .judge.course import Course
        from .scores import console, read_scores, render

        screen = console()
        screen.print(render(read_scores(Course.around(Path.cwd()), assignment), screen.width))


@app.command()
def why(student: str, assignment: str, exercise: Annotated[str, typer.Argument()] = "") -> None:
    """Show why a student has these points, with the failed assertions that students do not see."""
    with _in_one_line():
        from .judge.course import Course
        from .scores import console
        from .why import explain, read_kept

        screen = console()
        for line in explain(read_kept(Course.around(Path.cwd()), student, assignment), exercise):
            screen.print(line)


@app.command()
def bench() -> None:
    """Measure what grading one submission costs on this machine, beside stock nbgrader."""
    with _in_one_line():
        from .bench import measure
        from .judge.course import Course

        measure(Course.around(Path.cwd()))
