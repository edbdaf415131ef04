"""Scores: by weight, and one half for the core tests together where there are some."""

import random

import pytest
from results import result_of

from syncpoint.core.points import shares
from syncpoint.core.results import ExerciseResult


def _exercise(points, *tests):
    """tests: weight, whether it passed, and its marks, "core" or "value"; True is core."""
    made = [
        result_of(weight=w, passed=passed, core="core" in marks or True in marks, value="value" in marks)
        for w, passed, *marks in tests
    ]
    return ExerciseResult("test_x", points, tuple(made))


def _any_exercises(seed):
    dice = random.Random(seed)
    for _ in range(500):
        tests = [
            (dice.random() + 0.01, dice.random() < 0.7, dice.choice(["core", "value", "", ""]))
            for _ in range(dice.randrange(1, 12))
        ]
        yield _exercise(dice.randrange(1, 9), *tests)


@pytest.mark.parametrize(
    ("points", "tests", "score"),
    [
        (4, [(1, True), (1, True)], 4),
        (4, [(1, False), (1, False)], 0),
        (4, [(1, True), (3, False)], 1),
        (4, [(1, False), (3, True)], 3),
        (10, [(0.5, True), (2, False)], 2),
        (1, [(1, True), (1, False), (1, False)], 0.3333),
        (0, [(1, True)], 0),
        (4, [], 0),
        (4, [(0, True)], 0),
    ],
)
def test_points_are_the_share_of_the_weight_that_passed(points, tests, score):
    assert _exercise(points, *tests).points == score


@pytest.mark.parametrize(
    ("tests", "score"),
    [
        ([(1, True, True), (3, True)], 4),
        ([(1, True, True), (3, False)], 2.5),
        ([(1, False, True), (3, True)], 1.5),
        ([(1, False, True), (3, False)], 0),
        ([(1, False, True), (1, True, True), (2, True)], 1.5),
        ([(0, False, True), (1, True)], 2),
        ([(1, True, True), (1, False, True)], 1),
        ([(1, True, True)], 4),
    ],
)
def test_half_of_the_points_are_for_the_core_tests_together(tests, score):
    assert _exercise(4, *tests).points == score


def test_who_fails_a_core_test_has_at_most_half_and_who_fails_none_has_at_least_half():
    for exercise in _any_exercises(5):
        if exercise.core_passed is not None:
            assert (2 * exercise.points >= exercise.max_points) is exercise.core_passed


@pytest.mark.parametrize(
    ("tests", "score"),
    [
        ([(9, True, "core"), (1, False)], 3.6),  # by weight it were 3.8
        ([(9, True, "core"), (1, False), (1, False)], 3.6),
        ([(9, True, "core"), (1, False, "value")], 3),
        ([(9, True, "core"), (1, False, "value"), (1, False, "value"), (1, False)], 3),
        ([(9, True, "core"), (1, False), (1, True, "value")], 3.6),
        ([(9, True), (1, False, "value")], 3),
        ([(2, True, "core"), (3, False, "value")], 2.8),
        ([(9, True), (0, False)], 4),  # a test without weight costs nothing
    ],
)
def test_a_wrong_value_costs_a_quarter_at_least_and_any_other_failure_a_tenth(tests, score):
    assert _exercise(4, *tests).points == score


def test_no_failure_costs_less_than_it_must_and_full_points_need_all_tests():
    for exercise in _any_exercises(7):
        failed = [test for test in exercise.tests if not test.passed]
        most = 1 - max((0.25 if test.value else 0.1 for test in failed), default=0)
        assert 0 <= exercise.points <= exercise.max_points * most + 1e-4
        assert (exercise.points == exercise.max_points) is not bool(failed)


def test_the_shares_of_the_tests_add_up():
    for exercise in _any_exercises(6):
        worth, earned = map(sum, zip(*shares(exercise.tests), strict=True))
        assert (worth, round(exercise.max_points * earned, 4)) == (pytest.approx(1), exercise.points)
