"""The command that asks students about their own code."""

from pathlib import Path
from subprocess import SubprocessError
from typing import Annotated

import typer

from ..core.errors import SyncpointError
from .options import CORES, HERE, InCourse, course_around, in_one_line


def viva(
    assignment: str,
    students: Annotated[
        list[str] | None, typer.Option("--student", help="Only this student; may be given more than once.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Ends in .html or .pdf.", show_default="viva-ASSIGNMENT.html")
    ] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same questions.")] = "1",
    language: Annotated[str, typer.Option(help="A language such as pt_BR. Default: English.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Number of students to measure at a time.")] = CORES,
    folder: InCourse = HERE,
) -> None:
    """Write three questions about each student's own code, with measured answers: a printable page for each."""
    with in_one_line():
        from ..doctor.browser import NoBrowser
        from ..report.scores import console
        from ..sandbox import check_sandbox
        from ..translations.catalogue import spoken
        from ..viva.own_questions import read_choice
        from ..viva.run import ask_class
        from ..viva.sheet import write_sheet

        course, screen = course_around(folder), console()
        check_sandbox()
        asked = ask_class(course, assignment, students or (), seed, jobs, screen.print)
        path = output or Path(f"viva-{assignment}.html")
        try:
            write_sheet(
                path,
                assignment,
                asked,
                read_choice(course, assignment),
                spoken(course, language, assignment),
                seed,
            )
        except (NoBrowser, OSError, SubprocessError) as problem:
            raise SyncpointError(f"{path} cannot be written: {problem}.") from None
        screen.print(*asked.notes, sep="\n", style="yellow", markup=False)
        screen.print(f"{len(asked.questions)} students: {path}", markup=False)
