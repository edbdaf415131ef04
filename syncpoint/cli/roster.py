"""The command that enrols students."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook, in_one_line


def roster(
    file: Annotated[Path, typer.Argument(help="CSV: id, names, email and other ids; or a platform's gradebook.")],
    folder: InCourse = HERE,
) -> None:
    """Update the gradebook's students from a roster. Nobody is removed, and you can run it again."""
    with in_one_line():
        from ..records.roster import describe, enrol
        from ..records.roster_file import read_roster

        people = read_roster(file)
        with in_gradebook(folder) as (_, gradebook):
            print(*describe(enrol(gradebook, people)), sep="\n")
