"""The figures of one bench: plain data, kept as JSON, from which every table and the plot are made."""

import os
import platform
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import psutil
from pydantic import TypeAdapter

from syncpoint.core.results import Cost
from syncpoint.demo.class_file import Budget

from .baselines import Bare
from .meter import Memory

CONTINUED = "Further rounds: load {at.load:.1f} at the start, {at.when:%Y-%m-%d %H:%M} UTC: `{command}`."
# stock: `nbgrader autograde` without us.  otter: `otter run`.  The others are `syncpoint grade`: cold, of a new class;
# warm, of the same class with --force; unchanged, once more with nothing to do.
How = Literal["stock", "otter", "cold", "warm", "unchanged"]


@dataclass(frozen=True)
class Run:
    """One class graded once.

    wall: seconds of the whole command, or of all commands.  cpu: processor seconds of every process.  finished: seconds
    after the start at which a submission was done, ascending; empty if unknown.  work: processor seconds of each
    submission's kernels.  series: (seconds after the start, memory then).
    """

    assignment: str
    how: How
    submissions: int
    workers: int
    round: int
    wall: float
    cpu: float
    peak: Memory
    finished: tuple[float, ...] = ()
    work: tuple[float, ...] = ()
    series: tuple[tuple[float, Memory], ...] = ()

    @property
    def rate(self) -> float:
        """Submissions a minute, the start of the command included."""
        return 60 * self.submissions / self.wall

    @property
    def steady_rate(self) -> float:
        """Submissions a minute from the first one done to the last; the plain rate if that is not known."""
        return self.rate_between(0, len(self.finished) - 1) or self.rate

    def rate_between(self, first: int, last: int) -> float:
        """Submissions a minute from one done to a later one, by position; 0 if that is not known."""
        if last <= first or self.finished[last] <= self.finished[first]:
            return 0.0
        return 60 * (last - first) / (self.finished[last] - self.finished[first])

    @property
    def cpu_each(self) -> float:
        """Processor seconds of a submission, its share of the start included."""
        return self.cpu / self.submissions


@dataclass(frozen=True)
class BareRun:
    """The cells of one submission in bare processes, in one round."""

    assignment: str
    round: int
    cost: Bare


@dataclass(frozen=True)
class Parts:
    """Where the seconds of one submission went, the median of ``graded``.  points: the share that the class earned."""

    assignment: str
    graded: int
    seconds: float
    cost: Cost
    points: float
    budget: Budget | None


@dataclass(frozen=True)
class Machine:
    """What the bench ran on.  load: that of one minute when it began."""

    cores: int
    processor: str
    memory_gib: float
    system: str
    python: str
    load: float
    when: datetime

    def is_like(self, other: "Machine") -> bool:
        """Whether figures of both may stand in one table: all but memory's rounding, load and date are the same."""
        return replace(self, memory_gib=0, load=0, when=other.when) == replace(other, memory_gib=0, load=0)

    @classmethod
    def here(cls) -> "Machine":
        """This machine, now."""
        names = [line.split(":", 1)[1].strip() for line in _cpuinfo() if line.startswith("model name")]
        return cls(
            cores=len(os.sched_getaffinity(0)),
            processor=names[0] if names else platform.machine(),
            memory_gib=psutil.virtual_memory().total / 2**30,
            system=f"{platform.system()} {platform.release()}",
            python=platform.python_version(),
            load=os.getloadavg()[0],
            when=datetime.now(UTC),
        )


@dataclass(frozen=True)
class Figures:
    """Everything that one bench measured.  rest: sentences about what was left out."""

    machine: Machine
    command: str
    runs: tuple[Run, ...]
    bare: tuple[BareRun, ...]
    parts: tuple[Parts, ...]
    rest: tuple[str, ...] = ()

    def continued(self, later: "Figures") -> "Figures":
        """These figures and the further rounds of a later bench on the same machine."""
        known = {parts.assignment for parts in self.parts}
        return replace(
            self,
            runs=self.runs + later.runs,
            bare=self.bare + later.bare,
            parts=self.parts + tuple(parts for parts in later.parts if parts.assignment not in known),
            rest=(*self.rest, CONTINUED.format(at=later.machine, command=later.command), *later.rest),
        )

    def to_json(self) -> bytes:
        """The figures as JSON."""
        return TypeAdapter(Figures).dump_json(self, indent=1)

    @classmethod
    def read(cls, path: Path) -> "Figures":
        """The figures that were kept there.  Raises OSError or ValueError."""
        return TypeAdapter(cls).validate_json(path.read_bytes())

    def assignments(self) -> list[str]:
        """What was graded, in the order in which it was."""
        return list(dict.fromkeys(run.assignment for run in self.runs))

    def select(self, assignment: str, how: How, submissions: int = 0, workers: int = 0) -> list[Run]:
        """The runs of that kind; 0 stands for any number."""
        return [
            run
            for run in self.runs
            if (run.assignment, run.how) == (assignment, how)
            and submissions in (0, run.submissions)
            and workers in (0, run.workers)
        ]

    def ratio(self, runs: Iterable[Run]) -> float | None:
        """How many times stock nbgrader's rate these runs reached: the median over the rounds that have both.

        Our rate counts the start of the command, that of stock nbgrader does not.
        """
        ascending = sorted(self.runs, key=lambda run: run.submissions)  # of one alone there is no steady rate
        stock = {(run.assignment, run.round): run.steady_rate for run in ascending if run.how == "stock"}
        pairs = [run.rate / stock[run.assignment, run.round] for run in runs if (run.assignment, run.round) in stock]
        return statistics.median(pairs) if pairs else None


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.is_file() else []
