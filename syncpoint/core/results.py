"""The results of an exercise's tests, its score, and everything else known about its notebook.

Define a new field here, once, and fill it where its value is known: in judge/test_runner.py for a test, in
judge/grade_notebook.py otherwise.  It is then stored with the result and sent between machines.  The gradebook stores
it in a column of the same name in records/tables.py, which needs a migration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Literal, get_args

from .explanations_of_tests import NO_EXPLANATION, Explanation
from .messages import Message
from .points import shares
from .timeline_data import Timeline


class Status(StrEnum):
    """How a test ended.

    FAILED: the student's code ran, and did something else than it should.  ERROR: the test itself went wrong.
    NOT_RUN: there was nothing to test, or it could not be tested; this says nothing about what the student believes.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class TestResult:
    """One test."""

    __test__: ClassVar[bool] = False  # not a test class of pytest

    name: str  # the function's name with its parameters: "test_x[2]"
    status: Status
    weight: float = 1.0  # how much it counts among the tests of its exercise
    core: bool = False  # whether it tests what its exercise is named after; see :func:`shares`
    value: bool = False  # whether it tests a value that the exercise computes; see :func:`shares`
    seconds: float = 0.0  # wall-clock time
    message: Message | None = None  # the student's message next to the hint; None if there is none
    detail: str = ""  # the assertion with its values, as pytest reported it; only for instructors
    timeline: Timeline | None = None  # the picture for the student, or None
    # the grader's own words about the test; None until they are looked up, see :meth:`ExerciseResult.with_words`.
    words: Explanation | None = None

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def title(self) -> str:
        """The first line of its docstring, or its name."""
        return (self.words or NO_EXPLANATION).title or self.name.removeprefix("test_").replace("_", " ")

    @property
    def hint(self) -> str:
        """The grader's hint; "" if the code did not run."""
        return (self.words or NO_EXPLANATION).hint if self._ran else ""

    @property
    def misconception(self) -> str:
        """The page on the misconception behind this failure; "" if there is none, or if nothing ran."""
        return (self.words or NO_EXPLANATION).misconception if self._ran else ""

    @property
    def _ran(self) -> bool:
        return self.status in (Status.PASSED, Status.FAILED)


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise."""

    name: str  # the id of its grade cell
    max_points: float  # its points; in a stored result, its points when it was judged
    tests: tuple[TestResult, ...]  # in the grader module's order; empty if nothing could be tested
    notes: tuple[Message, ...] = ()  # what stopped or disturbed the notebook, for the student

    def with_words(self, words: Mapping[str, Explanation]) -> "ExerciseResult":
        """The same exercise, with the words of each test by the name of its function."""
        found = (replace(test, words=test.words or words.get(function_of(test.name))) for test in self.tests)
        return replace(self, tests=tuple(found))

    @property
    def points(self) -> float:
        """max_points times the share that its tests earned, see :func:`shares`; 0 if nothing could be tested."""
        return round(self.max_points * sum(share.earned for share in shares(self.tests)), 4)

    @property
    def limited(self) -> bool:
        """Whether the limit for failed tests lowered the points; see :func:`shares`."""
        # If a core test failed, less than half of the points is left, which is below every limit.
        pairs = zip(self.tests, shares(self.tests), strict=True)
        return self.core_passed is not False and any(
            test.passed and share.earned < share.worth * (1 - 1e-9) for test, share in pairs
        )

    @property
    def core_passed(self) -> bool | None:
        """Whether all core tests passed; None if none is marked as core."""
        core = [test.passed for test in self.tests if test.core]
        return all(core) if core else None


@dataclass(frozen=True)
class Cost:
    """Where the time of one notebook went, and its memory."""

    kernel_start: float  # seconds until the kernel answered
    kernel_busy: float  # seconds in which student code ran
    kernel_stop: float  # seconds until all its processes had ended
    total: float  # seconds in all
    peak_mib: float  # the most memory that its sandbox took, in MiB

    @property
    def judge(self) -> float:
        """The judge's own share: pytest, transport, scoring."""
        return self.total - self.kernel_start - self.kernel_busy - self.kernel_stop


# What ends student code: the end of its kernel ("killed" by others, "crashed" by another signal, "engine": the device's
# process ended), a time limit, another limit.
Crash = Literal["crashed", "died", "engine", "killed"]
Timeout = Literal["timeout", "hang"]
Limit = Literal["output", "messages", "memory", "processes", "disk", "cpu"]
FaultKind = Literal[Crash, Timeout, Limit]
CRASHES, TIMEOUTS, LIMITS = (frozenset[str](get_args(kinds)) for kinds in (Crash, Timeout, Limit))


@dataclass(frozen=True)
class Note:
    """A note for the student about what the intake changed or found in a notebook."""

    message: Message
    exercise: str = ""  # the only grade cell whose report shows it; "" for all

    def __str__(self) -> str:
        return str(self.message)


@dataclass(frozen=True)
class Incident:
    """Something that interrupted or disturbed a notebook."""

    # a :data:`FaultKind`, "raised", "not run", "cut off" (from the device), "repaired" (a cell was missing or copied),
    # "refused" (the file cannot be read), "unguarded" (the operator switched the sandbox off)
    kind: str
    message: Message  # what the student reads
    cell: int | None = None  # the place of the cell that it stopped, whose output shows it as well; or None


@dataclass(frozen=True)
class SuspiciousAct:
    """A suspicious act that was detected.  A person decides what it means: it never changes a score."""

    kind: str  # the name of the act, as the probe or the judge reports it
    message: Message  # what a TA reads


@dataclass(frozen=True)
class Versions:
    """The versions that judged a notebook."""

    engine: str  # the engine's name and version
    graders: str  # a digest of the tests and scenarios


@dataclass(frozen=True)
class NotebookResult:
    """Everything the judge found out about one notebook of one submission."""

    versions: Versions
    exercises: tuple[ExerciseResult, ...]  # in the order of their cells
    incidents: tuple[Incident, ...] = ()  # what stopped or disturbed it, in the order in which it was seen
    acts: tuple[SuspiciousAct, ...] = ()  # suspicious acts, for a person to look at
    cost: Cost | None = None  # what running it took; None if it was not run


def exercise_name(cell: str) -> str:
    """Return the exercise's name for people: the grade cell "test_loops" is the exercise "loops"."""
    return cell.removeprefix("test_")


def function_of(test: str) -> str:
    """Return the function of a test, which may have parameters: "test_x[2]" is of "test_x"."""
    return test.split("[", 1)[0]
