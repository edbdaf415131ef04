"""The command ``syncpoint``: what an instructor types beside nbgrader's own commands."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from .dashboard.settings import FORMGRADER, PORT

NOTHING = "nothing to vet: nothing below {} fits what you named."
BENCH_MOVED = "syncpoint: `syncpoint bench` is `python -m benchmarks` now; the next version does not have the old name."
BENCH_IS_ELSEWHERE = "syncpoint: the bench is no part of the package: run `make bench` in a clone of Syncpoint."
CORES = len(os.sched_getaffinity(0))  # those that this command may use: fewer than there are, in a container

app = typer.Typer(
    help="Syncpoint: graded exercises on asynchronous computation, beside nbgrader's own commands.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

InCourse = Annotated[
    Path, typer.Option("--course", help="The course folder, or a folder in it.", exists=True, file_okay=False)
]
HERE = Path()

# Each command imports its package when it is called: nbgrader alone takes two seconds to import.


@contextlib.contextmanager
def _in_one_line() -> Iterator[None]:
    """Errors that an operator can mend are one line and exit status 1."""
    from .command import CommandFailed
    from .dashboard.settings import DashboardError
    from .judge.course import CourseError
    from .records.database import NewerTables
    from .records.gradebook import GradebookError
    from .sandbox import SandboxUnavailable

    try:
        yield
    except (CommandFailed, CourseError, DashboardError, GradebookError, NewerTables, SandboxUnavailable) as problem:
        print(f"syncpoint: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        raise typer.Exit(1) from None


@app.command()
def doctor(folder: InCourse = HERE) -> None:
    """Say what this machine and this course have and lack for grading."""
    with _in_one_line():
        from .doctor import examine_all
        from .judge.course import Course

        if not examine_all(Course.around(folder)):
            raise typer.Exit(1)


Chosen = Annotated[
    list[str] | None, typer.Option("--assignment", help="This assignment alone; may be given more than once.")
]


@app.command()
def grade(
    assignment: str,
    workers: Annotated[int, typer.Option(min=1, help="Judge so many submissions at a time on this machine.")] = CORES,
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
    with _in_one_line():
        from rich.console import Console

        from .grading.display import Display
        from .grading.run import Choice, run
        from .judge.course import Course
        from .nbgrader_hooks.failures import stopped

        choice = Choice(tuple(student or ()), workers, scheduler, force)
        display = Display(assignment, Console(stderr=True, highlight=False), events)
        try:
            complete = run(Course.around(folder), assignment, choice, display)
        except KeyboardInterrupt as problem:
            print(stopped(problem, display.current), file=sys.stderr)
            complete = False
        if not complete:
            raise typer.Exit(1)


@app.command()
def demo(
    assignment: Chosen = None,
    everybody: Annotated[bool, typer.Option("--all", help="Grade every student of the sample classes.")] = False,
    clean: Annotated[bool, typer.Option("--clean", help="Remove the demo's course again, and nothing else.")] = False,
    browser: Annotated[
        bool, typer.Option("--open", help="Start the dashboard at the end, and open it in the browser.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Judge so many submissions at a time.")] = CORES,
    folder: InCourse = HERE,
) -> None:
    """Grade a few right, wrong and cheating students of each assignment, in the demo's own course, and show them."""
    with _in_one_line():
        from .demo.clean import remove_sample_classes
        from .demo.run import remove, run
        from .demo.sample_class import assignments_with_a_class
        from .judge.course import Course

        course = Course.around(folder)
        if clean:
            gone = remove(course), remove_sample_classes(course)
            print("demo: it is gone." if any(gone) else "demo: there was nothing of it.")
        else:
            own = run(course, assignment or assignments_with_a_class(course), everybody, workers)
            if browser:
                from .dashboard import serve
                from .dashboard.settings import Address, Login

                serve.run(own, Address(), Login(), FORMGRADER, browser)


@app.command()
def scores(assignment: str, folder: InCourse = HERE) -> None:
    """Show the class: points by student and exercise."""
    with _in_one_line():
        from .judge.course import Course
        from .scores import console, read_scores, render

        screen = console()
        screen.print(render(read_scores(Course.around(folder), assignment), screen.width))


@app.command()
def why(
    student: str,
    assignment: str,
    exercise: Annotated[str, typer.Argument()] = "",
    folder: InCourse = HERE,
) -> None:
    """Show why a student has these points, with the failed assertions that students do not see."""
    with _in_one_line():
        from .judge.course import Course
        from .records.read import read_submission
        from .scores import console
        from .why import explain

        screen = console()
        for line in explain(read_submission(Course.around(folder), student, assignment), exercise):
            screen.print(line)


@app.command()
def feedback(student: str, assignment: str, folder: InCourse = HERE) -> None:
    """Print what a student reads in their feedback as plain text, for whoever cannot use the page."""
    with _in_one_line():
        from .judge.course import Course
        from .judge.settings import read_settings
        from .records.read import read_submission
        from .report.background import Background
        from .report.exercise import plain

        course = Course.around(folder)
        beside = Background.of(read_settings(course.settings()), course.misconceptions_page)
        for notebook in read_submission(course, student, assignment):
            reports = [plain(exercise, beside) for exercise in notebook.notebook_result.exercises]
            print(f"{notebook.name}.ipynb", *reports, sep="\n\n", end="\n\n")


@app.command()
def roster(
    file: Annotated[Path, typer.Argument(help="CSV: id, first name, last name, email, LMS id.")],
    folder: InCourse = HERE,
) -> None:
    """Bring the gradebook's students up to a roster; nobody is removed, and it may be done again."""
    with _in_one_line():
        from .exports.roster import describe, enrol, read_roster
        from .judge.course import Course
        from .records.gradebook import open_gradebook

        people = read_roster(file)
        with open_gradebook(Course.around(folder)) as gradebook:
            print(*describe(enrol(gradebook, people)), sep="\n")


@app.command()
def dashboard(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port on 127.0.0.1.")] = PORT,
    unix_socket: Annotated[
        Path | None, typer.Option(help="Listen on this Unix socket instead, for JupyterHub or jupyter-server-proxy.")
    ] = None,
    prefix: Annotated[str, typer.Option(help="The path that a proxy keeps in front of ours.")] = "",
    origin: Annotated[
        list[str] | None, typer.Option(help="A host[:port] of a proxy as browsers see it; may be given often.")
    ] = None,
    passwords: Annotated[
        Path | None, typer.Option(help="Ask for a name and a password of this JSON file, and not for a token.")
    ] = None,
    oauth: Annotated[str, typer.Option(help="Ask this OAuth provider of Panel's, and not for a token.")] = "",
    allow: Annotated[
        list[str] | None, typer.Option(help="Who may come in by OAuth; may be given more than once.")
    ] = None,
    formgrader: Annotated[str, typer.Option(help="Where formgrader answers in your browser.")] = FORMGRADER,
    browser: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Show the class, its exercises, its students and the grading as a web page for its teachers."""
    with _in_one_line():
        from .dashboard.serve import run
        from .dashboard.settings import Address, Login
        from .judge.course import Course

        address = Address(port, unix_socket, prefix, tuple(origin or ()))
        login = Login(passwords, oauth, frozenset(allow or ()))
        run(Course.around(folder), address, login, formgrader, browser)


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(context: typer.Context) -> None:
    """Moved: it is `python -m benchmarks`, or `make bench`, now.  This name goes with the next version."""
    checkout = Path(__file__).parent.parent
    if not (checkout / "benchmarks").is_dir():
        print(BENCH_IS_ELSEWHERE, file=sys.stderr)
        raise typer.Exit(1)
    print(BENCH_MOVED, file=sys.stderr)
    sys.path.insert(0, str(checkout))
    sys.argv[1:] = context.args  # the figures say how they were taken
    from benchmarks.__main__ import app as benchmarks

    benchmarks(context.args, prog_name="python -m benchmarks")


@app.command()
def vet(
    bank: Annotated[
        Path | None,
        typer.Argument(help="A folder <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.", show_default="bank"),
    ] = None,
    assignment: Annotated[str, typer.Option(help="Only this assignment.")] = "",
    exercise: Annotated[
        list[str] | None, typer.Option(help="This exercise alone; may be given more than once.")
    ] = None,
    only: Annotated[str, typer.Option(help="Only files whose name holds this; shows what failed tests saw.")] = "",
    listing: Annotated[
        Path | None, typer.Option("--list", exists=True, dir_okay=False, help="Only the solutions this file names.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Judge each solution so often; any change is reported.")] = 1,
    onto: Annotated[
        Path | None,
        typer.Option("--onto", dir_okay=False, help="Keep each trial in this file; those it has count, too."),
    ] = None,
    load: Annotated[int, typer.Option(min=0, help="Keep so many busy processes beside it.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Judge so many solutions at a time.")] = CORES,
    kills: Annotated[bool, typer.Option("--kills", help="Show how many wrong solutions each test finds.")] = False,
    cheats: Annotated[
        bool | None, typer.Option("--cheats/--no-cheats", help="Only the cheats of the bank, or none of them.")
    ] = None,
    checks: Annotated[
        bool, typer.Option("--checks", help="Only run the notebook's own check on each right solution.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", dir_okay=False, help="Write everything to this file.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Hold the graders against a bank: right solutions keep all points, wrong ones lose some, cheats win none."""
    about_solutions = {
        "--exercise": exercise,
        "--list": listing,
        "--kills": kills,
        "--repeat": repeat > 1,
        "--onto": onto,
    }
    useless = [option for option, given in about_solutions.items() if given]
    about_verdicts = {"--kills": kills, "--repeat": repeat > 1, "--onto": onto, "--cheats": cheats, "--json": json_file}
    needless = [option for option, given in about_verdicts.items() if given]
    if checks and needless:
        raise typer.BadParameter(f"{needless[0]} is about verdicts; leave it out, or leave out --checks.")
    if cheats and useless:
        raise typer.BadParameter(f"{useless[0]} is about solutions; leave it out, or leave out --cheats.")
    with _in_one_line():
        from .judge.course import Course, CourseError
        from .sandbox import check_sandbox
        from .scores import console
        from .vet.choice import Choice, vet_cheats, vet_checks, vet_solutions
        from .vet.report import Report, check_writable, render_kills
        from .vet.run import busy

        course, screen = Course.around(folder), console()
        bank = bank or Path(os.path.relpath(course.bank))
        check_sandbox()
        if json_file is not None:
            check_writable(json_file)
        choice = Choice(bank, assignment, tuple(exercise or ()), only, listing)
        solved = tried = None
        with busy(load):
            if checks:
                passed = vet_checks(course, choice, jobs, screen)
                raise CourseError(NOTHING.format(bank)) if passed is None else typer.Exit(0 if passed else 1)
            if not cheats:
                solved = vet_solutions(course, choice, repeat, jobs, screen, onto)
            if cheats or (cheats is None and not choice.names_solutions):
                tried = vet_cheats(course, choice, jobs, screen)
        if solved is None and tried is None:
            raise CourseError(NOTHING.format(bank))
        if solved and kills:
            screen.print(render_kills(solved))
        agrees = all(report.agrees for report in (solved, tried) if report)
        if json_file is not None:
            plain = (solved or Report(())).plain()
            plain |= {"cheats": tried.plain() if tried else None, "agrees": agrees}
            json_file.write_text(json.dumps(plain, indent=1))
        if not agrees:
            raise typer.Exit(1)
