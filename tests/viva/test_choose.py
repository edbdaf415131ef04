"""Which questions are chosen: three of several kinds, others than the neighbor's, the same for the same seed."""

from dataclasses import replace
from itertools import pairwise

import pytest

from syncpoint.check.edits import Edit
from syncpoint.core.messages import words
from syncpoint.viva.changes import Change
from syncpoint.viva.choose import choose
from syncpoint.viva.measure import Question
from syncpoint.viva.own_questions import Choice

KINDS = ("breaks", "order", "nothing", "breaks", "memory", "order", "breaks", "nothing")


def question(number: int, kind: str) -> Question:
    change = Change(f"rule_{number % 4}", Edit("y", 1, 1), words("a change"), f"code {number}")
    return Question(f"exercise_{number % 3}", "x", change, kind, (kind,), (), None, None)


POOL = [question(number, kind) for number, kind in enumerate(KINDS)]
CLASS = {f"student_{number}": POOL for number in range(30)}


def alike(some):
    return {one.alike for one in some}


def test_everybody_gets_three_of_at_least_two_kinds_the_easiest_first():
    for some in choose(CLASS, "1", Choice()).values():
        assert len(some) == 3
        assert len({one.kind for one in some}) > 1
        places = [("breaks", "memory", "order", "nothing").index(one.kind) for one in some]
        assert places == sorted(places)


def test_neighbors_with_the_same_code_get_other_questions():
    sets = [alike(some) for some in choose(CLASS, "1", Choice()).values()]
    assert all(one != other for one, other in pairwise(sets))


def test_always_saying_that_it_breaks_is_right_at_most_in_60_percent():
    found = [one.kind == "breaks" for some in choose(CLASS, "1", Choice()).values() for one in some]
    assert 0.3 < sum(found) / len(found) <= 0.6


def test_the_same_seed_gives_the_same_questions_in_any_order_of_measuring():
    turned = {student: pool[::-1] for student, pool in CLASS.items()}
    first = choose(CLASS, "1", Choice())
    assert {s: alike(some) for s, some in choose(turned, "1", Choice()).items()} == {
        s: alike(some) for s, some in first.items()
    }
    assert {s: alike(some) for s, some in choose(CLASS, "2", Choice()).items()} != {
        s: alike(some) for s, some in first.items()
    }


def test_a_dropped_rule_is_never_asked_and_a_pinned_one_always():
    choice = Choice(pin=("exercise_1/rule_1",), drop=("*/rule_2",))
    for some in choose(CLASS, "1", choice).values():
        names = {one.name for one in some}
        assert "exercise_1/rule_1" in names
        assert not any(name.endswith("rule_2") for name in names)


def test_a_question_that_is_taken_away_leaves_the_others():
    some = choose({"a": POOL}, "1", Choice())["a"]
    unused = [one for one in POOL if one.alike not in alike(some)]
    kept = [one for one in POOL if one.alike != unused[0].alike]
    assert alike(choose({"a": kept}, "1", Choice())["a"]) == alike(some)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_with_fewer_questions_everybody_gets_what_there_is(count):
    found = choose({"a": POOL[:count], "b": POOL[:count]}, "1", Choice())
    assert [len(some) for some in found.values()] == [count, count]


def test_a_question_is_asked_once():
    twice = [*POOL[:2], replace(POOL[0], answer=("again",))]
    assert len(choose({"a": twice}, "1", Choice())["a"]) == 2


def test_of_questions_that_anybody_can_answer_one_is_asked_at_most_and_only_if_there_are_no_others():
    plain = [replace(question(number, "breaks"), plain=True) for number in range(4)]
    asked = choose({"a": [*plain, *POOL]}, "1", Choice())["a"]
    assert not any(one.plain for one in asked)
    asked = choose({"a": [*plain, question(5, "order"), question(6, "nothing")]}, "1", Choice())["a"]
    assert [one.plain for one in asked].count(True) == 1
