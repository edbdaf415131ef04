"""The commands on learning platforms: ``collect``, ``send_marks``, ``lti_keys``."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_gradebook, in_one_line


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
        from ..collect.collection import Times, collect, describe
        from ..collect.match import read_pairs
        from ..collect.place import Permissions

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


def send_marks(
    assignment: Annotated[str, typer.Argument(help="The assignment. Default: the course total (c.CourseTotal).")] = "",
    really: Annotated[
        bool, typer.Option("--send", help="Send the marks. Without this option, only show what would change.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Also replace marks that somebody entered on the platform.")
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Send an assignment's changed marks, or changed course totals, to the learning platform."""
    with in_gradebook(folder) as (course, gradebook), ExitStack() as stack:
        from ..lms.send import check_sent, describe, plan, send, sending

        if really:
            stack.enter_context(sending(course))
        found = plan(course, gradebook, assignment, overwrite, make=really)
        print(*describe(found), sep="\n")
        count = sum(step.sends for step in found.steps)
        if not really:
            command = " ".join(filter(None, ("syncpoint send-marks", assignment, "--send")))
            print(f"Nothing was sent. `{command}` sends {count} marks." if count else "")
            return
        troubles = 0
        for step, trouble in send(gradebook, found):
            print(f"failed     {step.student}: {trouble}" if trouble else f"sent       {step.student}", flush=True)
            troubles += bool(trouble)
        check_sent(troubles, found)


def lti_keys(
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Sign with the next key from now on, and create another one.")
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Print the course's public LTI keys that the hub publishes: the key that signs now, and the next one."""
    with in_one_line():
        from ..lms import keys

        course = course_around(folder)
        print(json.dumps(keys.published(keys.rotate(course) if rotate else keys.read_keys(course)), indent=1))
