"""The command that imports submissions from a learning platform."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook, in_one_line


def collect(
    download: Annotated[Path, typer.Argument(help="The zip file that you downloaded from the platform, or a folder.")],
    assignment: str,
    time: Annotated[
        str, typer.Option(help="Time of submission for work whose time the download does not contain.")
    ] = "",
    late_time: Annotated[str, typer.Option(help="Time of submission for work that the platform marks as late.")] = "",
    match: Annotated[
        list[str] | None,
        typer.Option(help="NAME=STUDENT: the work called NAME is this student's; may be given more than once."),
    ] = None,
    believe_names: Annotated[
        bool, typer.Option("--believe-names", help="Accept names that students can change, as in Google Drive.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace work that is already in submitted/, and keep a copy.")
    ] = False,
    replace_edited: Annotated[
        list[str] | None,
        typer.Option(
            help="Replace this student's work even if a person placed or changed it; may be given more than once."
        ),
    ] = None,
    rename: Annotated[
        bool,
        typer.Option(
            "--rename", help="If the assignment has one notebook and the student submitted one, accept any file name."
        ),
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Import submissions from a learning platform, such as Canvas or Moodle, into nbgrader's folders."""
    with in_one_line():
        from ..collect.match import read_pairs
        from ..collect.place import Permissions
        from ..collect.run import Times, collect, describe

        chosen = read_pairs(match or ())
        allowed = Permissions(replace, replace_edited or (), rename)
        with in_gradebook(folder) as (course, gradebook):
            clock = course.clock
            on_time, late = (clock.read(typed) if typed else None for typed in (time, late_time))
            times = Times(on_time, late, clock.zone)
            for option, typed in (("--time", times.all), ("--late-time", times.late)):
                if typed is not None:
                    print(f"{option} is {clock.show(typed)}.")
            account = collect(
                course,
                gradebook,
                assignment,
                download,
                chosen=chosen,
                times=times,
                allowed=allowed,
                believe_names=believe_names,
            )
        print(*describe(account), sep="\n")
        if not account.complete:
            raise typer.Exit(1)
