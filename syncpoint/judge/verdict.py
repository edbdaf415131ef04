"""Verdicts: what the tests of one exercise found, what it scores, and whatever else is known of its notebook."""

from dataclasses import dataclass

from .observation import NO_LOG, Log


@dataclass(frozen=True)
class Outcome:
    """One test.

    title: the first line of its docstring.  message: what the student reads beside the hint.
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


@dataclass(frozen=True)
class Verdict:
    """One exercise.  notes: sentences for the student about what stopped or disturbed their notebook."""

    exercise: str
    max_points: float
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """max_points x weight passed / weight total; 0 if nothing could be tested."""
        total = sum(outcome.weight for outcome in self.outcomes)
        passed = sum(outcome.weight for outcome in self.outcomes if outcome.passed)
        return round(self.max_points * passed / total, 4) if total else 0.0


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
