"""The command that resolves a pseudonym."""

from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook


def who(
    pseudonym: Annotated[str, typer.Argument(help="A pseudonym that `syncpoint dashboard --anonymous` shows.")],
    folder: InCourse = HERE,
) -> None:
    """Print the student behind a pseudonym of the anonymous dashboard."""
    with in_gradebook(folder) as (course, gradebook):
        from ..records.pseudonyms import describe

        print(describe(course, gradebook, pseudonym))
