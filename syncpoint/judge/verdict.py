"""Verdicts: what the tests of one exercise found, what it scores, and where it is kept for instructors."""

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """One test.

    title: the first line of its docstring.  message: what the student reads beside the hint.
    detail: the assertion with its values, for instructors only.
    """

    name: str
    title: str
    hint: str
    weight: float
    passed: bool
    message: str
    detail: str
    seconds: float


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


def write_verdicts(path: Path, verdicts: list[Verdict], cost: Cost | None, faults: list[str]) -> None:
    """Keep the verdicts of one notebook as JSON, whole or not at all."""
    data = {
        "verdicts": [{**asdict(verdict), "points": verdict.points} for verdict in verdicts],
        "cost": {**asdict(cost), "judge": cost.judge} if cost else None,
        "faults": faults,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w") as file:
        json.dump(data, file, indent=1)
    os.replace(name, path)
