"""The time from a submission in the exchange to its feedback, with warm workers."""

import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from syncpoint.check.status import note_name
from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.cli.watch import READY
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import CONFIG, Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.demo.sample_submission import SampleSubmission, reference_solutions

from .classes import our_classroom

LOOK_SECONDS = 0.02
app = typer.Typer(add_completion=False)


def hand_in(course: Course, assignment: str, inbound: Path, number: int) -> str:
    """Put a unique right submission where `nbgrader submit` would; return its secret."""
    submission = SampleSubmission.released(course, assignment)
    for exercise, source in reference_solutions(course, assignment).items():
        submission.cell(exercise).source = f"# Submission {number}\n{source}"
    stamp, secret = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC"), os.urandom(16).hex()
    folder = inbound / f"student_{number:04}+{assignment}+{stamp}+bench"
    submission.write(folder)
    (folder / "timestamp.txt").write_text(stamp)
    (folder / "submission_secret.txt").write_text(secret)
    folder.chmod(0o777)
    return secret


def answered(path: Path, watching: subprocess.Popen[bytes], patience: float = 300.0) -> None:
    """Wait until a student has the feedback. Raises CommandFailed."""
    ends = time.monotonic() + patience
    while not path.is_file() or "status_released" not in path.read_text():
        if watching.poll() is not None or time.monotonic() > ends:
            raise CommandFailed("`syncpoint watch` gave no answer.")
        time.sleep(LOOK_SECONDS)


@app.command()
def main(
    assignment: Annotated[str, typer.Option(help="The notebook that is submitted.")] = "async",
    number: Annotated[
        int, typer.Option(min=1, help="The number of submissions, each after the feedback on the previous one.")
    ] = 6,
    folder: InCourse = HERE,
) -> None:
    """Submit one after another, and print how long each waits for the feedback."""
    with in_one_line(), tempfile.TemporaryDirectory() as place:
        course = our_classroom(Course.around(folder), assignment, Path(place, "course")).course
        root = Path(place, "exchange")
        root.mkdir(mode=0o1777)
        own = f"c.Exchange.root = {str(root)!r}\nc.ExchangeCollect.check_owner = False\n"
        with (course.root / CONFIG).open("a") as config:
            config.write(own)
        quiet_nbgrader(course.root, "generate_assignment", assignment, "--force")
        quiet_nbgrader(course.root, "release_assignment", assignment)
        exchange = root / course.id
        command = [str(Path(sys.executable).with_name("syncpoint")), "watch", assignment]
        watching = subprocess.Popen(command, cwd=course.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            while READY.encode() not in (watching.stdout.readline() if watching.stdout else b""):
                if watching.poll() is not None:
                    raise CommandFailed("`syncpoint watch` did not start.")
            for one in range(1, number + 1):
                secret = hand_in(course, assignment, exchange / "inbound", one)
                began = time.monotonic()
                answered(exchange / "feedback" / note_name(secret, assignment), watching)
                took, load = time.monotonic() - began, os.getloadavg()[0]
                Console().print(f"hand-in {one}: {took:.1f} s (load {load:.1f})", highlight=False)
        finally:
            watching.terminate()
            watching.wait()


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.on_submission")
