"""The command that tells whose pseudonym it is."""

from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook


def who(
    pseudonym: Annotated[str, typer.Argument(help="As `syncpoint dashboard --anonymous` shows it.")],
    folder: InCourse = HERE,
) -> None:
    """Print who is behind a pseudonym of the anonymous dashboard."""
    with in_gradebook(folder) as (course, gradebook):
        from ..records.pseudonyms import describe

        print(describe(course, gradebook, pseudonym))
