"""Feeds a grading run from the queue, in order, while the next work belongs to the same assignment."""

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence

from nbgrader.api import Gradebook

from ..grading.display import SubmissionOutcome
from ..records.database import one_transaction
from ..records.queue import JUDGING, WRITTEN, judge_again, replace_older
from ..records.tables import QueueEntry
from .progress import Pace, Progress
from .release_pages import Releaser

MAX_RUN_SECONDS = 300.0  # seconds: then a run accepts no more work, and the next run reads graders and settings again
PROVISIONAL = 3  # how often a score with a fault on our side is computed before it is released anyway


class QueueFeed:
    """Supplies a run with the next submissions of the queue, and records their results.

    At most ``most`` are judged at a time (None: as many as the run can judge).  ``provisional`` counts how often each
    entry got a provisional score because of a problem on our side.  ``look`` is called often: it returns the
    submissions that may be graded now, in order, or None for no news.  ``begun`` gets the submissions that are being
    judged.
    """

    def __init__(
        self,
        gradebook: Gradebook,
        progress: Progress,
        releaser: Releaser,
        most: int | None,
        provisional: Counter[int],
        pace: Pace,
        look: Callable[[], list[QueueEntry] | None],
        begun: Callable[[list[QueueEntry]], None],
        clock: Callable[[], float] = time.monotonic,
    ):
        self._gradebook, self._progress, self._releaser = gradebook, progress, releaser
        self._most, self._provisional, self._pace, self._look, self._begun = most, provisional, pace, look, begun
        self._clock, self._ends = clock, clock() + MAX_RUN_SECONDS
        self._next: deque[QueueEntry] = deque()
        self._room = 1  # the run's largest capacity so far
        self.assignment = ""
        self.out: dict[str, QueueEntry] = {}  # by student
        self._submitters: dict[str, str] = {}  # submitters of partners' work that is being graded
        self._again: set[str] = set()  # students being graded for whom newer work of a partner has arrived
        self._given = set[int]()  # ids of entries already given: a run tries nothing twice

    def refill(self, ready: Sequence[QueueEntry]) -> bool:
        """Take the next submissions; the others wait for the next run. Returns whether there are any.

        A few of another assignment are overtaken, so that two that are due together do not end each other's runs.
        """
        judged = [one for one in ready if one.state != WRITTEN and one.id not in self._given]
        self._releaser.begin(self._gradebook, [one for one in ready if one.state == WRITTEN])
        self.assignment = self.assignment or (judged[0].assignment if judged else "")
        other = next((number for number, one in enumerate(judged) if one.assignment != self.assignment), len(judged))
        mine = [one for one in judged[: other + self._room] if one.assignment == self.assignment]
        self._next = deque(mine)
        return bool(mine)

    @property
    def stopped(self) -> bool:
        """Whether a run stopped before its end."""
        return bool(self.out or not self._given)

    @property
    def left(self) -> list[QueueEntry]:
        """The work left by a run that stopped: submissions in progress, or all of them if it had not begun."""
        return list(self.out.values()) if self._given else list(self._next)

    def more(self, room: int) -> Sequence[str]:
        if self._clock() > self._ends:
            return ()
        ready = self._look()
        if ready is not None:
            self.refill(ready)
        if self._most is not None:
            room = min(room, self._most - len(self.out))
        self._room = max(self._room, room + len(self.out))
        batch: list[QueueEntry] = []
        while self._next and len(batch) < room:
            batch.append(self._next.popleft())
        if batch:
            self.out |= {one.student: one for one in batch}
            self._given |= {one.id for one in batch}
            self._progress.advance(self._gradebook, batch, JUDGING)
            self._begun(batch)
        return [one.student for one in batch]

    @property
    def busy(self) -> set[str]:
        """The students whose work is being graded."""
        return {*self.out, *self._submitters.values()}

    def together(self, student: str, submitter: str, partners: Sequence[str]) -> Collection[str]:
        """Let partners in the queue be graded again, so that they get the new page."""
        if submitter:
            self._submitters[student] = submitter
        if not partners:
            return ()
        self._again |= {*partners} & self.out.keys()
        place = self.out[student].place
        with one_transaction(self._gradebook) as session:
            return judge_again(session, partners, self.assignment, place)

    def ended(self, outcome: SubmissionOutcome) -> None:
        """Handle a finished submission: make its pages, or retry it later."""
        one = self.out.pop(outcome.student)
        self._submitters.pop(outcome.student, None)
        if outcome.outcome == "not graded" or not self._releaser.is_graded(one):
            self._progress.postpone([one.id])
            self._ends = -math.inf  # the next run reads graders and settings again
            return
        self._pace.graded(self._clock(), bool(self._next))
        if outcome.student in self._again:  # the next run grades it
            self._again.remove(outcome.student)
            return
        if outcome.outcome == "provisional":
            self._provisional[one.id] += 1
            if self._provisional[one.id] < PROVISIONAL:
                self._progress.postpone([one.id])
                return
        self._progress.advance(self._gradebook, [one], WRITTEN)
        with one_transaction(self._gradebook) as session:
            replace_older(session, one)
        self._releaser.begin(self._gradebook, [one])
