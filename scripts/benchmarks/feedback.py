"""The command ``python -m scripts.benchmarks.feedback``: how fast the pages of a class are written."""

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from syncpoint.cli.options import CORES, HERE, InCourse, in_one_line
from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import TOOLS, environment
from syncpoint.report.scores import console

from . import graders, meter, report
from .classes import TRIVIAL, Classroom, our_classroom, trivial_course
from .report import Sheet

BUSY = 0.8  # of the cores, at least
app = typer.Typer(add_completion=False)


def write_pages(classroom: Classroom) -> meter.Reading:
    """Write the pages in which something has changed."""
    argv = [str(TOOLS / "syncpoint"), "feedback", classroom.assignment, "--all"]
    return meter.read(argv, classroom.course.root, environment())


def row(classroom: Classroom, students: int) -> dict[str, str]:
    """Grade a class, write its pages, and write them again with nothing changed."""
    classroom.seat(students)
    graders.run_ours(classroom, CORES)
    notebooks = sum(map(len, classroom.graded().values()))
    new, again = write_pages(classroom), write_pages(classroom)
    busy = new.cpu / new.wall / CORES
    sign = "✓" if busy >= BUSY else "✗"
    return {
        "assignment": classroom.assignment,
        "submissions": f"{students:,}",
        "notebooks": f"{notebooks:,}",
        "notebooks a minute": f"{60 * notebooks / new.wall:.0f}",
        "CPU s, each": f"{new.cpu / notebooks:.2f}",
        "share of the cores": f"{sign} {100 * busy:.0f} % (≥ {100 * BUSY:.0f})",
        "seconds, unchanged": f"{again.wall:.1f}",
    }


@app.command()
def main(
    trivial: Annotated[int, typer.Option(min=0, help="Submissions of a trivial notebook; 0 for none.")] = 200,
    assignment: Annotated[str, typer.Option(help="The real assignment.")] = "torch_async",
    students: Annotated[int, typer.Option(min=0, help="Submissions of the real assignment; 0 for none.")] = 20,
    publish: Annotated[bool, typer.Option("--publish", help=f"Also write the table into {report.PAGE}.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Grade a class, and measure how fast its feedback pages are written."""
    with in_one_line(), tempfile.TemporaryDirectory(prefix="syncpoint-feedback-") as place:
        course, load, sheet = Course.around(folder), os.getloadavg()[0], Sheet("Feedback pages of a class", [])
        for name, count in ((TRIVIAL, trivial), (assignment, students)):
            if count:
                origin = trivial_course(course, Path(place, "origin")) if name == TRIVIAL else course
                sheet.rows.append(row(our_classroom(origin, name, Path(place, name)), count))
                print(sheet.rows[-1], flush=True)
        report.show_sheet(sheet, console())
        report.publish_sheet(course if publish else None, "feedback pages", load, [sheet])


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.feedback")
