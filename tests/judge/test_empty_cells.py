"""Whoever writes nothing gets nothing: neither for a cell as it is released, nor for functions that only say pass."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from classroom import ROOT

from syncpoint.course.folder import Course
from syncpoint.vet.bank import Solution
from syncpoint.vet.trial import try_solution

COURSE = Course(ROOT)


def released_cells() -> Iterator[tuple[str, str, str]]:
    """Assignment, exercise and source of every cell that a student fills in with code."""
    for path in sorted((ROOT / "release").glob("*/*.ipynb")):
        for cell in nbformat.read(path, 4).cells:
            about = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "code" and about.get("solution") and not about["grade"]:
                yield path.parent.name, about["grade_id"], cell.source


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("assignment", "exercise", "source"), [*released_cells()], ids=lambda text: text if "\n" not in text else ""
)
def test_nothing_is_worth_nothing(assignment: str, exercise: str, source: str, tmp_path: Path):
    for does in ("raise NotImplementedError()", "pass"):
        path = tmp_path / "11_bad_nothing.py"
        path.write_text(source.replace("raise NotImplementedError()", does))
        (trial,) = try_solution(COURSE, Solution(path, assignment, exercise, right=False, kills=None))
        assert (trial.score, trial.broke) == (0, ()), [name for name, passed in trial.tests.items() if passed]
