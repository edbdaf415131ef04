"""What the coordinator costs where workers answer at once: ``python -m benchmarks.coordinator``.

One submission is judged; every other one, no two alike, gets its result the moment it is sent.  What is left is what no
number of workers makes faster: reading, keeping results, nbgrader's conversions, and the gradebook.
"""

import re
import tempfile
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Annotated, Any

import psutil
import typer
from rich.console import Console

from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.course.folder import CONFIG, Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.grading import run as grading
from syncpoint.grading.display import Display
from syncpoint.grading.pool import JudgingThreads
from syncpoint.judge.answer import Answer
from syncpoint.judge.job import Result, to_json
from syncpoint.judge.store import Store

from .courses import Classroom, our_classroom
from .trivial import TRIVIAL, trivial_course

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class AtOnce(Executor):
    """Workers that know the answer.

    Args:
        result: To every job.
    """

    def __init__(self, result: Result):
        self._answer = "worker 1", to_json(Answer(result)), ""

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        """Answer a job."""
        future = Future[Any]()
        future.set_result(self._answer)
        return future


def used() -> float:
    """Processor seconds of this process and of those that it has: the one that tries how texts are shown."""
    children = psutil.Process().children(recursive=True)
    return time.process_time() + sum(sum(child.cpu_times()[:2]) for child in children)


def measure(room: Classroom, submissions: int, screen: Console) -> None:
    """Grade so many submissions, and print what each cost."""
    quiet = Display(TRIVIAL, Console(quiet=True))
    room.seat(submissions)
    with JudgingThreads(1, room.root) as judges:
        grading.run(room.course, TRIVIAL, grading.Choice((room.students()[0],), judges), quiet)
    store = Store(room.course.results)
    result = next(kept for kept in (store.get(entry.key) for entry in store) if kept is not None)
    began, before = time.monotonic(), used()
    complete = grading.run(room.course, TRIVIAL, grading.Choice(executor=AtOnce(result), workers=2), quiet)
    seconds, spent = time.monotonic() - began, used() - before
    room.graded()
    screen.print(
        f"{submissions} submissions: {1000 * spent / submissions:.1f} ms of processor time each, "
        f"{60 * submissions / seconds:.0f} a minute by the clock{'' if complete else '; NOT all were graded'}",
        highlight=False,
    )


@app.command()
def main(
    submissions: Annotated[int, typer.Option(min=2)] = 1000,
    database: Annotated[str, typer.Option(help="An empty database instead of a file, as SQLAlchemy names it.")] = "",
    folder: InCourse = HERE,
) -> None:
    """Measure the coordinator on the trivial notebook, with workers that answer at once."""
    with in_one_line(), tempfile.TemporaryDirectory() as place:
        course = trivial_course(Course.around(folder), Path(place, "base"))
        room = our_classroom(course, TRIVIAL, Path(place, "course"))
        if database:
            settings = room.root / CONFIG
            own = f"c.CourseDirectory.db_url = {database!r}\n"
            settings.write_text(re.sub(r"c\.CourseDirectory\.db_url = .*\n", own, settings.read_text()))
            quiet_nbgrader(room.root, "generate_assignment", TRIVIAL, "--force")
        measure(room, submissions, Console())


if __name__ == "__main__":
    app(prog_name="python -m benchmarks.coordinator")
