"""The commands that check the graders against the bank: ``syncpoint vet solutions|checks|cheats|viva``."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import CORES, HERE, InCourse, course_around, in_one_line

if TYPE_CHECKING:
    from ..course.folder import Course

vet = typer.Typer(
    help="Test the graders with the bank of sample solutions: right ones must get all points, wrong ones lose some.",
    no_args_is_help=True,
)
Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]...",
        help="assignment, assignment/exercise or assignment/exercise/file; * for any text. Default: all.",
    ),
]
Bank = Annotated[
    Path | None,
    typer.Option(
        help="Another folder of solutions, <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.",
        show_default="the banks of the course",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(min=1, help="Number of solutions to judge at a time; a high number makes the machine busy."),
]
Language = Annotated[
    str, typer.Option(help="Use the notebooks in this language, such as zh_CN. Default: those of the source.")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", dir_okay=False, help="Write everything to this file, as JSON.")
]


@vet.command()
def solutions(
    names: Names = None,
    bank: Bank = None,
    repeat: Annotated[
        int, typer.Option(min=1, help="Judge each solution N times, and report verdicts that differ.")
    ] = 1,
    journal: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="Record each judging in this file. Those that it already contains count for --repeat."
        ),
    ] = None,
    language: Language = "",
    jobs: Jobs = CORES,
    json_file: JsonFile = None,
    folder: InCourse = HERE,
) -> None:
    """Judge the bank's solutions: right ones must get all points, wrong ones must fail the tests that they name."""
    if language and journal:  # its keys cover everything that decides a verdict except the notebook
        raise typer.BadParameter("--journal is only for the source notebooks: leave out --journal or --language.")
    with _course(folder, json_file, language) as course:
        from ..report.scores import console
        from ..vet.choice import vet_solutions

        _end(vet_solutions(course, bank, names or (), repeat, jobs, console(), journal), json_file)


@vet.command()
def checks(
    names: Names = None,
    bank: Bank = None,
    language: Language = "",
    jobs: Jobs = CORES,
    folder: InCourse = HERE,
) -> None:
    """Run the notebook's visible check on each right solution: it must pass."""
    with _course(folder, None, language) as course:
        from ..report.scores import console
        from ..vet.choice import vet_checks

        if not vet_checks(course, bank, names or (), jobs, console()):
            raise typer.Exit(1)


@vet.command()
def cheats(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="kind or kind/file; * for any text. Default: all.")
    ] = None,
    bank: Bank = None,
    jobs: Jobs = CORES,
    json_file: JsonFile = None,
    folder: InCourse = HERE,
) -> None:
    """Grade the bank's cheats with nbgrader's autograde: none may get undeserved points."""
    with _course(folder, json_file) as course:
        from ..report.scores import console
        from ..vet.choice import vet_cheats

        _end(vet_cheats(course, bank, names or (), jobs, console()), json_file)


@vet.command()
def viva(
    assignments: Annotated[
        list[str] | None, typer.Argument(metavar="[ASSIGNMENT]...", help="Default: all that have what-ifs.")
    ] = None,
    students: Annotated[int, typer.Option(min=1, help="Number of students for each assignment.")] = 20,
    first: Annotated[
        int, typer.Option(min=1, help="Number of the first student. Above 1, the figures are added to those in --page.")
    ] = 1,
    seed: Annotated[str, typer.Option(help="The same seed gives the same questions.")] = "1",
    page: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Write the figures to this page. Its rows for other assignments stay."),
    ] = None,
    jobs: Jobs = CORES,
    folder: InCourse = HERE,
) -> None:
    """Prepare viva questions for a class that submits the bank's right solutions, and measure every answer again."""
    with _course(folder) as course:
        from ..course.errors import CourseError
        from ..report.scores import console
        from ..viva import prove
        from ..viva.measure import Lab

        names = assignments or [name for name in course.assignments() if Lab.of(course, name).exercises]
        for name in names:
            course.check_assignment(name)
        if not names:
            raise CourseError("nothing to vet: no assignment has a file visible/what_if.py.")
        screen, proofs = console(), []
        for name in names:
            proofs.append(prove.prove(course, name, students, seed, jobs, screen.print, first))
            screen.print(f"{name}: {proofs[-1].plain()}", markup=False)
            if page is not None:
                before = page.read_text(encoding="utf-8") if page.is_file() else ""
                page.write_text(prove.page(proofs[-1:], before), encoding="utf-8")
        if any(proof.wrong for proof in proofs):
            raise typer.Exit(1)


@contextlib.contextmanager
def _course(folder: Path, json_file: Path | None = None, language: str = "") -> Iterator["Course"]:
    """Yield the course, in a language; fail early on errors that would come later."""
    with in_one_line():
        from ..sandbox import check_sandbox
        from ..translations.localize import course_in
        from ..vet.report import check_writable

        course = course_around(folder)
        check_sandbox()
        if json_file is not None:
            check_writable(json_file)
        with course_in(course, language) as localized:
            yield localized


def _end(report: Any, json_file: Path | None) -> None:
    """Write a report as data if a file is given; exit with status 1 if it disagrees with the bank."""
    if json_file is not None:
        json_file.write_text(json.dumps(report.plain(), indent=1))
    if not report.agrees:
        raise typer.Exit(1)
