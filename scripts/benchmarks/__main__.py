"""The command ``python -m scripts.benchmarks``; ``make bench`` runs it."""

import json
import os
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from syncpoint.cli.options import CORES, HERE, InCourse, OnlyAssignments, in_one_line
from syncpoint.course.errors import CommandFailed, CourseError
from syncpoint.course.folder import Course
from syncpoint.demo.sample_class import assignments_with_a_class, class_file, read_class
from syncpoint.records.read_results import read_graded
from syncpoint.report.scores import console

from . import graders, report
from .classes import TRIVIAL, Classroom, our_classroom, stock_classroom, trivial_course
from .meter import Reading

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass(frozen=True)
class Plan:
    """The measurements to make for one assignment.

    Attributes:
        sizes: Class sizes for our judge; each is also graded again unchanged, and the smallest with --force.
        stock: Submissions that stock nbgrader grades in each round: its rate does not depend on the number.
        otter: The same of Otter.
    """

    assignment: str
    sizes: tuple[int, ...]
    stock: int
    otter: int = 0


def plans(assignments: Sequence[str], quick: bool, wanted: Sequence[str] = ()) -> list[Plan]:
    """The trivial notebook in four sizes, and a class of each assignment; in a short round only some of them.

    Raises:
        CourseError: If nothing of what is wanted is measured.
    """
    if quick:
        found = [Plan(TRIVIAL, (20, 60), 4, 2), Plan("async", (6,), 3), Plan("multi_gpu", (4,), 2)]
    else:
        found = [Plan(TRIVIAL, (1, 20, 100, 1000), 10, 3), *(Plan(name, (12,), 4) for name in assignments)]
    names = wanted or (TRIVIAL, *assignments)
    chosen = [plan for plan in found if plan.assignment in names]
    if not chosen:
        raise CourseError(f"the short round has no {', '.join(wanted)}: leave --quick out.")
    return chosen


class Bench:
    """The measurements of one assignment."""

    def __init__(self, course: Course, plan: Plan, folder: Path):
        self.plan = plan
        self.runs: list[dict[str, Any]] = []
        self.parts: list[dict[str, Any]] = []
        self.missing: list[str] = []
        self._course, self._folder = course, folder
        self._origin = trivial_course(course, folder / "origin") if plan.assignment == TRIVIAL else course
        self._ours = our_classroom(self._origin, plan.assignment, folder / "ours")
        self._stock = stock_classroom(self._origin, plan.assignment, folder / "stock")

    def play(self, number: int) -> None:
        """Measure everything once; every other round in the other order, so that no grader always comes first."""
        steps: list[Callable[[int], None]] = [self._bare, self._run_stock, self._otter, self._run_ours]
        for step in steps if number % 2 == 0 else reversed(steps):
            try:
                step(number)
            except CommandFailed as problem:
                self.missing.append(f"{self.plan.assignment}, round {number + 1}: {problem}")

    def _bare(self, number: int) -> None:
        self._ours.seat(1)
        cells, process = graders.run_bare(self._ours)
        self._add(number, "bare", 1, 1, wall=process, bare_cells=cells, bare_process=process)

    def _run_stock(self, number: int) -> None:
        for size in sorted({self.plan.stock, *(size for size in self.plan.sizes if size == 1)}):
            self._stock.seat(size)
            self._measured(number, "stock", size, 1, graders.run_stock(self._stock), self._stock)

    def _otter(self, number: int) -> None:
        if self.plan.otter and not (self._course.root / graders.OTTER / "bin" / "otter").is_file():
            raise CommandFailed(f"Otter was not measured: {graders.OTTER} is missing; `make bench` makes it.")
        if self.plan.otter:
            readings = list(map(asdict, graders.run_otter(self._course, self._folder / "otter", self.plan.otter)))
            costs = {name: sum(reading[name] for reading in readings) for name in ("wall", "cpu", "own_cpu")}
            peaks = {name: max(reading[name] for reading in readings) for name in ("own_mib", "worker_mib")}
            self._add(number, "otter", len(readings), 1, **costs, **peaks)

    def _run_ours(self, number: int) -> None:
        for size in self.plan.sizes:
            for workers in sorted({1, min(2, CORES)}):
                self._ours.seat(size)
                reading = graders.run_ours(self._ours, workers)
                self._measured(number, "cold", size, workers, reading, self._ours)
                if not self.parts:
                    self.parts.append(parts(self._ours, self._origin, reading.wall * workers / size))
                if size == min(self.plan.sizes):
                    again = graders.run_ours(self._ours, workers, "--force")
                    self._measured(number, "warm", size, workers, again, self._ours)
                self._measured(number, "unchanged", size, workers, graders.run_ours(self._ours, workers))

    def _measured(
        self, number: int, how: str, size: int, workers: int, reading: Reading, classroom: Classroom | None = None
    ) -> None:
        more: dict[str, float] = {}
        if classroom is not None:
            done = [max(path.stat().st_mtime for path in paths) for paths in classroom.graded().values()]
            kernel = statistics.median(classroom.kernel_seconds())
            more = {"first_done": min(done) - reading.began, "last_done": max(done) - reading.began, "kernel": kernel}
        self._add(number, how, size, workers, **asdict(reading), **more)

    def _add(self, number: int, how: str, size: int, workers: int, **figures: float) -> None:
        names = ("cpu", "own_cpu", "own_mib", "worker_mib", "first_done", "last_done", "kernel")
        empty = dict.fromkeys((*names, "bare_cells", "bare_process"))
        run = {"assignment": self.plan.assignment, "how": how, "submissions": size, "workers": workers, "round": number}
        self.runs.append({**run, **empty, **figures})
        print(f"bench: {time.strftime('%H:%M:%S')} {self.plan.assignment}, {how} {size} with {workers}", flush=True)


def parts(classroom: Classroom, origin: Course, seconds: float) -> dict[str, Any]:
    """Return where one submission's seconds went, the median of up to 20, next to the budget in class.toml."""
    results = [
        [notebook.notebook_result for notebook in read_graded(classroom.course, student, classroom.assignment)]
        for student in classroom.students()[:20]
    ]
    costs = [[result.cost for result in own if result.cost is not None] for own in results]
    exercises = [exercise for own in results for result in own for exercise in result.exercises]
    names = {"start": "kernel_start", "cells and tests": "kernel_busy", "stop": "kernel_stop", "judge": "judge"}
    known = class_file(origin, classroom.assignment).is_file()
    budget = read_class(origin, classroom.assignment).budget if known else None
    return {
        "assignment": classroom.assignment,
        "seconds": seconds,
        "seconds_wanted": budget and budget.seconds,
        **{
            k: statistics.median(sum(getattr(cost, name) for cost in own) for own in costs) for k, name in names.items()
        },
        "mib": statistics.median(max((cost.peak_mib for cost in own), default=0.0) for own in costs),
        "mib_wanted": budget and budget.memory_mib,
        "points": sum(one.points for one in exercises) / sum(one.max_points for one in exercises),
    }


def measure(course: Course, chosen: Sequence[Plan], rounds: int) -> dict[str, Any]:
    """Make all planned measurements, round by round; a failure is reported, and the rest goes on.

    Raises:
        CommandFailed: If nothing could be measured.
    """
    machine = report.machine(os.getloadavg()[0], CORES)
    with tempfile.TemporaryDirectory(prefix="syncpoint-bench-") as folder:
        benches = [Bench(course, plan, Path(folder, plan.assignment)) for plan in chosen]
        missing = []
        try:
            for number in range(rounds):
                for bench in benches:
                    bench.play(number)
        except KeyboardInterrupt:
            missing.append("The bench was interrupted: some runs are missing.")

    def of_all(name: str) -> list[Any]:
        return [item for bench in benches for item in getattr(bench, name)]

    if not of_all("runs"):
        raise CommandFailed(" ".join(["nothing could be measured.", *of_all("missing")]))
    command = shlex.join(["python", "-m", "scripts.benchmarks", *sys.argv[1:]])
    figures = {name: of_all(name) for name in ("runs", "parts", "missing")}
    return {"machine": machine, "command": command, **figures, "missing": figures["missing"] + missing}


def read_figures(path: Path) -> dict[str, Any]:
    """The figures of an earlier bench.

    Raises:
        CourseError: If the file holds none.
    """
    try:
        figures = json.loads(path.read_text())
        report.markdown(figures)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise CourseError(f"{path} holds no figures of a bench that can be read: {problem}") from None
    return dict(figures)


@app.command()
def bench(
    assignment: OnlyAssignments = None,
    quick: Annotated[bool, typer.Option("--quick", help="One short round, in less than five minutes.")] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Number of rounds.")] = 3,
    into: Annotated[Path, typer.Option(help="Write figures, tables and plot into this folder.")] = Path("build/bench"),
    earlier: Annotated[
        Path | None, typer.Option("--from", help="Measure nothing: show the bench.json of an earlier run.")
    ] = None,
    publish: Annotated[
        bool, typer.Option("--publish", help="Also put the figures into docs/results/performance.md.")
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Measure the cost of grading a class on this machine, next to stock nbgrader, Otter and the bare work."""
    with in_one_line():
        course = Course.around(folder)
        if earlier is not None:
            figures = read_figures(earlier)
        else:
            chosen = plans(assignments_with_a_class(course), quick, assignment or ())
            figures = measure(course, chosen, 1 if quick else rounds)
        into.mkdir(parents=True, exist_ok=True)
        (into / "bench.json").write_text(json.dumps(figures, indent=1))
        (into / "performance.md").write_text(report.markdown(figures))
        last = figures["runs"][-1]["assignment"]
        python = course.sandbox_spec(last if last in course.assignments() else course.assignments()[0]).python
        report.draw(into / "bench.json", into / "performance.png", python)
        report.show(figures, console())
        if publish:
            report.publish(figures, course, into / "performance.png")


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks")
