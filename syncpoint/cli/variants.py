"""The command that gives each student a variant of an assignment."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_gradebook, in_one_line


def variants(
    assignment: str,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Draw no values, but list wrong answers that are right for another student's values."
        ),
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Draw values for each student once, and write each student's release to variants/STUDENT/ASSIGNMENT/."""
    if check:
        _check(assignment, folder)
        return
    with in_gradebook(folder) as (course, gradebook):
        from ..course.release import write_variants
        from ..records.variants import draw

        found = draw(course, gradebook, assignment)
        write_variants(course, assignment, found)
        print(f"{assignment}: variants/ has the releases of {len(found)} students.")


def _check(assignment: str, folder: Path) -> None:
    with in_one_line():
        from ..sandbox import check_sandbox
        from ..viva.others_values import right_for_others

        course = course_around(folder)
        check_sandbox()
        found = 0
        for sentence in right_for_others(course, assignment):
            found += 1
            print(sentence, flush=True)
        print(f"Wrong answers that are right for other values: {found}.")
