"""The command that shows who changed marks."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook


def log(
    assignment: Annotated[str, typer.Argument(help="This assignment alone.")] = "",
    student: Annotated[str, typer.Option(help="This student alone.")] = "",
    to: Annotated[Path | None, typer.Option(help="Write it into this CSV file.")] = None,
    folder: InCourse = HERE,
) -> None:
    """Show who changed which mark, when, from what to what, and why."""
    with in_gradebook(folder) as (course, gradebook):
        import sys

        from ..exports.marks import lines, write
        from ..records.gradebook import find_assignment, find_student
        from ..records.mark_log import read_log, repair_log

        if repair_log(gradebook):
            note = "the gradebook did not note changes of marks since somebody took its triggers away; now it does."
            print(f"syncpoint: {note}", file=sys.stderr)
        changes = read_log(gradebook, assignment, student)
        if not changes and student:  # the log has names that the gradebook has no more
            find_student(gradebook, student)
        if not changes and assignment:
            find_assignment(course, gradebook, assignment)
        if to is not None:
            write(to, changes)
            print(f"{to}: {len(changes)} changes.")
        else:
            print(*lines(changes), sep="\n")
