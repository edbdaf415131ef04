"""The graders against a part of the bank that covers every test; `syncpoint vet solutions` takes all of it."""

import os

import pytest
from bank_list import only_listed
from classroom import ROOT

from syncpoint.course.folder import Course
from syncpoint.judge.test_runner import collect
from syncpoint.vet.bank import Solution, read_bank, unbroken
from syncpoint.vet.checks import check, check_all
from syncpoint.vet.journal import Journal
from syncpoint.vet.trial import Trial
from syncpoint.vet.vet_bank import go_on

COURSE = Course(ROOT)
WHOLE = read_bank(None, COURSE)
BANK = only_listed(WHOLE, "ci")
JOURNAL = ROOT / "build" / "bank.jsonl"
CAREFUL = {"async_np/wait_difference/04_ok_warm_up", "multi_gpu/train_batch_gluon/09_ok_allreduce_and_update"}
EXERCISES = sorted({(solution.assignment, solution.exercise) for solution in WHOLE})

pytestmark = [pytest.mark.bank, pytest.mark.slow]


@pytest.fixture(scope="module")
def trials() -> dict[Solution, Trial]:
    """The verdict on every solution, several judged at a time; what has not changed since the last run is looked up."""
    JOURNAL.parent.mkdir(exist_ok=True)
    found = go_on(COURSE, BANK, repeat=1, jobs=os.cpu_count() or 1, journal=Journal(JOURNAL))
    return {trial.solution: trial for (trial, *_) in found}


@pytest.mark.parametrize("solution", BANK, ids=lambda solution: solution.name)
def test_the_verdict_is_as_the_bank_says(trials, solution):
    trial = trials[solution]
    assert not trial.complaint, "\n".join((*trial.details, f"{JOURNAL} keeps this verdict until something changes"))


@pytest.mark.parametrize(("assignment", "exercise"), EXERCISES)
def test_every_test_is_failed_by_a_wrong_solution(trials, assignment, exercise):
    tests = set(collect(COURSE.graders(assignment).module(f"test_{exercise}")))
    wrong = [t for s, t in trials.items() if (s.assignment, s.exercise, s.right) == (assignment, exercise, False)]
    failed = {name for trial in wrong for name in trial.failed}
    assert tests <= failed, f"nothing in {assignment}/bank/ci.txt fails {sorted(tests - failed)}"


@pytest.mark.parametrize(("assignment", "exercise"), EXERCISES)
def test_every_exercise_says_what_its_core_is(trials, assignment, exercise):
    found = [trial for s, trial in trials.items() if (s.assignment, s.exercise) == (assignment, exercise)]
    assert all(trial.core for trial in found)
    assert any(trial.misses_the_core for trial in found), f"nothing in {assignment}/bank/ci.txt misses the core"


LAST = {(s.assignment, s.exercise): s for s in WHOLE if s.right}  # a right solution of each exercise
FIRST = {assignment: (assignment, exercise) for assignment, exercise in reversed(EXERCISES)}


@pytest.mark.parametrize(
    "exercises",
    [
        pytest.param(FIRST.values(), id="one of each assignment"),
        pytest.param(EXERCISES, id="all", marks=pytest.mark.exhaustive),
    ],
)
def test_right_solutions_pass_the_visible_check(exercises):
    right = [LAST[exercise] for exercise in exercises] + [s for s in WHOLE if s.name in CAREFUL]
    assert len(right) == len(exercises) + len(CAREFUL)
    checked = check_all(COURSE, right, os.cpu_count() or 1)
    assert not {one.solution.name: one.complaint for one in checked if one.complaint}


def test_a_wrong_solution_fails_the_visible_check():
    (wrong,) = [s for s in WHOLE if s.name == "async/queue_work/20_bad_mean"]
    assert "AssertionError: the product is [[7, 10], [15, 22]] and its sum is 54" in check(ROOT, wrong).complaint


@pytest.mark.parametrize("assignment", COURSE.assignments())
def test_every_exercise_is_vetted(assignment):
    exercises = {(assignment, name.removeprefix("test_")) for name in COURSE.source(assignment).exercises()}
    assert exercises <= set(EXERCISES)


def wrong_on_the_simulated_gpu():
    on_it = {name for name in COURSE.assignments() if COURSE.settings_of(name).engine == "torch"}
    return [solution for solution in WHOLE if solution.assignment in on_it and not solution.right]


def test_every_wrong_solution_on_the_simulated_gpu_names_the_tests_that_find_it():
    wrong = wrong_on_the_simulated_gpu()
    assert len(wrong) > 500 and [solution.name for solution in wrong if not solution.kills] == []


def test_every_wrong_solution_names_the_promises_that_it_breaks():
    assert [solution.name for solution in WHOLE if not solution.right and not solution.breaks] == []


@pytest.mark.parametrize("assignment", COURSE.assignments())
def test_a_wrong_solution_breaks_each_promise_and_no_other(assignment):
    assert COURSE.graders(assignment).promises().keys() <= {s.exercise for s in WHOLE if s.assignment == assignment}
    assert unbroken([solution for solution in WHOLE if solution.assignment == assignment], COURSE) == []
