"""Verdicts: what the tests of one exercise found, what it scores, and whatever else is known of its notebook."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from .observation import NO_LOG, Log


@dataclass(frozen=True)
class Outcome:
    """One test.

    title: the first line of its docstring.  message: what the student reads beside the hint.  core: whether it tests
    what its exercise is named after; see :func:`shares`.
    detail: the assertion with its values, for instructors only.  misconception: the name of the page that explains
    what whoever fails this test often believes; "" if there is none.  log: to be drawn for the student; it is not kept.
    """

    name: str
    title: str
    hint: str
    weight: float
    passed: bool
    message: str
    detail: str
    seconds: float
    misconception: str = ""
    log: Log = NO_LOG
    core: bool = False


class Tested(Protocol):
    """What the score of an exercise needs of a test."""

    @property
    def weight(self) -> float: ...  # noqa: D102
    @property
    def passed(self) -> bool: ...  # noqa: D102
    @property
    def core(self) -> bool: ...  # noqa: D102


class Share(NamedTuple):
    """What a test is worth of its exercise, and what it brought; both from 0 to 1."""

    worth: float
    earned: float


def shares(tests: Iterable[Tested]) -> Iterator[Share]:
    """The share of each test of an exercise: by weight, if none is marked as core.

    Else by weight is one half, and the other half is the core tests': for all of them together, or not at all.  So who
    fails one of them has less than half of the points, and who fails none has half of them at least.
    """
    tests = list(tests)
    total = sum(test.weight for test in tests)
    core = [test for test in tests if test.core]
    half, holds = (0.5, all(test.passed for test in core)) if core else (0.0, False)
    for test in tests:
        by_weight = (1 - half) * test.weight / total if total else 0.0
        lesson = half / len(core) if test.core and total else 0.0
        yield Share(by_weight + lesson, by_weight * bool(test.passed) + lesson * holds)


@dataclass(frozen=True)
class Verdict:
    """One exercise.  notes: sentences for the student about what stopped or disturbed their notebook."""

    exercise: str
    max_points: float
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """max_points x what its tests earned, see :func:`shares`; 0 if nothing could be tested."""
        return round(self.max_points * sum(share.earned for share in shares(self.outcomes)), 4)

    @property
    def core_passed(self) -> bool | None:
        """Whether all tests of what the exercise is named after passed; None if none is marked so."""
        core = [outcome.passed for outcome in self.outcomes if outcome.core]
        return all(core) if core else None


@dataclass(frozen=True)
class Cost:
    """Where the seconds of one notebook went, and the most memory its world took (MiB)."""

    kernel_start: float
    kernel_busy: float
    kernel_stop: float
    total: float
    peak_mib: float

    @property
    def judge(self) -> float:
        """The judge's own share: pytest, transport, scoring."""
        return self.total - self.kernel_start - self.kernel_busy - self.kernel_stop


# The kinds of incidents that end student code: its kernel's death, its time, what else it may take.
CRASHES = frozenset({"died", "killed"})
TIMEOUTS = frozenset({"timeout", "hang"})
LIMITS = frozenset({"output", "memory", "processes", "cpu"})


@dataclass(frozen=True)
class Incident:
    """What stopped or disturbed a notebook, in a sentence for the student.

    kind: one of CRASHES, TIMEOUTS or LIMITS (see :class:`syncpoint.judge.kernel.Fault`), "raised", "not run", "mended"
    (a cell was missing or copied), "refused" (the file cannot be read), "unguarded" (the operator switched the sandbox
    off).
    """

    kind: str
    sentence: str


@dataclass(frozen=True)
class Flag:
    """A suspicious act that was seen.  A person decides what it means: it never changes a score."""

    kind: str
    sentence: str


@dataclass(frozen=True)
class Versions:
    """What judged a notebook.  engine: its name and version.  graders: a digest of the tests and scenarios."""

    engine: str
    graders: str


@dataclass(frozen=True)
class Judgement:
    """Everything the judge found out about one notebook of one submission.  cost: None if it was not run."""

    versions: Versions
    verdicts: tuple[Verdict, ...]
    incidents: tuple[Incident, ...] = ()
    flags: tuple[Flag, ...] = ()
    cost: Cost | None = None
