"""The command ``python -m scripts.benchmarks.disk``: a class's disk space, from the exchange to the feedback.

Real: the exchange, `nbgrader collect`, the writer, the pages and their release.  Simulated: the workers, which give
each submission the result of one that was judged on this machine.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
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
from syncpoint.grading.options import RunOptions
from syncpoint.report.scores import console

from . import report
from .classes import Classroom
from .deadline import (
    Class,
    Clock,
    ProcessorTime,
    SimulatedPool,
    SimulatedWorkers,
    judged,
    notebooks,
    student,
    watched_course,
)
from .feedback import write_pages
from .report import Sheet

KIB, GIB = 1024, 1024**3
CLASS, ASSIGNMENTS = 5000, 9
COURSE = f"{CLASS:,} students, {ASSIGNMENTS} assignments"
INBOUND, FEEDBACK, OURS = "inbound (the exchange's)", "feedback (also the exchange's)", "all but inbound"
PART = 4  # one of so many students submits before the others
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


def fill(course: Course, exchange: Path, assignment: str, first: int, students: int) -> int:
    """Submit, collect, grade and release pages for these students; returns the bytes of a student's own notebooks."""
    texts = notebooks(course, assignment)
    submitting = Class(exchange / course.id / "inbound", assignment, texts, [0.0] * students, first)
    submitting.happen(0.0)  # only notebooks: `nbgrader submit` on the hub leaves out unchanged files of the release
    quiet_nbgrader(course.root, "collect", assignment)
    clock = Clock(ProcessorTime(None))
    judges = SimulatedWorkers(8, judged(course, assignment), clock)
    with open(os.devnull, "w") as nowhere, mock.patch.object(run, "Pool", SimulatedPool):
        SimulatedPool.next_arrival = staticmethod(lambda: float("inf"))
        display = Display(assignment, Console(file=nowhere))
        options = RunOptions(executor=judges, workers=judges.count)
        if not run.run(course, assignment, options, display):
            raise CommandFailed(f"{len(display.failed)} submissions of {assignment} were not graded.")
    write_pages(Classroom(course, assignment))
    quiet_nbgrader(course.root, "release_feedback", assignment)
    return sum(len(text.encode()) for text in texts.values())


@dataclass(frozen=True)
class Place:
    """The disk space of a place in bytes."""

    once: float  # for an assignment
    student: float  # for a student, in all assignments
    submission: float

    def of_course(self) -> float:
        """Return the space for the large course."""
        return ASSIGNMENTS * (self.once + CLASS * self.submission) + CLASS * self.student

    def of_submission(self) -> float:
        """Return the space for a submission, with its share of the student's."""
        return self.submission + self.student / ASSIGNMENTS


def measure(course: Course, exchange: Path, assignment: str, students: int) -> tuple[dict[str, Place], int]:
    """Return the space of each place by its name, and the bytes of a student's own notebooks.

    A part of the class submits first: what the others add is the space of their submissions.
    """
    part, root = -(-students // PART), course.root
    folders = {
        INBOUND: [exchange / course.id / "inbound"],
        "submitted": [root / "submitted"],
        "autograded": [root / "autograded"],
        FEEDBACK: [root / "feedback", exchange / course.id / "feedback"],
        "results and caches": [course.state],
        "gradebook": [root / "gradebook.db"],
    }
    folders[OURS] = [path for name, paths in folders.items() if name != INBOUND for path in paths]
    for number in range(256):  # a large class has all folders of the store
        (course.results / f"{number:02x}").mkdir(parents=True)
    fill(course, exchange, assignment, 0, part)
    before = {name: used(*paths) for name, paths in folders.items()}
    own = fill(course, exchange, assignment, part, students)
    places = {}
    for name, paths in folders.items():
        of_students = sum(used_by_folder(path) for root in paths for path in root.glob(f"**/{student(part)}"))
        submission = (used(*paths) - before[name]) / (students - part) - of_students
        once = used(*paths) - students * (submission + of_students)
        places[name] = Place(once, of_students, submission)
    return places, own


def used_by_folder(path: Path) -> int:
    """Return the disk space of a folder without what is in it."""
    return 512 * path.lstat().st_blocks if path.is_dir() else 0


def rows(places: dict[str, Place], own: int) -> Iterable[dict[str, str]]:
    """Yield each place's disk space, and the same for a large course."""
    for name, place in places.items():
        whole, last = place.of_course(), name == OURS
        yield {
            "place": name,
            "MiB an assignment": f"{place.once / MIB:.1f}",
            "KiB a student": f"{place.student / KIB:.0f}",
            "KiB a submission": f"{place.submission / KIB:.0f}",
            "beyond the student's own": mark(place.of_submission() - own, EACH, KIB, "KiB") if last else "",
            COURSE: mark(whole, ALL, GIB, "GiB") if last else f"{whole / GIB:.1f} GiB",
        }


@app.command()
def main(
    assignment: Annotated[str, typer.Option(help="The assignment that is submitted.")] = "torch_async",
    students: Annotated[int, typer.Option(min=4, help="Students, each with one submission.")] = 500,
    publish: Annotated[bool, typer.Option("--publish", help=f"Also write the table into {report.PAGE}.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Measure a class's disk space, and extrapolate to a large course."""
    with in_one_line(), contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="syncpoint-disk-")))
        origin, load = Course.around(folder), os.getloadavg()[0]
        course, exchange = watched_course(origin, assignment, place, "")
        sheet = Sheet(
            f"Disk of {students:,} submissions of {assignment}",
            list(rows(*measure(course, exchange, assignment, students))),
        )
        report.show_sheet(sheet, console())
        report.publish_sheet(origin if publish else None, "the disk", load, [sheet])


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.disk")
