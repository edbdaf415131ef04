"""The course total, computed from all assignments; a range while something is unmarked.

Nothing here knows a gradebook: :func:`course_total` is a function of shares and rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Part:
    """A student's shares of the points of one assignment."""

    low: float  # what is certain
    high: float  # what is possible, as long as something is unmarked or not submitted
    excused: bool = False


@dataclass(frozen=True)
class TotalRules:
    """The rules that combine assignments into a total."""

    weights: Mapping[str, float] = field(default_factory=dict)  # only these count; empty: all, equally
    bonus: frozenset[str] = frozenset()  # assignments that add to the total, and whose absence costs nothing
    # groups of assignments in which only the best counts, with the weight of the first; only an excuse from all of a
    # group is an excuse
    once: tuple[tuple[str, ...], ...] = ()
    drop_lowest: int = 0  # how many assignments are dropped: those whose removal raises the total most
    excused: Literal["leave out", "zero"] = "leave out"


@dataclass(frozen=True)
class Total:
    """A student's total, as shares of all points; above 1 with a bonus."""

    low: float
    high: float
    parts: dict[str, Part]  # by assignment

    @property
    def known(self) -> bool:
        """Whether the total can no longer change."""
        return self.low == self.high


def course_total(parts: Mapping[str, Part], rules: TotalRules) -> Total | None:
    """Compute a student's total; None if nothing counts.

    More points never lower it, so the total of the lowest marks and that of the highest are its range.
    """
    weights = dict(rules.weights) or dict.fromkeys(parts, 1.0)
    counted = {name: parts[name] for name in weights if name in parts}
    units = list(_units(counted, weights, rules))
    main = [(weight, part) for name, weight, part in units if name not in rules.bonus]
    bonus = [(weight, part) for name, weight, part in units if name in rules.bonus]
    whole = sum(weight for weight, _ in main)
    if whole <= 0:
        return None

    def total(end: Literal["low", "high"]) -> float:
        more: float = sum(weight * getattr(part, end) for weight, part in bonus)
        best = _best_mean([(weight, getattr(part, end)) for weight, part in main], rules.drop_lowest)
        return round(best + more / whole, 6)

    return Total(total("low"), total("high"), counted)


def _units(
    parts: Mapping[str, Part], weights: Mapping[str, float], rules: TotalRules
) -> Iterable[tuple[str, float, Part]]:
    """Yield each unit that counts once (an assignment, or the best of several): its name, weight and part."""
    together = {name: names for names in rules.once for name in names}
    for name in parts:
        others = [other for other in together.get(name, (name,)) if other in parts]
        if others[0] != name:
            continue
        taken = [parts[other] for other in others if not parts[other].excused]
        if taken or rules.excused == "zero":
            low, high = (max((getattr(part, end) for part in taken), default=0.0) for end in ("low", "high"))
            yield name, weights[name], Part(low, high)


def _best_mean(shares: list[tuple[float, float]], drop: int) -> float:
    """Return the highest weighted mean after dropping this many shares; one is always left.

    With different weights, the lowest share is not always the one to drop.  The best mean is the number for which the
    largest sum of weight x (share - number) is 0, which is found from below (Dinkelbach, 1967).
    """
    keep, mean = max(1, len(shares) - drop), -1.0
    while True:
        chosen = sorted(shares, key=lambda one: one[0] * (one[1] - mean), reverse=True)[:keep]
        better = sum(weight * share for weight, share in chosen) / sum(weight for weight, _ in chosen)
        if better <= mean:
            return mean
        mean = better
