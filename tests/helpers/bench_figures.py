"""Made-up figures of a bench, for the tests of what is made from them."""

from datetime import UTC, datetime
from typing import Any

from benchmarks.baselines import Bare
from benchmarks.figures import BareRun, Figures, Machine, Parts, Run
from benchmarks.meter import Memory
from syncpoint.core.results import Cost
from syncpoint.demo.class_file import Budget

MACHINE = Machine(2, "A Processor", 24.0, "Linux 6", "3.11.7", 0.1, datetime(2026, 1, 2, 3, 4, tzinfo=UTC))


def run(assignment: str = "trivial", how: Any = "cold", submissions: int = 100, **more: Any) -> Run:
    """A run of two workers that grades four submissions a second, the last one after ``wall`` seconds."""
    wall = more.pop("wall", submissions / 4)
    plain = {"workers": 2, "round": 0, "cpu": submissions * 1.0, "peak": Memory(100, 200, 300)}
    finished = tuple(wall * (index + 1) / submissions for index in range(submissions))
    return Run(assignment, how, submissions, wall=wall, **{**plain, "finished": finished, **more})


def stock(assignment: str = "trivial", rate: float = 30.0, **more: Any) -> Run:
    """A run of stock nbgrader with that many submissions a minute, after a start of a minute."""
    finished = tuple(60 + index * 60 / rate for index in range(10))
    return run(assignment, "stock", 10, wall=finished[-1], workers=1, finished=finished, **more)


def figures(*runs: Run, bare: tuple[BareRun, ...] = (), parts: tuple[Parts, ...] = ()) -> Figures:
    """The figures of a bench that made these runs."""
    return Figures(MACHINE, "python -m benchmarks", runs, bare, parts)


def bare(assignment: str, cells: float, process: float) -> BareRun:
    """The cells of one submission in bare processes."""
    return BareRun(assignment, 0, Bare(cells, process))


def parts(seconds: float, memory_mib: float, points: float = 1.0) -> Parts:
    """A submission of 10 s and 300 MiB under a budget."""
    cost = Cost(kernel_start=2, kernel_busy=4, kernel_stop=1, total=7.5, peak_mib=300)
    return Parts("async", 3, 10.0, cost, points, Budget(seconds, memory_mib))
