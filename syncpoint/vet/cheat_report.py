"""The report on the cheats: undeserved points, known gaps, and gaps that are now closed."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from ..course.folder import Course
from .cheat import Cheat
from .cheat_course import CheatTrial, try_cheats
from .vet_bank import with_a_bar


@dataclass(frozen=True)
class CheatReport:
    """All trials of cheats in one vetting."""

    trials: tuple[CheatTrial, ...]

    @property
    def complaints(self) -> dict[str, str]:
        """Cheats whose points differ from the deserved ones, with the difference."""
        return {trial.cheat.name: trial.complaint for trial in self.trials if trial.complaint}

    @property
    def known(self) -> dict[str, str]:
        """Known cheats that gain points, with the reason and the suspicious acts seen."""
        return {trial.cheat.name: f"{trial.cheat.known} ({_acts(trial)})" for trial in self.trials if trial.pays}

    @property
    def agrees(self) -> bool:
        """Whether every cheat got its deserved points, apart from known gaps."""
        return not self.complaints

    def plain(self) -> dict[str, Any]:
        return {
            "agrees": self.agrees,
            "complaints": self.complaints,
            "known": self.known,
            "trials": [
                {
                    "cheat": trial.cheat.name,
                    "complaint": trial.complaint,
                    "points": trial.points,
                    "acts": list(trial.acts),
                    "seconds": round(trial.seconds, 3),
                }
                for trial in self.trials
            ],
        }


def vet(course: Course, cheats: list[Cheat], jobs: int, screen: Console) -> CheatReport:
    """Try the cheats in a temporary folder, and show the results."""
    with tempfile.TemporaryDirectory(prefix="syncpoint-cheats-") as folder:
        report = show_progress(try_cheats(course, cheats, Path(folder), jobs), len(cheats), screen)
    screen.print(render(report))
    return report


def show_progress(trials: Iterator[CheatTrial], count: int, screen: Console) -> CheatReport:
    """Show progress, with a line for each disagreement; without a terminal, for each cheat."""
    found: list[CheatTrial] = []
    for trial in with_a_bar(trials, lambda trial: trial.cheat.name, "cheating", count, screen):
        found.append(trial)
        if trial.complaint or not screen.is_terminal:
            screen.print(_line(trial), soft_wrap=True)
        if not trial.points:
            screen.print(trial.log, markup=False, soft_wrap=True, style="dim")
    return CheatReport(tuple(sorted(found, key=lambda trial: trial.cheat.name)))


def render(report: CheatReport) -> Group:
    """Show the kinds of cheats as a table, then the known gaps, then all disagreements."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("cheats")
    for name in ("tried", "got what they deserve", "known gaps", "most s"):
        table.add_column(name, justify="right")
    for kind, group in groupby(report.trials, key=lambda trial: trial.cheat.kind):
        trials = list(group)
        gaps = sum(trial.pays for trial in trials)
        well = sum(not trial.complaint and not trial.pays for trial in trials)
        most = max(trial.seconds for trial in trials)
        table.add_row(kind.replace("_", " "), str(len(trials)), str(well), str(gaps or ""), f"{most:.1f}")
    lines = [Text(f"{name} gains points: {why}.", "yellow") for name, why in report.known.items()]
    lines += [Text(f"{name} {what}.", "red") for name, what in report.complaints.items()]
    verdict = "all as the bank says" if report.agrees else "NOT as the bank says"
    lines.append(Text(f"{len(report.trials)} cheats, {len(report.known)} known gaps: {verdict}.", "bold"))
    return Group(table, *lines)


def _acts(trial: CheatTrial) -> str:
    return f"detected: {', '.join(trial.acts)}" if trial.acts else "nothing suspicious detected"


def _line(trial: CheatTrial) -> Text:
    mark = ("WRONG ", "bold red") if trial.complaint else ("known ", "yellow") if trial.pays else ("      ", "")
    points = " ".join(f"{exercise}={points:g}" for exercise, points in trial.points.items() if points)
    complaint = (f"  {trial.complaint}", "red") if trial.complaint else ""
    return Text.assemble(mark, f"{trial.cheat.name:58} {trial.seconds:6.2f} s  ", (points, "dim"), complaint)
