"""The command about this machine."""

import typer

from .options import HERE, InCourse, course_around, in_one_line


def doctor(folder: InCourse = HERE) -> None:
    """Say what this machine and this course have and lack for grading."""
    with in_one_line():
        from ..doctor.checks import examine_all

        if not examine_all(course_around(folder)):
            raise typer.Exit(1)
