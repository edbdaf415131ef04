"""Holds a grader against a solution from the bank: by the same kernel, sandbox and examination as a submission."""

import time
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from ..sandbox.world import World
from .course import Course
from .examination import examine
from .submission import SubmissionRun, is_autograded
from .verdict import Verdict


def notebook_for(reference: NotebookNode, exercise: str, solution: str) -> tuple[NotebookNode, int]:
    """The cell with the imports, the solution and the grade cell, and the place of the last.

    Demonstrations, visible checks and the other exercises stay away: no grader needs them.
    """
    notebook = new_notebook(metadata=reference.metadata)
    for cell in reference.cells:
        nbgrader = cell.metadata.get("nbgrader", {})
        identity = nbgrader.get("grade_id", "")
        if identity == exercise:
            cell.source = solution
        elif identity not in ("imports", f"test_{exercise}"):
            continue
        notebook.cells.append(cell)
    return notebook, next(index for index, cell in enumerate(notebook.cells) if is_autograded(cell))


def vet(course: Course, world: World, path: Path, repeat: int = 1) -> Iterator[tuple[Verdict, float]]:
    """The verdict on one file of the bank and the seconds its tests took, ``repeat`` times in one kernel."""
    assignment, exercise = path.parent.parent.name, path.parent.name
    reference = course.reference(assignment, course.notebook_with(assignment, f"test_{exercise}"))
    notebook, place = notebook_for(reference, exercise, path.read_text())
    points = float(notebook.cells[place].metadata.nbgrader.points)
    with SubmissionRun(notebook, world) as run:
        run.advance_to(place)
        for _ in range(repeat):
            began = time.monotonic()
            outcomes = examine(course.grader(assignment, f"test_{exercise}"), run.student())
            seconds = time.monotonic() - began
            yield Verdict(f"test_{exercise}", points, tuple(outcomes), tuple(run.faults)), seconds


def is_right(path: Path) -> bool:
    """Whether the name of a bank file says that it holds a right solution."""
    return path.name.split("_")[1] == "ok"
