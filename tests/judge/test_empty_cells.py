"""Empty work gets no points: neither a cell as released, nor functions that only say pass."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from classroom import ROOT

from syncpoint.course.folder import Course
from syncpoint.judge.grade_notebook import grade_notebook
from syncpoint.judge.job import NotebookJob
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


NOTEBOOKS = sorted((ROOT / "release").glob("*/*.ipynb"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_notebook_as_it_is_handed_out_is_worth_nothing(path: Path):
    spec = COURSE.spec(path.parent.name)
    result = grade_notebook(spec, NotebookJob.of(path.stem, nbformat.read(path, 4), [], (), spec), ROOT)
    points = {exercise.name: exercise.points for exercise in result.notebook_result.exercises}
    assert points == {
        name: 0 for name, place in COURSE.source(path.parent.name).exercises().items() if place == path.stem
    }


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("assignment", "exercise", "source"), [pytest.param(*cell, id="-".join(cell[:2])) for cell in released_cells()]
)
def test_a_function_that_does_nothing_is_worth_nothing(assignment: str, exercise: str, source: str, tmp_path: Path):
    path = tmp_path / "11_bad_nothing.py"
    path.write_text(source.replace("raise NotImplementedError()", "pass"))
    (trial,) = try_solution(COURSE, Solution(path, assignment, exercise, right=False, kills=None))
    assert (trial.score, trial.broke) == (0, ()), [name for name, passed in trial.tests.items() if passed]
