"""Chooses three questions for each student: of several kinds and exercises, unlike the neighbor's."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations

from .measure import Question
from .own_questions import Choice

COUNT = 3
HARDER = ("breaks", "memory", "order", "nothing")  # by difficulty of the prediction; the easiest kind first
TWO_BREAK = 0.4  # the share of students with two breaking changes in three questions; the others have one


def choose(
    pools: Mapping[str, Sequence[Question]], seed: str, choice: Choice, count: int = COUNT
) -> dict[str, list[Question]]:
    """Choose the questions of a class: ``count`` for each student, if there are that many, the easiest first.

    ``pools`` has the measured questions of each student, in the order of the roster; the same seed gives the same
    questions.
    """
    chosen: dict[str, list[Question]] = {}
    last: Collection[tuple[str, str]] = frozenset()
    for student, pool in pools.items():
        breaking = 2 if chance(seed, student) < TWO_BREAK else 1
        remaining = [question for question in _each_once(pool) if not choice.drops(question.name)]
        # Each question has its own random number: removing one does not change the order of the others.
        remaining.sort(key=partial(_place, seed, student))
        sets = combinations(remaining, min(count, len(remaining)))
        best = max(sets, key=partial(_worth, last, breaking, choice))
        chosen[student] = sorted(best, key=lambda question: HARDER.index(question.kind))
        last = {question.alike for question in best}
    return chosen


def _worth(
    last: Collection[tuple[str, str]], breaking: int, choice: Choice, some: Sequence[Question]
) -> tuple[bool, int, int, int, int, int, int, int]:
    """Rate a set of questions, the most important reason first."""
    alike = {question.alike for question in some}
    return (
        not alike or alike != last,
        sum(choice.pins(question.name) for question in some),
        -max(1, sum(question.plain for question in some)),
        -abs(sum(question.kind == "breaks" for question in some) - breaking),
        -sum(question.plain for question in some),
        len({question.exercise for question in some}),
        len({question.kind for question in some}) + len({question.change.rule for question in some}),
        -len(alike.intersection(last)),
    )


def _place(seed: str, student: str, question: Question) -> float:
    return chance(seed, student, *question.alike)


def chance(*parts: str) -> float:
    """Return a number from 0 to 1 that is always the same for the same words."""
    return random.Random("/".join(parts)).random()


def _each_once(pool: Iterable[Question]) -> list[Question]:
    return list({question.alike: question for question in pool}.values())
