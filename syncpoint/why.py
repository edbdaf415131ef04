"""Why a student has these points: the kept verdicts, with what only instructors may read."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from .judge.course import Course, CourseError
from .judge.verdict import Cost, Outcome, Verdict

# pytest shows the arguments of a test first; ours say nothing.
FIXTURES = re.compile(r"\A(?:\w+ = .*\n)+\n?")


@dataclass(frozen=True)
class KeptNotebook:
    """What the judge kept of one notebook.  cost: None if it was not run."""

    name: str
    verdicts: tuple[Verdict, ...]
    faults: tuple[str, ...]
    cost: Cost | None

    @classmethod
    def read(cls, path: Path) -> "KeptNotebook":
        """Read verdicts/<student>/<assignment>/<notebook>.json."""
        data = json.loads(path.read_text())
        cost = data["cost"]
        return cls(
            path.stem,
            tuple(map(_verdict, data["verdicts"])),
            tuple(data["faults"]),
            Cost(**{key: value for key, value in cost.items() if key != "judge"}) if cost else None,
        )


def _verdict(data: dict[str, Any]) -> Verdict:
    outcomes = tuple(Outcome(**outcome) for outcome in data["outcomes"])
    return Verdict(data["exercise"], data["max_points"], outcomes, tuple(data["notes"]))


def read_kept(course: Course, student: str, assignment: str) -> list[KeptNotebook]:
    """Everything kept of one submission.  Raises CourseError if there is nothing."""
    folder = course.root / "verdicts" / student / assignment
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise CourseError(
            f"nothing was graded for {student} in {assignment} ({folder} holds no verdict): "
            f"run `nbgrader autograde {assignment} --student={student}`."
        )
    return [KeptNotebook.read(path) for path in paths]


def explain(notebooks: list[KeptNotebook], exercise: str = "") -> list[Text | Padding]:
    """Lines for the terminal: what stopped the notebook first, then each exercise.  Raises CourseError."""
    wanted = exercise if exercise.startswith("test_") else f"test_{exercise}"
    names = [verdict.exercise for notebook in notebooks for verdict in notebook.verdicts]
    if exercise and wanted not in names:
        raise CourseError(f"there is no exercise {exercise}; there are {', '.join(names)}.")
    lines: list[Text | Padding] = []
    for notebook in notebooks:
        verdicts = [v for v in notebook.verdicts if not exercise or v.exercise == wanted]
        if verdicts:
            lines += [*_head(notebook), *(line for verdict in verdicts for line in _exercise(verdict))]
    return lines


def _head(notebook: KeptNotebook) -> list[Text | Padding]:
    cost = notebook.cost
    ran = f"  {cost.total:.1f} s, {cost.peak_mib:.0f} MiB at most" if cost else "  was not run"
    lines: list[Text | Padding] = [Text.from_markup(f"[bold]{escape(notebook.name)}.ipynb[/][dim]{ran}")]
    lines += [_indented(Text(f"! {fault}", "red"), 2) for fault in notebook.faults]
    return lines


def _exercise(verdict: Verdict) -> list[Text | Padding]:
    points = f"{verdict.points:g} of {verdict.max_points:g} points"
    lines: list[Text | Padding] = [_indented(Text.from_markup(f"[bold]{verdict.exercise}[/]  {points}"), 2)]
    if not verdict.outcomes:
        lines.append(_indented(Text("no test could run", "red"), 4))
    for outcome in sorted(verdict.outcomes, key=lambda outcome: outcome.passed):
        lines += _outcome(outcome)
    return lines


def _outcome(outcome: Outcome) -> list[Text | Padding]:
    head = Text("✓ " if outcome.passed else "✗ ", "green" if outcome.passed else "red")
    head.append(outcome.title, "default")
    head.append(f"  {outcome.name}, {outcome.seconds:.2f} s", "dim")
    if outcome.weight != 1:
        head.append(f", counts {outcome.weight:g}x", "dim")
    lines: list[Text | Padding] = [_indented(head, 4)]
    if not outcome.passed:
        lines += [_indented(Text(text), 6) for text in (outcome.message, outcome.hint) if text]
        lines += [_indented(Text(FIXTURES.sub("", outcome.detail).strip("\n"), "dim"), 6)] if outcome.detail else []
    return lines


def _indented(text: Text, by: int) -> Padding:
    return Padding(text, (0, 0, 0, by), expand=False)
