"""The graders of the course against a part of the bank that covers every test; `syncpoint vet` takes all of it."""

import os

import pytest
from classroom import ROOT

from syncpoint.judge.course import Course
from syncpoint.judge.examination import collect
from syncpoint.vet.bank import Solution, only_listed, read_bank
from syncpoint.vet.run import vet
from syncpoint.vet.trial import Trial

COURSE = Course(ROOT)
FOLDER = ROOT / "tests" / "bank"
BANK = only_listed(read_bank(FOLDER, COURSE), FOLDER / "ci.txt")
EXERCISES = sorted({(solution.assignment, solution.exercise) for solution in BANK})

pytestmark = [pytest.mark.engine, pytest.mark.sandbox, pytest.mark.slow]


@pytest.fixture(scope="module")
def trials() -> dict[Solution, Trial]:
    """The verdict on every solution, several judged at a time."""
    return {trial.solution: trial for (trial,) in vet(COURSE, BANK, jobs=os.cpu_count() or 1)}


@pytest.mark.parametrize("solution", BANK, ids=lambda solution: solution.name)
def test_the_verdict_is_as_the_bank_says(trials, solution):
    trial = trials[solution]
    assert not trial.complaint, "\n".join(trial.details)


@pytest.mark.parametrize(("assignment", "exercise"), EXERCISES)
def test_every_test_is_failed_by_a_wrong_solution(trials, assignment, exercise):
    tests = set(collect(COURSE.grader(assignment, f"test_{exercise}")))
    wrong = [t for s, t in trials.items() if (s.assignment, s.exercise, s.right) == (assignment, exercise, False)]
    failed = {name for trial in wrong for name in trial.failed}
    assert tests <= failed, f"nothing in {FOLDER / 'ci.txt'} fails {sorted(tests - failed)}"


@pytest.mark.parametrize("assignment", COURSE.assignments())
def test_every_exercise_is_vetted(assignment):
    exercises = {(assignment, name.removeprefix("test_")) for name in COURSE.exercises(assignment)}
    assert exercises <= set(EXERCISES)
