"""The instructor's side of an assignment: ``source/<assignment>/``, its notebooks and the cells that have points."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ..judge.cells import is_autograded
from .errors import CourseError
from .variants import fill_notebook


@dataclass(frozen=True)
class AssignmentSource:
    """The source folder of an assignment."""

    folder: Path

    def files(self) -> tuple[Path, ...]:
        """Return the assignment's files other than notebooks: data and modules."""
        return tuple(path for path in sorted(self.folder.glob("[!._]*")) if path.suffix != ".ipynb")

    def notebook(self, name: str, variant: str = "") -> NotebookNode:
        return fill_notebook(nbformat.read(self.folder / f"{name}.ipynb", as_version=4), variant)

    def exercises(self) -> dict[str, str]:
        """Return the autograded cells in order, each with its notebook."""
        return {cell.grade_id: notebook for notebook, cell in self._cells(is_autograded)}

    def graded_cells(self) -> dict[str, str]:
        """Return all cells with points in order, each with its notebook."""
        return {cell.grade_id: notebook for notebook, cell in self._cells(_has_points)}

    def written_answers(self) -> dict[str, float]:
        """Return the cells that a person reads and marks in order, each with its points."""
        return {cell.grade_id: float(cell.get("points", 0)) for _, cell in self._cells(_is_marked_by_hand)}

    def notebook_with(self, exercise: str) -> str:
        try:
            return self.exercises()[exercise]
        except KeyError:
            raise CourseError(f"no notebook in {self.folder} has a grade cell {exercise}") from None

    def _cells(self, wanted: Callable[[NotebookNode], bool]) -> Iterator[tuple[str, NotebookNode]]:
        """Return nbgrader's metadata of the requested cells, each with its notebook."""
        for path in sorted(self.folder.glob("*.ipynb")):
            for cell in filter(wanted, nbformat.read(path, as_version=4).cells):
                yield path.stem, cell.metadata.nbgrader


def _has_points(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def _is_marked_by_hand(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("task") or (marks.get("grade") and marks.get("solution")))
