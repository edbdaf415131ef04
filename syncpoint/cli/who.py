"""The command that tells whose pseudonym it is."""

from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line


def who(
    pseudonym: Annotated[str, typer.Argument(help="As `syncpoint dashboard --anonymous` shows it.")],
    folder: InCourse = HERE,
) -> None:
    """Tell who stands behind a pseudonym of the anonymous dashboard."""
    with in_one_line():
        from ..records.gradebook import open_gradebook
        from ..records.pseudonyms import describe

        course = course_around(folder)
        with open_gradebook(course) as gradebook:
            print(describe(course, gradebook, pseudonym))
