"""What a run grades, and how: its options, and the feed that may supply its students."""

from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Protocol

from .display import SubmissionOutcome


class Feed(Protocol):
    """Supplies a run with students, one after another, until it ends."""

    def more(self, room: int) -> Sequence[str]:
        """Return the next students; called often.  ``room`` is how many more can be judged now."""

    def together(self, student: str, submitter: str, partners: Sequence[str]) -> Collection[str]:
        """Return partners who come separately, now that their shared work is graded for this student.

        ``submitter`` is the partner whose work the student has; "" for their own.
        """

    def ended(self, outcome: SubmissionOutcome) -> None:
        """Note that the run is done with a student's submission."""


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Which students a run grades, and how."""

    students: tuple[str, ...] = ()  # names or patterns; none for everybody
    # the local judges, such as :class:`.pool.JudgingThreads`; None for a cluster.
    executor: Executor | None = None
    workers: int = 1
    scheduler: str = ""  # the address of a cluster
    force: bool = False  # judge also what is in the store
    waits: bool = True  # whether to wait for submissions that another run is grading; otherwise that run keeps them
    feed: Feed | None = None  # replaces ``students``: the run then ends when no job is pending and the feed ends
