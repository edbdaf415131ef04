"""The course total: a table of what each rule does, and laws that hold for any marks."""

import itertools
import random
from collections.abc import Mapping

import pytest

from syncpoint.core.course_total import Part, TotalRules, course_total

EXCUSED = Part(0.0, 0.0, excused=True)
OPEN = Part(0.0, 1.0)
UNEVEN = {"a": 10, "b": 1, "c": 10}


def has(share: float) -> Part:
    return Part(share, share)


@pytest.mark.parametrize(
    ("parts", "rules", "low", "high"),
    [
        ({"a": has(1), "b": has(0)}, TotalRules(), 0.5, 0.5),
        ({"a": has(1), "b": has(0)}, TotalRules({"a": 3, "b": 1}), 0.75, 0.75),
        ({"a": has(1), "b": has(0)}, TotalRules({"b": 1}), 0, 0),  # a has no weight
        ({"a": has(0.5), "b": OPEN}, TotalRules(), 0.25, 0.75),
        ({"a": has(0.5), "b": Part(0.25, 0.5)}, TotalRules(), 0.375, 0.5),
        ({"a": has(0.8), "b": has(0.2)}, TotalRules(drop_lowest=1), 0.8, 0.8),
        ({"a": has(0.8)}, TotalRules(drop_lowest=3), 0.8, 0.8),  # one always counts
        # The lowest share has the small weight: to drop the other one gives more.
        ({"a": has(0.25), "b": has(0.2), "c": has(1)}, TotalRules(UNEVEN, drop_lowest=1), 10.2 / 11, 10.2 / 11),
        ({"a": has(0.8), "b": EXCUSED}, TotalRules(), 0.8, 0.8),
        ({"a": has(0.8), "b": EXCUSED}, TotalRules(excused="zero"), 0.4, 0.4),
        ({"a": has(0.5), "b": has(1)}, TotalRules(bonus=frozenset("b")), 1.5, 1.5),
        ({"a": has(0.5), "b": has(1)}, TotalRules({"a": 4, "b": 1}, bonus=frozenset("b")), 0.75, 0.75),
        ({"a": has(0.5), "b": EXCUSED}, TotalRules(bonus=frozenset("b")), 0.5, 0.5),
        ({"a": has(0.5), "b": has(0.9), "c": has(0.1)}, TotalRules(once=(("a", "b"),)), 0.5, 0.5),
        ({"a": EXCUSED, "b": has(0.9), "c": has(0.1)}, TotalRules(once=(("a", "b"),)), 0.5, 0.5),
        ({"a": EXCUSED, "b": EXCUSED, "c": has(0.1)}, TotalRules(once=(("a", "b"),)), 0.1, 0.1),
        ({"a": has(0.5), "b": OPEN}, TotalRules(once=(("a", "b"),)), 0.5, 1),
    ],
)  # fmt: skip
def test_each_rule(parts: Mapping[str, Part], rules: TotalRules, low: float, high: float):
    total = course_total(parts, rules)
    assert total is not None
    assert (total.low, total.high) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("parts", [{}, {"a": EXCUSED}, {"a": EXCUSED, "b": EXCUSED}])
def test_where_nothing_counts_there_is_no_total(parts: Mapping[str, Part]):
    assert course_total(parts, TotalRules()) is None
    assert course_total({"a": has(1)}, TotalRules(bonus=frozenset("a"))) is None


def some_class(dice: random.Random) -> tuple[dict[str, Part], TotalRules]:
    names = "abcdef"[: dice.randint(1, 6)]
    parts = {}
    for name in names:
        low, high = sorted((dice.choice([0, 1, dice.random()]), dice.choice([0, 1, dice.random()])))
        parts[name] = dice.choice([Part(low, high), has(low), EXCUSED])
    weights = {name: dice.choice([0.5, 1, 10, 1000]) for name in names}
    once = (tuple(names[:2]),) if dice.random() < 0.3 else ()
    bonus = frozenset(names[-1]) if dice.random() < 0.3 else frozenset()
    excused = dice.choice(["leave out", "zero"])
    return parts, TotalRules(weights, bonus, once, dice.randint(0, 3), excused)


@pytest.mark.parametrize("seed", range(400))
def test_laws(seed: int):
    dice = random.Random(seed)
    parts, rules = some_class(dice)
    total = course_total(parts, rules)
    if total is None:
        return
    assert 0 <= total.low <= total.high <= 1 + sum(rules.weights.values()) / min(rules.weights.values())
    # Whatever an open mark becomes, the total is in the range.
    final = {name: part if part.excused else has(dice.uniform(part.low, part.high)) for name, part in parts.items()}
    after = course_total(final, rules)
    assert after is not None and after.known
    assert total.low - 1e-6 <= after.low <= total.high + 1e-6
    # More points never lower it.
    name = dice.choice(list(parts))
    if not parts[name].excused:
        more = course_total(final | {name: has(min(1.0, final[name].low + dice.random()))}, rules)
        assert more is not None and more.low >= after.low - 1e-6
    # All points are all points.
    full = {name: part if part.excused else has(1.0) for name, part in parts.items()}
    if not rules.bonus and (rules.excused == "leave out" or EXCUSED not in parts.values()):
        whole = course_total(full, rules)
        assert whole is not None and whole.low == 1


@pytest.mark.parametrize("seed", range(100))
def test_what_is_dropped_is_the_best_choice_of_all(seed: int):
    dice = random.Random(seed)
    weights = {name: dice.choice([1, 2, 7, 100]) for name in "abcde"}
    shares = {name: dice.random() for name in weights}
    drop = dice.randint(0, 4)
    total = course_total({name: has(share) for name, share in shares.items()}, TotalRules(weights, drop_lowest=drop))
    choices = itertools.combinations(weights, len(weights) - drop)
    best = max(sum(weights[n] * shares[n] for n in kept) / sum(weights[n] for n in kept) for kept in choices)
    assert total is not None and total.low == pytest.approx(best, abs=1e-6)
