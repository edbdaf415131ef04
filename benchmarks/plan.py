"""The plan of a bench: which assignments, how many submissions, how many workers, how many rounds."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from syncpoint.course.folder import CourseError

from .trivial import TRIVIAL


@dataclass(frozen=True)
class Plan:
    """What is measured of one assignment.

    sizes: how many submissions, and in how many rounds.  workers: how many, one run each.  stock, otter: submissions
    that stock nbgrader and Otter grade in each round; their rate does not depend on the number.  Where one of ours is
    graded alone, stock nbgrader grades one alone, too.  again: whether a class
    is graded once more, changed and unchanged.
    """

    assignment: str
    sizes: dict[int, int]
    workers: tuple[int, ...]
    stock: int
    otter: int = 0
    again: bool = True

    @property
    def rounds(self) -> int:
        """The rounds of the size that has most."""
        return max(self.sizes.values())


# How many times stock nbgrader's rate is wanted, and the assignments that the goals name.
RATES = {
    TRIVIAL: 15.0,
    "async": 3.0,
    "torch_async": 3.0,
    "torch_streams": 3.0,
    "torch_parallel": 1.5,
    "torch_memory": 1.5,
}
COMPARED = ("async", "multi_gpu")
TORCH = tuple(name for name in RATES if name.startswith("torch_"))


def full(assignments: Sequence[str]) -> list[Plan]:
    """Three paired rounds of what the goals name, and the budget of every other assignment."""
    workers = (1, 2) if _cores() > 1 else (1,)
    compared = [name for name in COMPARED if name in assignments]
    torch = [name for name in TORCH if name in assignments]
    return [
        Plan(TRIVIAL, {1: 3, 20: 3, 100: 3, 1000: 3}, workers, stock=10, otter=3),
        *(Plan(name, {20: 3, 100: 3 if name == "async" else 1}, workers, stock=10) for name in compared),
        *(Plan(name, {12: 3}, workers[-1:], stock=4, again=False) for name in torch),
        *(Plan(name, {3: 1}, (1,), stock=3) for name in assignments if name not in (*compared, *torch, TRIVIAL)),
    ]


def quick(assignments: Sequence[str]) -> list[Plan]:
    """One short round of what the goals name, in less than five minutes."""
    workers = (min(2, _cores()),)
    small = {"async": Plan("async", {6: 1}, workers, stock=3), "multi_gpu": Plan("multi_gpu", {4: 1}, workers, stock=2)}
    return [
        Plan(TRIVIAL, {20: 1, 60: 1}, workers, stock=4, otter=2),
        *(plan for name, plan in small.items() if name in assignments),
    ]


def only(plans: Sequence[Plan], named: Sequence[str] | None) -> list[Plan]:
    """What was named on the command line, and all where nothing was.

    Raises:
        CourseError: If nothing of it is planned.
    """
    found = [each for each in plans if named is None or each.assignment in named]
    if not found:
        raise CourseError(f"the short round has no {', '.join(named or ())}: leave --quick out.")
    return found


def shortened(plans: Sequence[Plan], rounds: int, most: int) -> list[Plan]:
    """The same in fewer rounds, and without classes of more than ``most`` submissions but the trivial ones."""
    return [
        replace(
            plan,
            sizes={
                size: min(planned, rounds)
                for size, planned in plan.sizes.items()
                if plan.assignment == TRIVIAL or size <= max(most, min(plan.sizes))
            },
        )
        for plan in plans
    ]


def _cores() -> int:
    return len(os.sched_getaffinity(0))
