"""One student's submission: the released notebooks, filled in."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from ..course.cells import grade_id
from ..course.folder import Course

MARKER = re.compile(r"^\s*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


@dataclass
class SampleSubmission:
    """One submission, not yet written."""

    notebooks: dict[str, NotebookNode]
    corrupted: dict[str, str] = field(default_factory=dict)  # texts to write instead of a notebook

    @classmethod
    def released(cls, course: Course, assignment: str) -> "SampleSubmission":
        paths = sorted((course.root / "release" / assignment).glob("*.ipynb"))
        return cls({path.stem: nbformat.read(path, as_version=4) for path in paths})

    def cell(self, identity: str) -> NotebookNode:
        return next(cell for cell in self.cells_around(identity) if grade_id(cell) == identity)

    def cells_around(self, identity: str) -> list[NotebookNode]:
        """Return all cells of the notebook with this grade id."""
        return self.notebooks[self.notebook_with(identity)].cells

    def notebook_with(self, identity: str) -> str:
        """Return the name of the notebook with this grade id."""
        return next(
            name for name, book in self.notebooks.items() if any(grade_id(cell) == identity for cell in book.cells)
        )

    def insert_before(self, identity: str, source: str) -> None:
        """Insert a student's own cell before the cell with this grade id."""
        cells = self.cells_around(identity)
        cells.insert(cells.index(self.cell(identity)), new_code_cell(source))

    def delete(self, identity: str) -> None:
        self.cells_around(identity).remove(self.cell(identity))

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for name, notebook in self.notebooks.items():
            (folder / f"{name}.ipynb").write_text(nbformat.writes(notebook))
        for name, text in self.corrupted.items():
            (folder / f"{name}.ipynb").write_text(text)


def reference_solutions(course: Course, assignment: str) -> dict[str, str]:
    """Return the instructor's solution cells by id, without the markers."""
    found: dict[str, str] = {}
    source, variant = course.source(assignment), course.graders(assignment).settings().variants.number()
    for path in sorted(source.folder.glob("*.ipynb")):
        for cell in source.notebook(path.stem, variant).cells:
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"):
                found[grade_id(cell)] = MARKER.sub("", cell.source)
    return found
