"""Explains a student's points: the stored verdicts, with details that only instructors may read."""

import re

from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from ..core.results import ExerciseResult, TestResult
from ..course.errors import CourseError
from ..records.read_results import GradedNotebook

# pytest shows a test's arguments first, which do not help here.
FIXTURES = re.compile(r"\A(?:\w+ = .*\n)+\n?")


def explain(notebooks: list[GradedNotebook], exercise: str = "") -> list[Text | Padding]:
    """Return lines for the terminal: what stopped the notebook first, then each exercise, or raise CourseError."""
    wanted = exercise if exercise.startswith("test_") else f"test_{exercise}"
    names = [exercise.name for notebook in notebooks for exercise in notebook.notebook_result.exercises]
    if exercise and wanted not in names:
        raise CourseError(f"there is no exercise {exercise}: choose one of {', '.join(names)}.")
    lines: list[Text | Padding] = []
    for notebook in notebooks:
        verdicts = [v for v in notebook.notebook_result.exercises if not exercise or v.name == wanted]
        if verdicts:
            lines += [*_head(notebook), *(line for exercise in verdicts for line in _exercise(exercise))]
    return lines


def assertions(exercise: ExerciseResult) -> str:
    """Return the failed assertions of an exercise, which students never see, as text."""
    failed = (test for test in exercise.tests if not test.passed and test.detail)
    return "\n\n".join(f"{test.name}\n{FIXTURES.sub('', test.detail).strip()}" for test in failed)


def _head(notebook: GradedNotebook) -> list[Text | Padding]:
    notebook_result = notebook.notebook_result
    cost = notebook_result.cost
    ran = f"  {cost.total:.1f} s, peak {cost.peak_mib:.0f} MiB" if cost else "  was not run"
    lines: list[Text | Padding] = [Text.from_markup(f"[bold]{escape(notebook.name)}.ipynb[/][dim]{ran}")]
    lines += [_indented(Text(f"! {incident.message}", "red"), 2) for incident in notebook_result.incidents]
    lines += [_indented(Text(f"? suspicious: {act.message}", "yellow"), 2) for act in notebook_result.acts]
    return lines


def _exercise(exercise: ExerciseResult) -> list[Text | Padding]:
    points = f"{exercise.points:g} of {exercise.max_points:g} points"
    lines: list[Text | Padding] = [_indented(Text.from_markup(f"[bold]{exercise.name}[/]  {points}"), 2)]
    if not exercise.tests:
        lines.append(_indented(Text("no test could run", "red"), 4))
    for test in sorted(exercise.tests, key=lambda test: test.passed):
        lines += _test(test)
    return lines


def _test(test: TestResult) -> list[Text | Padding]:
    head = Text("✓ " if test.passed else "✗ ", "green" if test.passed else "red")
    head.append(test.title, "default")
    head.append(f"  {test.name}, {test.seconds:.2f} s", "dim")
    if test.core:
        head.append(", core", "dim")
    if test.value:
        head.append(", value", "dim")
    if test.weight != 1:
        head.append(f", counts {test.weight:g}x", "dim")
    lines: list[Text | Padding] = [_indented(head, 4)]
    if not test.passed:
        lines += [_indented(Text(text), 6) for text in (str(test.message or ""), test.hint) if text]
        lines += [_indented(Text(FIXTURES.sub("", test.detail).strip("\n"), "dim"), 6)] if test.detail else []
    return lines


def _indented(text: Text, by: int) -> Padding:
    return Padding(text, (0, 0, 0, by), expand=False)
