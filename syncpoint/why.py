"""Why a student has these points: the kept verdicts, with what only instructors may read."""

import re

from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from .core.results import ExerciseResult, TestResult
from .judge.course import CourseError
from .records.read import KeptNotebook

# pytest shows the arguments of a test first; ours say nothing.
FIXTURES = re.compile(r"\A(?:\w+ = .*\n)+\n?")


def explain(notebooks: list[KeptNotebook], exercise: str = "") -> list[Text | Padding]:
    """Lines for the terminal: what stopped the notebook first, then each exercise.  Raises CourseError."""
    wanted = exercise if exercise.startswith("test_") else f"test_{exercise}"
    names = [verdict.exercise for notebook in notebooks for verdict in notebook.notebook_result.verdicts]
    if exercise and wanted not in names:
        raise CourseError(f"there is no exercise {exercise}; there are {', '.join(names)}.")
    lines: list[Text | Padding] = []
    for notebook in notebooks:
        verdicts = [v for v in notebook.notebook_result.verdicts if not exercise or v.exercise == wanted]
        if verdicts:
            lines += [*_head(notebook), *(line for verdict in verdicts for line in _exercise(verdict))]
    return lines


def _head(notebook: KeptNotebook) -> list[Text | Padding]:
    notebook_result = notebook.notebook_result
    cost = notebook_result.cost
    ran = f"  {cost.total:.1f} s, {cost.peak_mib:.0f} MiB at most" if cost else "  was not run"
    lines: list[Text | Padding] = [Text.from_markup(f"[bold]{escape(notebook.name)}.ipynb[/][dim]{ran}")]
    lines += [_indented(Text(f"! {incident.said}", "red"), 2) for incident in notebook_result.incidents]
    lines += [_indented(Text(f"? suspicious: {flag.said}", "yellow"), 2) for flag in notebook_result.flags]
    return lines


def _exercise(verdict: ExerciseResult) -> list[Text | Padding]:
    points = f"{verdict.points:g} of {verdict.max_points:g} points"
    lines: list[Text | Padding] = [_indented(Text.from_markup(f"[bold]{verdict.exercise}[/]  {points}"), 2)]
    if not verdict.outcomes:
        lines.append(_indented(Text("no test could run", "red"), 4))
    for outcome in sorted(verdict.outcomes, key=lambda outcome: outcome.passed):
        lines += _outcome(outcome)
    return lines


def _outcome(outcome: TestResult) -> list[Text | Padding]:
    head = Text("✓ " if outcome.passed else "✗ ", "green" if outcome.passed else "red")
    head.append(outcome.title, "default")
    head.append(f"  {outcome.name}, {outcome.seconds:.2f} s", "dim")
    if outcome.core:
        head.append(", core", "dim")
    if outcome.weight != 1:
        head.append(f", counts {outcome.weight:g}x", "dim")
    lines: list[Text | Padding] = [_indented(head, 4)]
    if not outcome.passed:
        lines += [_indented(Text(text), 6) for text in (str(outcome.said or ""), outcome.hint) if text]
        lines += [_indented(Text(FIXTURES.sub("", outcome.detail).strip("\n"), "dim"), 6)] if outcome.detail else []
    return lines


def _indented(text: Text, by: int) -> Padding:
    return Padding(text, (0, 0, 0, by), expand=False)
