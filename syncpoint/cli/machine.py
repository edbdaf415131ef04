"""The commands about this machine."""

import subprocess
import sys
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line


def doctor(folder: InCourse = HERE) -> None:
    """Say what this machine and this course have and lack for grading."""
    with in_one_line():
        from ..doctor.checks import examine_all

        if not examine_all(course_around(folder)):
            raise typer.Exit(1)


engine = typer.Typer(no_args_is_help=True)


@engine.callback()
def _engine() -> None:
    """The engines that student code runs on."""


@engine.command()
def install(
    names: Annotated[
        list[str] | None, typer.Argument(help="Engines; those that the assignments use if not given.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Make the Python environment of an engine, .venv-NAME in the course, or bring it up to date."""
    with in_one_line():
        from ..engines.find import ENVIRONMENTS

        command = ["bash", str(ENVIRONMENTS), str(course_around(folder).root), sys.executable, *(names or ())]
        raise typer.Exit(subprocess.run(command, stdin=subprocess.DEVNULL).returncode)
