"""The commands about this machine."""

import subprocess
import sys
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line


def doctor(folder: InCourse = HERE) -> None:
    """Check what this machine and this course need for grading, and say how to fix what is missing."""
    with in_one_line():
        from ..doctor.checks import examine_all

        if not examine_all(course_around(folder)):
            raise typer.Exit(1)


engine = typer.Typer(no_args_is_help=True)


@engine.callback()
def _engine() -> None:
    """The engines that run student code."""


@engine.command()
def install(
    names: Annotated[list[str] | None, typer.Argument(help="Engines. Default: those that the assignments use.")] = None,
    folder: InCourse = HERE,
) -> None:
    """Create or update an engine's Python environment, .venv-NAME in the course."""
    with in_one_line():
        from ..engines.find import ENVIRONMENTS

        command = ["bash", str(ENVIRONMENTS), str(course_around(folder).root), sys.executable, *(names or ())]
        raise typer.Exit(subprocess.run(command, stdin=subprocess.DEVNULL).returncode)
