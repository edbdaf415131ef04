"""Scores: points x weight passed / weight total."""

import random

import pytest

from syncpoint.judge.verdict import Outcome, Verdict


def _verdict(points, *outcomes):
    made = tuple(Outcome(f"test_{n}", "", "", w, passed, "", "", 0.0) for n, (w, passed) in enumerate(outcomes))
    return Verdict("test_x", points, made)


@pytest.mark.parametrize(
    ("points", "outcomes", "score"),
    [
        (4, [(1, True), (1, True)], 4),
        (4, [(1, False), (1, False)], 0),
        (4, [(1, True), (3, False)], 1),
        (4, [(1, False), (3, True)], 3),
        (10, [(0.5, True), (2, False)], 2),
        (1, [(1, True), (1, False), (1, False)], 0.3333),
        (0, [(1, True)], 0),
    ],
)
def test_points_are_the_share_of_the_weight_that_passed(points, outcomes, score):
    assert _verdict(points, *outcomes).points == score


def test_nothing_tested_scores_nothing():
    assert _verdict(4).points == 0


def test_tests_without_weight_score_nothing():
    assert _verdict(4, (0, True)).points == 0


def test_everything_passed_is_the_maximum_whatever_the_weights():
    dice = random.Random(3)
    lists = [[(dice.random() + 0.01, True) for _ in range(dice.randrange(1, 12))] for _ in range(500)]
    assert {_verdict(3, *outcomes).points for outcomes in lists} == {3}


def test_points_never_leave_their_range():
    dice = random.Random(4)
    lists = [[(dice.random(), dice.random() < 0.5) for _ in range(dice.randrange(12))] for _ in range(500)]
    assert all(0 <= _verdict(3, *outcomes).points <= 3 for outcomes in lists)
