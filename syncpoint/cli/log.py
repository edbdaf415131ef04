"""The command that shows who changed marks."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook


def log(
    assignment: Annotated[str, typer.Argument(help="Only this assignment.")] = "",
    student: Annotated[str, typer.Option(help="Only this student.")] = "",
    to: Annotated[Path | None, typer.Option(help="Write the log to this CSV file.")] = None,
    folder: InCourse = HERE,
) -> None:
    """Show who changed which mark, when, from which value to which, and why."""
    with in_gradebook(folder) as (course, gradebook):
        import sys

        from ..exports.marks import lines, write
        from ..records.gradebook import find_assignment, find_student
        from ..records.mark_log import read_log, repair_log

        if repair_log(gradebook):
            note = "the gradebook's triggers had been removed, so recent changes are not in the log. They work again."
            print(f"syncpoint: {note}", file=sys.stderr)
        changes = read_log(gradebook, assignment, student)
        if not changes and student:  # the log has students that the gradebook no longer has
            find_student(gradebook, student)
        if not changes and assignment:
            find_assignment(course, gradebook, assignment)
        if to is not None:
            write(to, changes)
            print(f"{to}: {len(changes)} changes.")
        else:
            print(*lines(changes), sep="\n")
