"""How many of an exercise's points each of its tests is worth, and how many a failed test costs."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol


class Tested(Protocol):
    """The values of a test that an exercise's score needs."""

    @property
    def weight(self) -> float: ...
    @property
    def passed(self) -> bool: ...
    @property
    def core(self) -> bool: ...
    @property
    def value(self) -> bool: ...


class Share(NamedTuple):
    """A test's share of its exercise and the share that was earned, both from 0 to 1."""

    worth: float
    earned: float


# A failed test costs at least this share of the points, however many tests there are.
LEAST, LEAST_FOR_VALUE = 0.1, 0.25


def shares(tests: Iterable[Tested]) -> Iterator[Share]:
    """Yield the share of each test of an exercise.

    Without core tests, all tests share all points by weight.  With core tests, all tests share one half of the points,
    and the other half is earned only if all core tests pass.  So a failed core test leaves less than half of the
    points; otherwise at least half remain.

    A wrong value costs at least a quarter of the points, and any other failure at least a tenth.  If the failed tests
    are worth less than that, the difference is taken from the tests that passed.  Several failures share one such
    minimum, so that one mistake does not count twice.
    """
    tests = list(tests)
    total = sum(test.weight for test in tests)
    core = [test for test in tests if test.core]
    half, holds = (0.5, all(test.passed for test in core)) if core else (0.0, False)
    found = []
    for test in tests:
        by_weight = (1 - half) * test.weight / total if total else 0.0
        core_share = half / len(core) if test.core and total else 0.0
        found.append(Share(by_weight + core_share, by_weight * bool(test.passed) + core_share * holds))
    failed = [test for test, share in zip(tests, found, strict=True) if share.worth and not test.passed]
    least = max((LEAST_FOR_VALUE if test.value else LEAST for test in failed), default=0.0)
    earned = sum(share.earned for share in found)
    left = min(1.0, (1 - least) / earned) if earned else 1.0
    yield from (Share(share.worth, share.earned * left) for share in found)
