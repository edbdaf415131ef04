"""The commands on learning platforms: ``send_marks`` and ``lti_keys``."""

import json
from contextlib import ExitStack
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_gradebook, in_one_line


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
