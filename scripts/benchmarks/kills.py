"""The command ``python -m scripts.benchmarks.kills``: `kill -9` of worker, scheduler, writer and database in turn.

Everything is real: `syncpoint watch --scheduler`, a Dask scheduler and two workers, the judge, and PostgreSQL (without
it, the database is a file and is not killed).  The notebook is trivial.  A kill comes as soon as some more students
have their feedback.
"""

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import TOOLS, environment
from syncpoint.grading.pool import ENGINES

from . import postgresql
from .classes import TRIVIAL, trivial_course
from .deadline import Class, check_scores, notebooks, watched_course

WORKERS = 2
RELEASED = "feedback released to "
DONE = "{students} students have one score and one page each after kill -9 of {killed}."
app = typer.Typer(add_completion=False)


@dataclass
class Service:
    """A grading service in separate processes, each of which may be killed. Use it as a context manager."""

    course: Course
    place: Path
    server: postgresql.Server | None
    engines: Path
    port: int = 0
    programs: dict[str, list[subprocess.Popen[str]]] = field(default_factory=dict)

    def __enter__(self) -> "Service":
        self.start("scheduler")
        self.start("workers")
        self.start("writer")
        return self

    def __exit__(self, *exception: object) -> None:
        for program in [one for some in self.programs.values() for one in some]:
            program.kill()
            program.wait()

    @property
    def address(self) -> str:
        """The scheduler's address, with the same port after a restart."""
        return f"tcp://127.0.0.1:{self.port}"

    def start(self, which: str) -> None:
        """Start what is not running."""
        dask, usual = str(TOOLS / "dask"), ["--host", "127.0.0.1", "--no-dashboard"]
        if which == "database" and self.server is not None:
            self.server.start()
        elif which == "scheduler":
            file = self.place / "scheduler.json"
            file.unlink(missing_ok=True)
            port = ["--port", str(self.port), "--scheduler-file", str(file)]
            self._run(which, [dask, "scheduler", *usual, *port])
            while not (file.is_file() and file.read_text()):
                if self.programs[which][0].poll() is not None:
                    raise CommandFailed("the scheduler does not start.")
            self.port = int(json.loads(file.read_text())["address"].rpartition(":")[2])
        elif which == "workers":
            worker = [dask, "worker", self.address, *usual, "--nthreads", "1", "--no-nanny"]
            self._run(which, worker, WORKERS)
        elif which == "writer":
            self._run(which, [str(TOOLS / "syncpoint"), "watch", TRIVIAL, "--scheduler", self.address])

    def kill(self, which: str) -> None:
        """Kill it, and start it again; of the workers, only one."""
        if which == "database":
            assert self.server is not None
            self.server.kill()
        else:
            program = self.programs[which].pop()
            program.kill()
            program.wait()
        if which == "scheduler":  # its workers end as well
            for worker in self.programs["workers"]:
                worker.kill()
                worker.wait()
            self.start("scheduler")
            self.start("workers")
        elif which == "workers":
            others = self.programs["workers"]
            self._run(which, [str(TOOLS / "dask"), "worker", self.address, "--host", "127.0.0.1", "--no-dashboard",
                              "--nthreads", "1", "--no-nanny"])  # fmt: skip
            self.programs["workers"] += others
        else:
            self.start(which)

    def released(self) -> Iterator[str]:
        """The lines of the writer that say whose feedback is released."""
        while True:
            (writer,) = self.programs["writer"]
            assert writer.stdout is not None
            line = writer.stdout.readline()
            if not line:
                raise CommandFailed(f"`syncpoint watch` has ended:\n{(self.place / 'writer.log').read_text()[-2000:]}")
            if RELEASED in line:
                yield line

    def _run(self, which: str, command: list[str], count: int = 1) -> None:
        log = (self.place / f"{which}.log").open("a")
        own = {**environment(), ENGINES: str(self.engines)}
        kinds = {"stdout": subprocess.PIPE if which == "writer" else log, "stderr": log, "text": True}
        folder = self.course.root if which == "writer" else self.place
        self.programs[which] = [subprocess.Popen(command, cwd=folder, env=own, **kinds) for _ in range(count)]  # type: ignore[call-overload]


def play(origin: Course, students: int, place: Path, server: postgresql.Server | None) -> list[str]:
    """Let a class submit, and kill one part after another while it is graded; return what was killed.

    Raises:
        CommandFailed: If a student does not have exactly one score and one page, or the service ends.
    """
    trivial = trivial_course(origin, place / "origin")
    url = server.create("kills") if server else ""
    course, exchange = watched_course(trivial, TRIVIAL, place, url)
    inbound = exchange / course.id / "inbound"
    Class(inbound, TRIVIAL, notebooks(course, TRIVIAL), [0.0] * students).happen(0.0)
    pages = inbound.parent / "feedback"
    turns = ["workers", "scheduler", "writer", *(["database"] if server else [])]
    with Service(course, place, server, origin.root) as service:
        for number, which in enumerate(turns, 1):
            for _ in service.released():
                if len(list(pages.glob("*.html"))) >= number * students // (len(turns) + 1):
                    break
            service.kill(which)
        while len(list(pages.glob("*.html"))) < students:
            next(service.released())
        wait_for_the_last(course, students, service)
    check_scores(course, TRIVIAL, students)
    if (count := len(list(pages.glob("*.html")))) != students:
        raise CommandFailed(f"{count} pages for {students} students.")
    return turns


def wait_for_the_last(course: Course, students: int, service: Service) -> None:
    """Wait until the queue has finished everybody; the last page exists just before that."""
    from sqlalchemy import func, select

    from syncpoint.records.gradebook import open_gradebook
    from syncpoint.records.queue import RELEASED as DONE_WITH
    from syncpoint.records.tables import QueueEntry

    wanted = select(func.count()).where(QueueEntry.state == DONE_WITH)
    with open_gradebook(course) as gradebook:
        while True:
            count = gradebook.db.scalar(wanted)
            gradebook.db.rollback()
            if count == students:
                return
            if service.programs["writer"][0].poll() is not None:
                raise CommandFailed("`syncpoint watch` has ended.")


@app.command()
def main(
    students: Annotated[int, typer.Option(min=5, help="Students, each with one submission.")] = 500,
    folder: InCourse = HERE,
) -> None:
    """Kill worker, scheduler, writer and database in turn: nothing may be lost or duplicated."""
    with in_one_line(), contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="syncpoint-kills-")))
        server = None if postgresql.MISSING else stack.enter_context(postgresql.running(postgresql.DURABLE))
        killed = play(Course.around(folder), students, place, server)
        print(DONE.format(students=students, killed=", ".join(killed)))


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.kills")
