"""The command ``python -m scripts.benchmarks.disk``: a class's disk space, from the exchange to the feedback.

Real: the exchange, `nbgrader collect`, the writer and the pages.  Simulated: the workers, which give each submission
the result of one that was judged on this machine.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated
from unittest import mock

import typer
from rich.console import Console

from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.core.limits import MIB
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.grading import run
from syncpoint.grading.display import Display
from syncpoint.report.scores import console

from . import report
from .classes import Classroom
from .deadline import Class, Clock, ProcessorTime, SimulatedPool, SimulatedWorkers, judged, notebooks, watched_course
from .feedback import write_pages
from .report import Sheet

KIB, GIB = 1024, 1024**3
CLASS, ASSIGNMENTS = 5000, 9
EACH, ALL = 150 * KIB, 15 * GIB  # limits in bytes: for a student's files besides their own, and for the class
app = typer.Typer(add_completion=False)


def used(*folders: Path) -> int:
    """Return the disk space of files, each counted once however many names it has."""
    blocks: dict[tuple[int, int], int] = {}
    for folder in folders:
        paths = [folder, *folder.rglob("*")] if folder.is_dir() else [folder] * folder.is_file()
        for status in map(Path.lstat, paths):
            blocks[status.st_dev, status.st_ino] = 512 * status.st_blocks
    return sum(blocks.values())


def mark(value: float, most: float, unit: int, name: str) -> str:
    """Format a figure, with a sign whether it is small enough."""
    return f"{'✓' if value <= most else '✗'} {value / unit:.1f} {name} (≤ {most / unit:g})"


def fill(course: Course, exchange: Path, assignment: str, students: int) -> int:
    """Submit, collect, grade and write the pages; returns the bytes of a student's own notebooks."""
    texts = notebooks(course, assignment)
    submitting = Class(exchange / course.id / "inbound", assignment, texts, [0.0] * students)
    submitting.happen(0.0)  # only notebooks: `nbgrader submit` on the hub leaves out unchanged files of the release
    quiet_nbgrader(course.root, "collect", assignment)
    clock = Clock(ProcessorTime(None))
    judges = SimulatedWorkers(8, judged(course, assignment), clock)
    with open(os.devnull, "w") as nowhere, mock.patch.object(run, "Pool", SimulatedPool):
        SimulatedPool.next_arrival = staticmethod(lambda: float("inf"))
        display = Display(assignment, Console(file=nowhere))
        options = run.RunOptions(executor=judges, workers=judges.count)
        if not run.run(course, assignment, options, display):
            raise CommandFailed(f"{len(display.failed)} submissions of {assignment} were not graded.")
    write_pages(Classroom(course, assignment))
    return sum(len(text.encode()) for text in texts.values())


def rows(course: Course, exchange: Path, students: int, own: int) -> Iterable[dict[str, str]]:
    """Yield each place's disk space, and the same for a large course."""
    root = course.root
    places = {
        "inbound (the exchange's)": [exchange / course.id / "inbound"],
        "submitted": [root / "submitted"],
        "autograded": [root / "autograded"],
        "feedback": [root / "feedback"],
        "results and caches": [root / ".syncpoint"],
        "gradebook": [root / "gradebook.db"],
    }
    for name, folders in places.items():
        yield _row(name, used(*folders), students)
    others = list(places.values())[1:]
    bytes_of_all = used(*(folder for folders in others for folder in folders))
    shared = used(root / ".syncpoint" / "shared")
    each = (bytes_of_all - shared) / students
    whole = ASSIGNMENTS * (CLASS * each + shared)
    yield _row("all but inbound", bytes_of_all, students) | {
        "beyond the student's own": mark(each - own, EACH, KIB, "KiB"),
        f"{CLASS:,} students, {ASSIGNMENTS} assignments": mark(whole, ALL, GIB, "GiB"),
    }


def _row(name: str, size: int, students: int) -> dict[str, str]:
    figures = {"MiB": f"{size / MIB:.1f}", "KiB a submission": f"{size / students / KIB:.0f}"}
    whole = f"{ASSIGNMENTS * CLASS * size / students / GIB:.1f} GiB"
    column = f"{CLASS:,} students, {ASSIGNMENTS} assignments"
    return {"place": name, **figures, "beyond the student's own": "", column: whole}


@app.command()
def main(
    assignment: Annotated[str, typer.Option(help="The assignment that is submitted.")] = "torch_async",
    students: Annotated[int, typer.Option(min=1, help="Students, each with one submission.")] = 500,
    publish: Annotated[bool, typer.Option("--publish", help=f"Also write the table into {report.PAGE}.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Measure a class's disk space, and extrapolate to a large course."""
    with in_one_line(), contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="syncpoint-disk-")))
        origin, load = Course.around(folder), os.getloadavg()[0]
        course, exchange = watched_course(origin, assignment, place, "")
        own = fill(course, exchange, assignment, students)
        sheet = Sheet(f"Disk of {students:,} submissions of {assignment}", list(rows(course, exchange, students, own)))
        report.show_sheet(sheet, console())
        report.publish_sheet(origin if publish else None, "the disk", load, [sheet])


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.disk")
