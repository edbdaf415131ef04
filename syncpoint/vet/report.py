"""The report of vetting: disagreements, verdicts that changed, tests that kill nothing, times."""

import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from ..course.errors import CourseError
from .trial import Trial


@dataclass(frozen=True)
class Report:
    """All trials of solutions in one vetting."""

    trials: tuple[Trial, ...]

    @cached_property
    def by_exercise(self) -> dict[str, list[Trial]]:
        """Return the trials of each exercise, sorted by name."""
        found: dict[str, list[Trial]] = defaultdict(list)
        for trial in sorted(self.trials, key=lambda trial: trial.solution.name):
            found[f"{trial.solution.assignment}/{trial.solution.exercise}"].append(trial)
        return dict(found)

    @cached_property
    def complaints(self) -> dict[str, str]:
        """Return the solutions whose verdict disagrees with their file, and how."""
        return {trial.solution.name: trial.complaint for trial in self.trials if trial.complaint}

    @cached_property
    def outcomes(self) -> dict[str, dict[str, int]]:
        """Return the outcome of each solution: which tests failed, and how often."""
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for trial in self.trials:
            seen[trial.solution.name][", ".join(sorted(trial.failed)) or "none"] += 1
        return {name: dict(outcomes) for name, outcomes in seen.items()}

    @property
    def changed(self) -> dict[str, dict[str, int]]:
        """Return the solutions with several outcomes."""
        return {name: outcomes for name, outcomes in self.outcomes.items() if len(outcomes) > 1}

    @property
    def agrees(self) -> bool:
        """Whether every verdict is as the bank says, every time."""
        return not self.complaints and not self.changed

    def kills(self, exercise: str) -> dict[str, int]:
        """Return how many wrong solutions fail each test of an exercise."""
        trials = self.by_exercise[exercise]
        killed: dict[str, set[str]] = {name: set() for trial in trials for name in trial.tests}
        for trial in trials:
            if not trial.solution.right:
                for name in trial.failed:
                    killed[name].add(trial.solution.name)
        return {name: len(solutions) for name, solutions in killed.items()}

    def plain(self) -> dict[str, Any]:
        return {
            "agrees": self.agrees,
            "complaints": self.complaints,
            "changed": self.changed,
            "kills": {exercise: self.kills(exercise) for exercise in self.by_exercise},
            "trials": [
                {
                    "solution": trial.solution.name,
                    "right": trial.solution.right,
                    "score": trial.score,
                    "max_score": trial.max_score,
                    "complaint": trial.complaint,
                    "kills": None if trial.solution.kills is None else sorted(trial.solution.kills),
                    "failed": sorted(trial.failed),
                    "core": sorted(trial.core),
                    "value": sorted(trial.value),
                    "details": list(trial.details),
                    "misconception": trial.solution.misconception,
                    "broke": list(trial.broke),
                    "acts": list(trial.acts),
                    "seconds": round(trial.seconds, 3),
                }
                for trial in self.trials
            ],
        }


def check_writable(path: Path) -> None:
    """Check that a report can be written, without changing or creating its file."""
    is_new = not path.exists()
    try:
        path.open("a").close()
    except OSError as problem:
        raise CourseError(f"{path} cannot be written ({problem.strerror}); name another file with --json.") from None
    if is_new:
        path.resolve().unlink()


def line(trial: Trial) -> Text:
    mark = ("WRONG ", "bold red") if trial.complaint else ("      ", "")
    failed = " ".join(sorted(name.removeprefix("test_") for name in trial.failed))
    points = f"{trial.score:5.2f}/{trial.max_score:g}"
    named = (f"  {trial.solution.misconception}", "cyan")
    complaint = (f"  {trial.complaint}", "red") if trial.complaint else ""
    return Text.assemble(
        mark, f"{trial.solution.name:58} {points} {trial.seconds:6.2f} s  ", (failed, "dim"), named, complaint
    )


def render(report: Report) -> Group:
    """Show the exercises as a table, then all disagreements."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("exercise")
    for name in ("right with all", "wrong with less", "tests", "median s", "most s"):
        table.add_column(name, justify="right")
    for exercise, trials in report.by_exercise.items():
        table.add_row(exercise, *_counts(trials), str(len(trials[0].tests)), *_seconds(trials))
    lines = [Text(f"{name} {what}.", "red") for name, what in report.complaints.items()]
    for name, outcomes in report.changed.items():
        counted = "; ".join(f"failed {tests}: {count} times" for tests, count in outcomes.items())
        lines.append(Text(f"{name} got different verdicts ({counted}).", "red"))
    lines += [Text(sentence) for sentence in _core_tests(report)]
    solutions = len({trial.solution.name for trial in report.trials})
    verdict = "all as the bank says" if report.agrees else "NOT as the bank says"
    lines.append(Text(f"{solutions} solutions, {len(report.trials)} verdicts: {verdict}.", "bold"))
    return Group(table, *lines)


def _core_tests(report: Report) -> list[str]:
    """Return how many wrong solutions fail a core test, and which exercises have no core test."""
    missed: dict[bool, set[str]] = {True: set(), False: set()}
    for trial in (trial for trial in report.trials if trial.core and not trial.solution.right):
        missed[trial.misses_the_core].add(trial.solution.name)
    counted = f"Wrong solutions that fail a core test and get less than half of the points: {len(missed[True])}; "
    unmarked = [name for name, trials in report.by_exercise.items() if not trials[0].core]
    return [
        *([f"{counted}others, with half of the points or more: {len(missed[False])}."] if any(missed.values()) else []),
        *([f"No test is marked @core: {', '.join(unmarked)}."] if unmarked else []),
    ]


def render_idle_tests(report: Report) -> Group:
    """Show the tests that no wrong solution fails, one line for each exercise that has some."""
    lines = []
    for exercise in report.by_exercise:
        idle = [test for test, count in report.kills(exercise).items() if not count]
        if idle:
            lines.append(Text(f"{exercise}: no wrong solution here fails {', '.join(idle)}.", "yellow"))
    return Group(*lines)


def render_unexplained(report: Report) -> Group:
    """Show the wrong solutions without a misconception in one line, if any."""
    trials = {trial.solution for trial in report.trials}
    names = sorted(s.name for s in trials if not s.right and not s.misconception)
    return Group(*([Text(f"Without a misconception: {', '.join(names)}.", "yellow")] if names else []))


def render_sums(report: Report) -> Table:
    """Return how often each solution was judged, and with which verdicts."""
    table = Table("solution", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("judged", justify="right")
    table.add_column("failed tests, and how often")
    for name, outcomes in sorted(report.outcomes.items()):
        counts = "; ".join(f"{tests}: {count}" for tests, count in outcomes.items())
        table.add_row(name, str(sum(outcomes.values())), Text(counts, "red" if len(outcomes) > 1 else "dim"))
    return table


def _counts(trials: list[Trial]) -> list[str]:
    columns = []
    for right in (True, False):
        solutions = {trial.solution.name for trial in trials if trial.solution.right is right}
        wronged = {trial.solution.name for trial in trials if trial.solution.right is right and trial.complaint}
        columns.append(f"{len(solutions) - len(wronged)} of {len(solutions)}")
    return columns


def _seconds(trials: list[Trial]) -> list[str]:
    seconds = [trial.seconds for trial in trials]
    return [f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}"]
