"""The command ``python -m scripts.benchmarks.deadline``: a class that submits in the last minutes before a deadline.

Real: the exchange, collecting, the queue, the writer of `syncpoint watch`, and the database (PostgreSQL if it is
installed).  Simulated: the workers, which give the result of one submission that was judged on this machine after as
many seconds as it took, and the clock.  While the writer works, the clock counts the processor time of the writer and
of its database, so that other programs on this machine do not matter; while the writer waits, it jumps to the next
answer or the next submission.
"""

import contextlib
import heapq
import itertools
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from unittest import mock

import nbformat
import typer
from nbgrader.api import Grade, GradeCell, SubmittedAssignment, SubmittedNotebook
from rich.console import Console
from sqlalchemy import func, select

from syncpoint.check.status import SECRET
from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.core.names import some
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import CONFIG, Course
from syncpoint.course.intake import TIMESTAMP
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.demo.sample_submission import SampleSubmission, reference_solutions
from syncpoint.grading import run
from syncpoint.grading.display import Display
from syncpoint.grading.pool import Judged, JudgingThreads, Pool
from syncpoint.judge.job import JudgeReply, NotebookJob, from_json, to_json
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.queue import WRITTEN
from syncpoint.records.tables import MarkChange, QueueEntry
from syncpoint.report.scores import console
from syncpoint.watch.watch import Watch

from . import postgresql, report
from .classes import our_classroom
from .processor import jobs_of
from .report import Sheet

MARKS = "a deadline"
SAID = (
    "Simulated: the workers, which take {seconds:.1f} s for a submission ({how}), and the clock. Real: exchange, "
    "queue, writer, {database}."
)
ALLOWED = 1.1  # times the work divided by the workers
NOT_ONCE = "{count} of {all} students do not have one score, which is full marks: {some}"
app = typer.Typer(add_completion=False)


@dataclass
class Clock:
    """Seconds since the beginning: the writer's working time, and skipped time.

    Before it returns a time, everything until that time has happened.
    """

    worked: Callable[[], float]  # seconds of processor time
    happen: Callable[[float], None] = lambda now: None
    _skipped: float = 0.0
    _inside: bool = False

    def __post_init__(self) -> None:
        self._skipped = -self.worked()

    def __call__(self) -> float:
        if not self._inside:
            with self.stopped():
                self.happen(self._now())
        return self._now()

    def skip_to(self, moment: float) -> None:
        """Skip to this moment."""
        self._skipped += max(0.0, moment - self._now())

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Do not count the block's time."""
        self._inside, now = True, self._now()
        try:
            yield
        finally:
            self._inside = False
            self._skipped += now - self._now()

    def _now(self) -> float:
        return self.worked() + self._skipped


class ProcessorTime:
    """Processor time of this process and of the children of another one, such as a database's."""

    def __init__(self, server: int | None):
        self._children = f"/proc/{server}/task/{server}/children" if server else os.devnull
        self._used: dict[str, float] = {}  # including processes that have ended

    def __call__(self) -> float:
        for child in Path(self._children).read_text().split():
            with contextlib.suppress(OSError):
                self._used[child] = int(Path(f"/proc/{child}/schedstat").read_text().split()[0]) / 1e9
        return time.process_time() + sum(self._used.values())


@dataclass(frozen=True)
class Judgement:
    """A worker's answer for a notebook, with its time."""

    answer: bytes  # a JudgeReply as JSON
    seconds: float  # how long the judgement takes


class SimulatedWorkers(Executor):
    """Workers that judge every submission in the same time, in the order of the jobs.

    Args:
        count: How many.
        judgements: By notebook, what they make of it.
        clock: The clock.
    """

    def __init__(self, count: int, judgements: dict[str, Judgement], clock: Clock):
        self.count, self._judgements, self.clock = count, judgements, clock
        self._free = [0.0] * count
        self._out: list[tuple[float, int, Future[Judged], bytes]] = []
        self._numbers = itertools.count()

    def submit(self, _: Any, /, *arguments: Any, **__: Any) -> "Future[Judged]":  # type: ignore[override]
        """Take a job."""
        future = Future[Judged]()
        with self.clock.stopped():
            judgement = self._judgements[from_json(NotebookJob, arguments[2]).notebook]
        end = max(self.clock(), heapq.heappop(self._free)) + judgement.seconds
        heapq.heappush(self._free, end)
        heapq.heappush(self._out, (end, next(self._numbers), future, judgement.answer))
        return future

    @property
    def next(self) -> float:
        """When the next job is done."""
        return self._out[0][0] if self._out else float("inf")

    def settle(self) -> None:
        """Deliver the answers that exist by now."""
        now = self.clock()
        while self.next <= now:
            _, _, future, answer = heapq.heappop(self._out)
            future.set_result(("simulated", answer, ""))


class SimulatedPool(Pool):
    """The jobs of simulated workers: when the writer waits, the clock jumps."""

    executor: SimulatedWorkers
    next_arrival: Callable[[], float]

    @property
    def replied(self) -> bool:
        """Whether an answer is there already."""
        self.executor.settle()
        return super().replied

    def receive(self) -> tuple[str, JudgeReply] | None:
        """The next answer; None if a submission comes first."""
        if not self.replied:
            clock, arrival = self.executor.clock, type(self).next_arrival()
            clock.skip_to(min(self.executor.next, max(arrival, clock() + 0.5 if self.free else float("inf"))))
            self.executor.settle()
        return super().receive() if self.replied else None


@dataclass
class Class:
    """A class whose students submit within some minutes, each at a random moment.

    Args:
        inbound: The folder of the exchange.
        assignment: The assignment that they submit.
        notebooks: By name, the text of the right solution; the word MARK in it is the student's number.
        moments: When each of them submits, in seconds.
    """

    inbound: Path
    assignment: str
    notebooks: dict[str, str]
    moments: list[float]
    done: int = 0

    @property
    def next(self) -> float:
        """When the next one submits."""
        return self.moments[self.done] if self.done < len(self.moments) else float("inf")

    def happen(self, now: float) -> None:
        """Submit everything due until now, with the files of `nbgrader submit`."""
        while self.next <= now:
            at = datetime(2026, 1, 1) + timedelta(seconds=self.next)
            stamp = f"{at:%Y-%m-%d %H:%M:%S.%f} UTC"
            folder = self.inbound / f"{student(self.done)}+{self.assignment}+{stamp}+simulated"
            folder.mkdir()
            for name, text in self.notebooks.items():
                (folder / f"{name}.ipynb").write_text(text.replace("MARK", str(self.done)))
            (folder / TIMESTAMP).write_text(stamp)
            (folder / SECRET).write_text(os.urandom(16).hex())
            folder.chmod(0o777)
            self.done += 1


def student(number: int) -> str:
    """The name of a student."""
    return f"student_{number:05}"


def judged(course: Course, assignment: str) -> dict[str, Judgement]:
    """Judge the reference solution on this machine: by notebook, the median of three times on a warm worker.

    Raises:
        CommandFailed: If it cannot be judged.
    """
    spec, found = course.spec(assignment), dict[str, Judgement]()
    with JudgingThreads(1, course.root) as judges, Pool(judges, 1, spec, lambda *_: None) as pool:
        for job in jobs_of(course, assignment, spec):
            took = []
            for number in range(4):
                began = time.monotonic()
                pool.send(str(number), job)
                _, answer = pool.receive() or ("", JudgeReply(None))
                took.append(time.monotonic() - began)
                if answer.result is None:
                    raise CommandFailed(f"{job.notebook} of the reference solution was not judged: {answer.fault}")
            found[job.notebook] = Judgement(to_json(answer), statistics.median(took[1:]))
    return found


@dataclass(frozen=True)
class Outcome:
    """The outcome of a simulated deadline; all times in seconds."""

    workers: int
    waits: list[float]  # from a submission to its score
    writer: float  # processor time of writer and database for each submission
    seconds: float  # a worker's seconds for one submission
    ideal: list[float]  # the waits if workers never wait for a writer

    @property
    def bound(self) -> float:
        """The work divided by the workers, and a tenth more; at least the time of one submission and a tenth more."""
        return ALLOWED * max(self.seconds, len(self.waits) * self.seconds / self.workers)


def simulate(
    origin: Course,
    plan: "Plan",
    workers: int,
    server: postgresql.Server | None,
    place: Path,
) -> Outcome:
    """Let everybody submit, and grade them.

    Raises:
        CommandFailed: If a student does not have exactly one score.
    """
    url = server.create(f"deadline_{workers}") if server else ""
    # Separate processes make pages: the command `feedback` measures them.
    course, exchange = watched_course(origin, plan.assignment, place, url, "c.OnSubmission.before_due = 'nothing'\n")
    chance = random.Random(1)
    moments = sorted(chance.uniform(0, 60 * plan.minutes) for _ in range(plan.students))
    submitting = Class(exchange / course.id / "inbound", plan.assignment, notebooks(course, plan.assignment), moments)
    clock, waits = Clock(ProcessorTime(server.process if server else None), submitting.happen), dict[str, float]()
    judges = SimulatedWorkers(workers, plan.judgements, clock)

    def reached(step: str, who: str, _: str) -> None:
        if step == WRITTEN:
            waits[who] = clock() - moments[int(who.rpartition("_")[2])]

    busy = clock.worked()
    with (place / "log").open("w") as log, mock.patch.object(run, "Pool", SimulatedPool):
        SimulatedPool.next_arrival = staticmethod(lambda: submitting.next)
        quiet = Console(file=log)
        shown = lambda name: Display(name, quiet)  # noqa: E731
        with contextlib.closing(Watch(course, judges, shown, quiet.print, reached, clock=clock)) as watch:  # type: ignore[arg-type]
            while len(waits) < plan.students:
                watch.look([plan.assignment])
                if watch.is_idle and submitting.done < plan.students:
                    clock.skip_to(submitting.next)
    each = (clock.worked() - busy) / plan.students
    check_scores(course, plan.assignment, plan.students)
    ideal = ideal_waits(moments, workers, [one.seconds for one in plan.judgements.values()])
    return Outcome(workers, list(waits.values()), each, plan.seconds, ideal)


def watched_course(origin: Course, assignment: str, place: Path, url: str, more: str = "") -> tuple[Course, Path]:
    """A copy of a course with an exchange of its own, in which the assignment is released."""
    course = our_classroom(origin, assignment, place / "course").course
    exchange = place / "exchange"
    exchange.mkdir(mode=0o777)
    own = f"c.Exchange.root = {str(exchange)!r}\nc.ExchangeCollect.check_owner = False\n{more}"
    with (course.root / CONFIG).open("a") as config:
        config.write(own + (f"c.CourseDirectory.db_url = {url!r}\n" if url else ""))
    quiet_nbgrader(course.root, "generate_assignment", assignment, "--force")
    quiet_nbgrader(course.root, "release_assignment", assignment)
    return course, exchange


def notebooks(course: Course, assignment: str) -> dict[str, str]:
    """The right solution of each notebook, as text with MARK in a comment."""
    submission = SampleSubmission.released(course, assignment)
    for exercise, source in reference_solutions(course, assignment).items():
        submission.cell(exercise).source = f"# Submission MARK\n{source}"
    return {name: nbformat.writes(notebook) for name, notebook in submission.notebooks.items()}


def ideal_waits(moments: list[float], workers: int, jobs: list[float]) -> list[float]:
    """Return the waits if only the workers took time, given for each job of a submission."""
    free, waits = [0.0] * workers, []
    for moment in moments:
        ends = []
        for seconds in jobs:
            ends.append(max(moment, heapq.heappop(free)) + seconds)
            heapq.heappush(free, ends[-1])
        waits.append(max(ends) - moment)
    return waits


def check_scores(course: Course, assignment: str, students: int) -> None:
    """Check that everybody was in the queue once, and has all points, unchanged.

    Raises:
        CommandFailed: If not.
    """
    everybody = Counter(map(student, range(students)))
    points = (
        select(SubmittedAssignment.student_id, func.sum(Grade.auto_score), func.count(Grade.auto_score))
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .group_by(SubmittedAssignment.id)
    )
    with open_gradebook(course) as gradebook:
        session = gradebook.db
        queue = Counter(session.scalars(select(QueueEntry.student).where(QueueEntry.assignment == assignment)))
        changed = set(session.scalars(select(MarkChange.student).where(MarkChange.mark == "auto score")))
        scores = session.execute(points).all()
        most = sum(session.scalars(select(GradeCell.max_score).where(GradeCell.cell_type == "code")))
    right = Counter(who for who, score, _ in scores if abs(score - most) < 1e-6)
    wrong = sorted(who for who in everybody | queue | right if not queue[who] == right[who] == 1 or who in changed)
    if wrong:
        raise CommandFailed(NOT_ONCE.format(count=len(wrong), all=students, some=some(wrong)))


@dataclass(frozen=True)
class Plan:
    """The simulation's settings."""

    assignment: str
    students: int
    minutes: float
    judgements: dict[str, Judgement]  # by notebook

    @property
    def seconds(self) -> float:
        """Seconds of one submission on a worker."""
        return sum(one.seconds for one in self.judgements.values())


def row(outcome: Outcome) -> dict[str, str]:
    """A line of the table."""
    waits = sorted(outcome.waits)
    longest = f"{waits[-1]:.0f} s (≤ {outcome.bound:.0f})"
    return {
        "workers": str(outcome.workers),
        "submissions": f"{len(waits):,}",
        "median wait": f"{statistics.median(waits):.0f} s",
        "longest wait": f"{'✓' if waits[-1] <= outcome.bound else '✗'} {longest}",
        "longest without a writer": f"{max(outcome.ideal):.0f} s",
        "writer and database, each": f"{1000 * outcome.writer:.0f} ms",
    }


@app.command()
def main(
    assignment: Annotated[str, typer.Option(help="The assignment that is submitted.")] = "torch_async",
    students: Annotated[int, typer.Option(min=1, help="Students, each with one submission.")] = 5000,
    workers: Annotated[
        list[int] | None, typer.Option(min=1, help="Number of workers; may be given more than once.")
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0.1, help="All students submit in this many minutes before the deadline.")
    ] = 10.0,
    seconds: Annotated[
        float, typer.Option(min=0.0, help="Seconds of one submission on a worker; 0: as measured on this machine.")
    ] = 0.0,
    publish: Annotated[bool, typer.Option("--publish", help=f"Also write the table into {report.PAGE}.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Simulate a class that submits in the last minutes before a deadline, with simulated workers."""
    with in_one_line(), contextlib.ExitStack() as stack:
        course, load = Course.around(folder), os.getloadavg()[0]
        plan = Plan(assignment, students, minutes, judged(course, assignment))
        if seconds:
            share = {name: one.seconds / plan.seconds for name, one in plan.judgements.items()}
            given = {name: replace(one, seconds=seconds * share[name]) for name, one in plan.judgements.items()}
            plan = replace(plan, judgements=given)
        server = None if postgresql.MISSING else stack.enter_context(postgresql.running())
        sheet = Sheet(f"{students:,} submissions of {assignment} in {minutes:g} minutes", [])
        for count in workers or [2, 16, 64]:
            with tempfile.TemporaryDirectory(prefix="syncpoint-deadline-") as place:
                sheet.rows.append(row(simulate(course, plan, count, server, Path(place))))
                print(sheet.rows[-1], flush=True)
        report.show_sheet(sheet, console())
        said = SAID.format(
            seconds=plan.seconds,
            how="as given" if seconds else "the median of three on this machine",
            database="PostgreSQL" if server else "SQLite",
        )
        report.publish_sheet(course if publish else None, MARKS, load, [sheet], said)


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.deadline")
