"""The command that enrolls students."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook, in_one_line


def roster(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A CSV file with id, names, email and other ids, or the gradebook that a platform exports."
        ),
    ] = None,
    lti: Annotated[
        bool, typer.Option("--lti", help="Get the roster from the learning platform to which the hub is connected.")
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Update the gradebook's students from a roster. Nobody is removed, and you can run it again."""
    if lti != (file is None):
        raise typer.BadParameter("name a FILE, or --lti for the roster of the learning platform.")
    with in_one_line():
        from ..records.roster import describe, enrol
        from ..records.roster_file import read_roster

        people = read_roster(file) if file else ()
        with in_gradebook(folder) as (course, gradebook):
            if not file:
                from ..lms.lti import read_members
                from ..lms.registration import read_registration

                people = read_members(course, read_registration(course))
            print(*describe(enrol(gradebook, people, fixed="lti" if lti else "")), sep="\n")
