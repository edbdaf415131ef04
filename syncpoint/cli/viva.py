"""The command that asks students about their own code."""

from pathlib import Path
from subprocess import SubprocessError
from typing import Annotated

import typer

from ..core.errors import SyncpointError
from ..core.language import SOURCE
from .options import CORES, HERE, InCourse, course_around, in_one_line


def viva(
    assignment: str,
    students: Annotated[
        list[str] | None, typer.Option("--student", help="Only this student; may be given more than once.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="File to write: .html or .pdf.", show_default="viva-ASSIGNMENT.html"),
    ] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same questions.")] = "1",
    written: Annotated[
        bool,
        typer.Option(
            "--written",
            help="Ask in students' notebooks, through the exchange. They predict each answer before they see it.",
        ),
    ] = False,
    language: Annotated[
        str, typer.Option(help="A language such as pt_BR. Default: English; with --written, each student's own.")
    ] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Number of students to measure at a time.")] = CORES,
    folder: InCourse = HERE,
) -> None:
    """Prepare three questions on each student's own code, with measured answers: to print, or for the notebook."""
    with in_one_line():
        from ..doctor.browser import NoBrowser
        from ..report.scores import console
        from ..sandbox import check_sandbox
        from ..translations.catalogue import check_language, spoken
        from ..translations.localize import misconceptions_in
        from ..viva.ask_class import ask_class
        from ..viva.own_questions import read_choice
        from ..viva.sheet import write_sheet
        from ..viva.written_viva import ask_in_writing

        course, screen = course_around(folder), console()
        check_language(course, language)
        check_sandbox()
        if written:
            if output is not None:
                raise SyncpointError("--output is for printed sheets: leave it out with --written.")
            notes, found = ask_in_writing(course, assignment, students or (), seed, language, jobs, screen.print)
            screen.print(*notes, sep="\n", style="yellow", markup=False)
            people = len({one.student for one in found})
            answered = sum(one.predicted_at is not None for one in found)
            screen.print(f"Students with questions: {people}. Questions: {len(found)}. Answered: {answered}.")
            return
        asked = ask_class(course, assignment, students or (), seed, jobs, screen.print)
        path = output or Path(f"viva-{assignment}.html")
        choice, spoken_here = read_choice(course, assignment), spoken(course, language, assignment)
        try:
            beliefs = {slug: one.title for slug, one in misconceptions_in(course, language or SOURCE).items()}
            write_sheet(path, assignment, asked, choice, spoken_here, seed, beliefs)
        except (NoBrowser, OSError, SubprocessError) as problem:
            raise SyncpointError(f"{path} cannot be written: {problem}.") from None
        screen.print(*asked.notes, sep="\n", style="yellow", markup=False)
        screen.print(f"{len(asked.questions)} students: {path}", markup=False)
