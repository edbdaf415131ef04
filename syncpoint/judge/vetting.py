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
    """The notebook up to the exercise's grade cell with the solution in its place, and the place of the grade cell.

    Given code and the other exercises' solutions stay, since a grader may need them.  Demonstrations (cells without
    a grade id), visible checks and other grade cells stay away.
    """
    notebook = new_notebook(metadata=reference.metadata)
    for cell in reference.cells:
        identity = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if cell.cell_type != "code" or not identity or identity.startswith("check_"):
            continue
        if identity == exercise:
            cell.source = solution
        elif identity == f"test_{exercise}":
            notebook.cells.append(cell)
            break
        elif is_autograded(cell):
            continue
        notebook.cells.append(cell)
    return notebook, len(notebook.cells) - 1


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
