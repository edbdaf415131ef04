"""The command ``syncpoint``: what an instructor types beside nbgrader's own commands."""

import contextlib
import json
import os
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


Chosen = Annotated[
    list[str] | None, typer.Option("--assignment", help="This assignment alone; may be given more than once.")
]


@app.command()
def demo(
    assignment: Chosen = None,
    clean: Annotated[bool, typer.Option("--clean", help="Remove the sample classes again, and nothing else.")] = False,
) -> None:
    """Grade a small class of right, wrong and cheating students for each assignment, and show the result."""
    with _in_one_line():
        from .demo.clean import remove_sample_classes
        from .demo.run import run
        from .demo.sample_class import assignments_with_a_class
        from .judge.course import Course

        course = Course.around(Path.cwd())
        if clean:
            remove_sample_classes(course)
            print("demo: the sample classes are gone.")
        else:
            run(course, assignment or assignments_with_a_class(course))


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
        from .records.read import read_submission
        from .scores import console
        from .why import explain

        screen = console()
        for line in explain(read_submission(Course.around(Path.cwd()), student, assignment), exercise):
            screen.print(line)


@app.command()
def bench(assignment: Chosen = None) -> None:
    """Measure what grading one submission of each assignment costs on this machine, beside stock nbgrader."""
    with _in_one_line():
        from .bench import measure
        from .demo.sample_class import assignments_with_a_class
        from .judge.course import Course

        course = Course.around(Path.cwd())
        measure(course, assignment or assignments_with_a_class(course))


@app.command()
def vet(
    bank: Annotated[Path, typer.Argument(help="A folder <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.")] = Path(
        "tests/bank"
    ),
    assignment: Annotated[str, typer.Option(help="Only this assignment.")] = "",
    exercise: Annotated[
        list[str] | None, typer.Option(help="This exercise alone; may be given more than once.")
    ] = None,
    only: Annotated[str, typer.Option(help="Only files whose name holds this; shows what failed tests saw.")] = "",
    repeat: Annotated[int, typer.Option(min=1, help="Judge each solution so often; any change is reported.")] = 1,
    load: Annotated[int, typer.Option(min=0, help="Keep so many busy processes beside it.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Judge so many solutions at a time.")] = os.cpu_count() or 1,
    kills: Annotated[bool, typer.Option("--kills", help="Show how many wrong solutions each test finds.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything to this file.")] = None,
) -> None:
    """Hold the graders against a bank of solutions: right ones keep all points, wrong ones lose some."""
    with _in_one_line():
        from .judge.course import Course
        from .sandbox import check_sandbox
        from .scores import console
        from .vet import report, run
        from .vet.bank import read_bank

        course, screen = Course.around(Path.cwd()), console()
        check_sandbox()
        solutions = [s for s in read_bank(bank, course, assignment, tuple(exercise or ())) if only in s.path.name]
        with run.busy(load):
            trials = run.vet(course, solutions, repeat, min(jobs, max(1, len(solutions))))
            found = report.Report(tuple(run.show_progress(trials, len(solutions), screen, details=bool(only))))
        screen.print(report.render(found))
        if kills:
            screen.print(report.render_kills(found))
        if json_file is not None:
            json_file.write_text(json.dumps(found.plain(), indent=1))
        if not found.agrees:
            raise typer.Exit(1)
