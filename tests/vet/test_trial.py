"""Which cells stand around a solution of the bank while it is vetted, and what its repeats share."""

from pathlib import Path

import nbformat
import pytest
from classroom import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from syncpoint.course.folder import Course
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.vet.bank import Solution
from syncpoint.vet.trial import Trial, notebook_for, try_solution


def cell(identity, source="", **flags):
    nbgrader = {"grade_id": identity, "grade": False, "solution": False, "locked": True, "schema_version": 3, **flags}
    return new_code_cell(source, metadata={"nbgrader": nbgrader})


@pytest.fixture
def reference():
    return new_notebook(
        cells=[
            cell("imports", "import given"),
            new_markdown_cell("text"),
            new_code_cell("demonstration()"),
            cell("first", "first()", solution=True, locked=False),
            cell("check_first", "check()"),
            cell("test_first", grade=True, points=1),
            cell("second", "reference()", solution=True, locked=False),
            cell("test_second", grade=True, points=2),
            cell("later", "later()", solution=True, locked=False),
        ]
    )


def names(notebook):
    return [c.metadata.nbgrader.grade_id for c in notebook.cells]


def test_given_code_and_other_solutions_stay_and_the_rest_stays_away(reference):
    notebook, place = notebook_for(reference, "second", "solution()")
    assert (names(notebook), place) == (["imports", "first", "second", "test_second"], 3)


def test_the_solution_takes_the_place_of_the_reference(reference):
    notebook, _ = notebook_for(reference, "second", "solution()")
    assert [c.source for c in notebook.cells][:3] == ["import given", "first()", "solution()"]


def test_the_first_exercise_needs_nothing_that_comes_later(reference):
    notebook, place = notebook_for(reference, "first", "solution()")
    assert (names(notebook), place) == (["imports", "first", "test_first"], 2)


def test_the_notebook_can_be_written(reference):
    nbformat.validate(notebook_for(reference, "second", "")[0])


GROWS = """
import numpy as kept_as
kept = []
def queue_work(x):
    kept.append(kept_as.ones(24 * 2**20))
    return nd.dot(x, x).sum()
"""


@pytest.mark.exhaustive
def test_repeats_do_not_use_up_the_memory_of_one_notebook(tmp_path: Path):
    path = tmp_path / "01_ok_grows.py"
    path.write_text(GROWS)
    trials = try_solution(Course(ROOT), Solution(path, "async", "queue_work", right=True, kills=None), repeat=12)
    assert [(trial.complaint, trial.details) for trial in trials] == [("", ())] * 12


@pytest.mark.sample(1)
@pytest.mark.parametrize(("times", "complaint"), [(1, ""), (2, "is right and lost points")])
def test_a_trial_that_others_may_have_spoilt_is_made_once_more_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, complaint: str
):
    """The system kills a kernel, as it does where memory is short; of the second trial counts what comes of it."""
    struck: list[int] = []
    usual = NotebookRun.advance_to

    def strike(run: NotebookRun, place: int) -> None:
        usual(run, place)
        if len(struck) < times:
            struck.append(run.kernel._process.pid)
            run.kernel._process.kill()

    monkeypatch.setattr(NotebookRun, "advance_to", strike)
    path = tmp_path / "01_ok_book.py"
    path.write_text("def queue_work(x):\n    return nd.dot(x, x).sum()\n")
    made: list[Trial] = []
    trials = try_solution(Course(ROOT), Solution(path, "async", "queue_work", right=True, kills=None), keep=made.append)
    assert len(struck) == times
    assert [trial.complaint for trial in trials] == [complaint]
    assert made == trials
