"""A bench from start to end: the rounds, each of which measures every grader once on the same notebooks."""

import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from syncpoint.course.folder import Course, CourseError
from syncpoint.course.nbgrader_command import TOOLS, CommandFailed, environment

from . import meter
from .baselines import OTTER, Otter, run_bare, run_stock
from .courses import Classroom, our_classroom, stock_classroom
from .figures import BareRun, Figures, How, Machine, Parts, Run
from .parts import read_parts
from .plan import Plan
from .trivial import TRIVIAL, trivial_course


def measure(course: Course, plans: Sequence[Plan], screen: Console, earlier: Figures | None = None) -> Figures:
    """Measure everything that is planned, round by round; what fails is told, and the rest goes on.

    earlier: the figures that this bench continues; rounds that are there are not measured again.  Raises CommandFailed
    if nothing could be measured, CourseError if the course is not in order, or the earlier figures of another machine.
    """
    machine, command = Machine.here(), shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]])
    if earlier is not None and not machine.is_like(earlier.machine):
        raise CourseError("these figures were taken on another machine, or by another Python: start a new bench.")
    measured: dict[str, int] = {}
    for run in earlier.runs if earlier else ():
        measured[run.assignment] = max(measured.get(run.assignment, 0), run.round + 1)
    with tempfile.TemporaryDirectory(prefix="syncpoint-bench-") as folder:
        benches = [Bench(course, plan, Path(folder, plan.assignment), screen) for plan in plans]
        try:
            for number in range(max(plan.rounds for plan in plans)):
                for bench in benches:
                    if measured.get(bench.plan.assignment, 0) <= number < bench.plan.rounds:
                        bench.play(number)
        except KeyboardInterrupt:
            benches[-1].rest.append("The bench was interrupted: some runs are missing.")
    if not any(bench.runs for bench in benches):
        if earlier is not None and not any(bench.rest for bench in benches):
            return earlier  # it had everything
        raise CommandFailed(
            " ".join(["nothing could be measured.", *(words for each in benches for words in each.rest)])
        )
    figures = Figures(
        machine,
        command,
        tuple(run for bench in benches for run in bench.runs),
        tuple(run for bench in benches for run in bench.bare),
        tuple(bench.parts for bench in benches if bench.parts is not None),
        tuple(sentence for bench in benches for sentence in bench.rest),
    )
    return earlier.continued(figures) if earlier else figures


class Bench:
    """The measurements of one assignment."""

    def __init__(self, course: Course, plan: Plan, folder: Path, screen: Console):
        self.plan = plan
        self.runs: list[Run] = []
        self.bare: list[BareRun] = []
        self.parts: Parts | None = None
        self.rest: list[str] = []
        self._screen = screen
        origin = trivial_course(course, folder / "origin") if plan.assignment == TRIVIAL else course
        self._origin = origin
        self._ours = our_classroom(origin, plan.assignment, folder / "ours")
        self._stock = stock_classroom(origin, plan.assignment, folder / "stock")
        self._stock.seat(plan.stock)
        self._otter = Otter(course, folder / "otter") if plan.otter else None
        if self._otter and not self._otter.is_installed:
            self.rest.append(f"Otter was not measured: {OTTER} is missing; `make bench` makes it.")
            self._otter = None
        if self._otter:
            self._otter.seat(plan.otter)

    def play(self, number: int) -> None:
        """Measure everything once.  Every other round goes the other way round, so that nobody always comes first."""
        steps: list[Callable[[int], None]] = [self._play_bare, self._play_stock, self._play_otter, self._play_ours]
        for step in steps if number % 2 == 0 else reversed(steps):
            try:
                step(number)
            except CommandFailed as problem:
                self.rest.append(f"{self.plan.assignment}, round {number + 1}: {problem}")
                self._say(f"round {number + 1}: {problem}")

    def _play_stock(self, number: int) -> None:
        for size in sorted({self.plan.stock, *(size for size in self.plan.sizes if size == 1)}):
            self._stock.seat(size)
            self._keep("stock", size, 1, number, run_stock(self._stock), self._stock)

    def _play_otter(self, number: int) -> None:
        if self._otter is None:
            return
        readings = self._otter.run()
        wall, cpu = sum(reading.wall for reading in readings), sum(reading.cpu for reading in readings)
        peak = meter.Memory(*(max(getattr(r.peak, role) for r in readings) for role in ("coordinator", "worker")))
        self._add(Run(self.plan.assignment, "otter", len(readings), 1, number, wall, cpu, peak))

    def _play_ours(self, number: int) -> None:
        for size, rounds in sorted(self.plan.sizes.items()):
            if number >= rounds:
                continue
            for workers in self.plan.workers:
                self._ours.seat(size)
                self._grade("cold", size, workers, number)
                if self.parts is None:
                    self.parts = read_parts(self._ours, self._origin, self.runs[-1])
                if not self.plan.again:
                    continue
                if size == min(self.plan.sizes):
                    self._grade("warm", size, workers, number, "--force")
                self._grade("unchanged", size, workers, number)

    def _play_bare(self, number: int) -> None:
        self._ours.seat(1)
        cost = run_bare(self._ours)
        self.bare.append(BareRun(self.plan.assignment, number, cost))
        self._say(f"round {number + 1} of {self.plan.rounds}, bare process: {cost.cells:.2f} s of processor time")

    def _grade(self, how: How, size: int, workers: int, number: int, *options: str) -> None:
        argv = [str(TOOLS / "syncpoint"), "grade", self.plan.assignment, "--workers", str(workers), *options]
        reading = meter.read(argv, self._ours.root, environment())
        self._keep(how, size, workers, number, reading, self._ours)

    def _keep(self, how: How, size: int, workers: int, number: int, seen: meter.Reading, room: Classroom) -> None:
        finished = [] if how == "unchanged" else [round(moment - seen.began, 2) for moment in room.finished()]
        work = [] if how == "unchanged" else room.work()
        if seen.left_over:
            self.rest.append(f"{how} {self.plan.assignment} left {seen.left_over} processes running.")
        self._add(
            Run(
                self.plan.assignment,
                how,
                size,
                workers,
                number,
                seen.wall,
                seen.cpu,
                seen.peak,
                tuple(moment for moment in finished if moment > 0),
                tuple(round(seconds, 3) for seconds in work),
                seen.series,
            )
        )

    def _add(self, run: Run) -> None:
        self.runs.append(run)
        words = f"{run.submissions} submissions, {run.workers} at a time"
        self._say(f"round {run.round + 1} of {self.plan.rounds}, {run.how}, {words}: {run.wall:.1f} s")

    def _say(self, words: str) -> None:
        self._screen.print(f"bench: {time.strftime('%H:%M:%S')} {self.plan.assignment}, {words}", highlight=False)
