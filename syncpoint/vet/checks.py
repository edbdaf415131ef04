"""The visible checks: a right solution must pass the notebook's own check."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nbformat import NotebookNode
from rich.console import Console
from rich.text import Text

from ..core.strip import strip_control
from ..core.variants import fill
from ..course.errors import CourseError
from ..course.folder import Course
from ..judge.errors import DeadKernelError
from ..judge.notebook_run import NotebookRun
from .bank import Solution, read_text
from .trial import notebook_for, variant_of
from .vet_bank import in_processes, with_a_bar


@dataclass(frozen=True)
class CheckResult:
    """The result of the check for a right solution."""

    solution: Solution
    complaint: str  # why it did not pass; "" if it did


def check_all(course: Course, solutions: list[Solution], jobs: int) -> Iterator[CheckResult]:
    """Run the check of each solution's exercise, in a separate kernel."""
    yield from in_processes(jobs, [partial(check, course.root, solution) for solution in solutions])


def check(root: Path, solution: Solution) -> CheckResult:
    """Run the notebook up to the check of the exercise, with the solution in its place."""
    course = Course(root)
    name = course.source(solution.assignment).notebook_with(f"test_{solution.exercise}")
    variant, wanted = variant_of(course, solution), f"check_{solution.exercise}"
    reference = course.source(solution.assignment).notebook(name, variant)
    notebook, place = notebook_for(reference, solution.exercise, fill(read_text(solution.path), variant), wanted)
    if place < 0 or notebook.cells[place].metadata.nbgrader.grade_id != wanted:
        raise CourseError(f"no notebook of {solution.assignment} has a cell {wanted}; add it, or rename it.")
    try:
        with NotebookRun(notebook, course.sandbox_spec(solution.assignment)) as run:
            run.advance_to(place + 1)
    except DeadKernelError as gone:
        raise CourseError(f"{solution.name} was not checked: {gone}. Run the same command again.") from None
    errors = [f"{output.ename}: {output.evalue}" for cell in notebook.cells[-2:] for output in _errors(cell)]
    return CheckResult(
        solution, strip_control(" ".join([*(str(incident.message) for incident in run.incidents), *errors]))
    )


def show(checked: Iterator[CheckResult], count: int, screen: Console) -> bool:
    """Show results as they arrive; return whether every check passed."""
    refused = []
    for one in with_a_bar(checked, lambda one: one.solution.name, "checking", count, screen):
        if one.complaint:
            refused.append(one)
            screen.print(f"WRONG {one.solution.name}  {one.complaint}", markup=False, soft_wrap=True)
    passed = f"{count - len(refused)} of {count} right solutions pass the visible check of their notebook."
    screen.print(Text(passed, "bold"))
    return not refused


def _errors(cell: NotebookNode) -> list[NotebookNode]:
    return [output for output in cell.get("outputs", ()) if output.output_type == "error"]
