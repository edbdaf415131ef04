"""Puts a result into its notebook: numbers for nbgrader, and reports for people, rendered now."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_output

from ..core.messages import Message
from ..core.results import ExerciseResult, Incident, Note, NotebookResult, TestResult
from ..core.variants import fill
from ..judge.cell_output import to_notebook
from ..judge.cells import is_autograded
from ..judge.errors import Malformed
from ..judge.job import GradingSpec, Result
from ..judge.judge_version import PACKAGE
from .background import Background
from .exercise import render


def apply(
    result: Result, notebook: NotebookNode, spec: GradingSpec, background: Background, variant: str = ""
) -> NotebookResult:
    """Put the outputs and reports of a result into the notebook.

    Returns the result with the words of today's graders and the points of today's notebook. Hints show the values of
    the student's variant.

    Raises:
        Malformed: If they are another notebook's.
    """
    if not result.fits(notebook):
        raise Malformed("a result does not fit the cells of its notebook")
    for found in result.cells:
        cell = notebook.cells[found.index]
        cell.outputs, cell.execution_count = list(map(to_notebook, found.outputs)), found.execution_count
    for incident in result.notebook_result.incidents:
        if incident.cell is not None:
            message = Message.of("judge_says", message=incident.message)
            notebook.cells[incident.cell].outputs.append(new_output("stream", name="stderr", text=f"{message}\n"))
    graded = filter(is_autograded, notebook.cells)
    exercises = tuple(
        replace(
            _with_values(found.with_words(spec.words(found.name)), variant),
            max_points=float(cell.metadata.nbgrader.points),
        )
        for found, cell in zip(result.notebook_result.exercises, graded, strict=True)
    )
    put_reports(notebook, exercises, background)
    return replace(result.notebook_result, exercises=exercises)


def _with_values(exercise: ExerciseResult, variant: str) -> ExerciseResult:
    def shown(test: TestResult) -> TestResult:
        words = test.words
        return replace(test, words=replace(words, hint=fill(words.hint, variant))) if words and variant else test

    return replace(exercise, tests=tuple(map(shown, exercise.tests)))


def wording(spec: GradingSpec, misconceptions: Path) -> str:
    """Return a digest of all report texts: if it changes, reports must be written again."""
    report = sorted(path for path in (PACKAGE / "report").iterdir() if path.suffix in (".py", ".html"))
    texts = [PACKAGE / "core" / "texts.py", *report, misconceptions]
    contents = [path.read_bytes() for path in texts if path.is_file()]
    return hashlib.sha256(b"\0".join([*contents, *(content for _, content in spec.graders)])).hexdigest()


def refuse(
    notebook: NotebookNode, spec: GradingSpec, background: Background, notes: Sequence[Note], why: Message
) -> NotebookResult:
    """Give no points for a notebook that cannot be run, with the reason in every exercise; return its result."""
    exercises = [cell.metadata.nbgrader for cell in notebook.cells if is_autograded(cell)]
    results = tuple(ExerciseResult(exercise.grade_id, float(exercise.points), (), (why,)) for exercise in exercises)
    put_reports(notebook, results, background)
    from ..judge.grade_notebook import repaired, unguarded  # imports pytest, which nothing else here needs

    incidents = (*unguarded(spec.isolation), *repaired(notes), Incident("refused", why))
    return NotebookResult(spec.versions, results, incidents)


def put_reports(notebook: NotebookNode, exercises: tuple[ExerciseResult, ...], background: Background) -> None:
    """Put the report of each exercise into its grade cell, in their order."""
    legend = set[str]()
    for cell, exercise in zip(filter(is_autograded, notebook.cells), exercises, strict=True):
        put_report(cell, exercise, background, legend)


def put_report(
    cell: NotebookNode, exercise: ExerciseResult, background: Background, legend: set[str] | None = None
) -> None:
    """Replace the grade cell's outputs by one with a number for nbgrader and a report for people."""
    report = render(exercise, background, legend)
    cell.execution_count = None
    cell.outputs = [new_output("execute_result", {"text/plain": repr(exercise.points), "text/html": report})]
