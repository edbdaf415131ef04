"""``syncpoint watch``: collects submissions from nbgrader's exchange, grades them, and releases the feedback."""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI

from ..core.locked_folder import only_one
from ..course.errors import CourseError
from ..course.folder import Course
from ..exchange.questions import collect_questions
from ..exchange.viva import collect_predictions, predictions_wait
from ..grading.display import Display
from ..grading.options import RunOptions
from ..grading.pool import JudgingThreads, NoCluster
from ..grading.run import run
from ..nbgrader_hooks.exchange_collect import sweep
from ..records.database import one_transaction
from ..records.gradebook import open_gradebook
from ..records.queue import JUDGING, QUEUED, WRITTEN
from ..records.tables import QueueEntry
from .assignments import Assignments
from .feed import QueueFeed
from .inbox import Inbox
from .notes import Notes
from .pages import PageMakers
from .progress import Pace, Progress
from .release_pages import Releaser
from .statuses import Statuses
from .warm_up import WarmUp

IDLE_SECONDS = 7 * 24 * 3600.0  # how long idle judging processes wait for a job
LOOK_SECONDS, UPDATE_SECONDS = 0.5, 5.0  # between checks of the exchange during a run, and between updates of places
SHARE = 9.0  # a run goes on this many times as long as a check took before the next check
AGAIN_SECONDS = 30.0  # how often due dates and new attempts are checked in the gradebook
TAKEN = "another `syncpoint watch` is running for this course: two would take submissions from each other."


@contextlib.contextmanager
def alone(course: Course) -> Iterator[None]:
    """Make this the only process that watches the course during the block, or raise CourseError."""
    with only_one(course.state / "watch.lock", CourseError(TAKEN)):
        sweep(course.root)
        yield


@dataclass
class Watch:
    """Grades all submissions without feedback in the order of the queue.

    The state is in the gradebook, in the course folder and in the exchange: killed at any moment and started again, it
    does what is missing, and nothing twice.  Close it at the end.
    """

    course: Course
    # local judging processes, which outlive a run with their loaded engines; None for a cluster
    judges: JudgingThreads | None
    display: Callable[[str], Display]  # makes the display for grading an assignment
    note: Callable[[str], None]  # called with each sentence about a failure
    # called with each step of a submission, its student and its assignment
    reached: Callable[[str, str, str], None] = lambda step, student, assignment: None
    released: Callable[[str, str], None] = lambda assignment, student: None  # called with each release of pages
    scheduler: str = ""  # the address of the cluster
    clock: Callable[[], float] = time.monotonic  # seconds

    def __post_init__(self) -> None:
        api = NbGraderAPI(config=self.course.settings())
        exchange = Path(api.exchange_root, api.course_id)
        self._progress = Progress(self.course, self.note, self.reached)
        self.assignments = Assignments(self._progress, exchange / "outbound")
        self.notes = Notes(self.course, exchange / "feedback", api.coursedir.groupshared)
        self._inbound = exchange / "inbound"
        self.inbox = Inbox(self._progress, api, self._inbound, self.notes)
        here = self.judges if isinstance(self.judges, JudgingThreads) else None
        self._most = here.count if here else None
        self._makers = PageMakers(self.course, here.count if here else len(os.sched_getaffinity(0)))
        self._releaser = Releaser(self._progress, self._makers, self.notes)
        self._warm_up = WarmUp(self.course, here) if here else None
        self._wake = 0.0  # when to check the gradebook if no submission arrives before
        self._provisional: Counter[int] = Counter()  # how often each entry got a score with a fault on our side
        self._pace = Pace()
        self._statuses = Statuses(self._progress, self.notes, self._pace)
        self._released: list[tuple[str, str]] = []
        self._look_at = self._update_at = 0.0  # during a run, when to check the exchange and when to update places
        self._waiting = False

    def close(self) -> None:
        self._makers.close()

    def look(self, assignments: Sequence[str]) -> list[tuple[str, str]]:
        """Collect new submissions, grade those whose turn it is, and return whose feedback was released.

        Raises NoCluster if the cluster has gone, or none responds; what was begun is judged by the next one.
        """
        self._progress.watched = assignments
        self._collect()
        again = time.monotonic() >= self._wake
        predicted = predictions_wait(self._inbound)
        if not self.inbox.to_enter and not self._waiting and not again and not predicted:
            return []
        self._waiting = True  # whatever stops this check, the next one continues with it
        self._progress.refresh()
        with open_gradebook(self.course) as gradebook:
            self._collect_questions(gradebook)
            self.inbox.enter_all(gradebook)
            self._statuses.write_all(gradebook)
            self._grade(gradebook)
            left = bool(self._ready(gradebook))
            if again and not left:  # a first score comes before another score for old work
                more = self._releaser.incomplete(gradebook)
                self._releaser.begin(gradebook, more[: self._makers.count])
                left = len(more) > self._makers.count
                self._wake = self._wake if left else time.monotonic() + AGAIN_SECONDS
            self._statuses.write_all(gradebook)
            if not self._ready(gradebook):
                self._release(gradebook)
            left = left or bool(self._ready(gradebook))  # a partner whose page was being made may be ready now
            self._waiting = bool(left or self._releaser.students or self.inbox.to_enter)
        released, self._released = self._released, []
        return released

    @property
    def is_idle(self) -> bool:
        """Whether no submission is left that may be graded now."""
        return not self._waiting

    def load(self) -> bool:
        """Load the next thing that the first submission will need. Returns whether there was one."""
        return self._makers.start() | bool(self._warm_up and self._warm_up.load_next(self._progress.watched))

    def _collect(self, feed: QueueFeed | None = None) -> None:
        """Collect new submissions of the students whose work is not being graded or released."""
        busy = set(self._releaser.students)
        if feed is not None:
            busy |= {(student, feed.assignment) for student in feed.busy}
        for name in self._progress.watched:
            self.inbox.collect(name, {student for student, assignment in busy if assignment == name})

    def _collect_questions(self, gradebook: Gradebook) -> None:
        """Queue students' questions, and store predictions; if this fails, grading goes on."""
        for what, collect in (("questions", collect_questions), ("predictions", collect_predictions)):
            try:
                for sentence in collect(self.course, gradebook):
                    self.note(sentence)
            except Exception as problem:  # the files stay in the exchange
                gradebook.db.rollback()
                self._progress.note_once(what, f"{what} in the exchange were not read: {problem}")

    def _ready(self, gradebook: Gradebook, feed: QueueFeed | None = None) -> list[QueueEntry]:
        """Return the submissions that may be graded or released now and are not in progress, in order."""
        out, making = (feed.out.values() if feed else ()), self._releaser.students
        known = {one.id for one in out}
        with one_transaction(gradebook) as session:
            return [
                one
                for one in self._progress.unfinished(session)
                if one.place is not None
                and one.state in (QUEUED, JUDGING, WRITTEN)
                and not one.shown
                and one.id not in known
                and (one.student, one.assignment) not in making
                and not self._progress.is_postponed(one.id)
            ]

    def _grade(self, gradebook: Gradebook) -> None:
        """Grade submissions of one assignment while they come next in the queue, and begin their pages."""
        feed = QueueFeed(
            gradebook,
            self._progress,
            self._releaser,
            self._most,
            self._provisional,
            self._pace,
            lambda: self._look_meanwhile(gradebook, feed),
            self._statuses.write_begun,
            self.clock,
        )
        if not feed.refill(self._ready(gradebook)):
            return
        workers = self.judges.count if self.judges is not None else 1
        try:
            options = RunOptions(executor=self.judges, workers=workers, scheduler=self.scheduler, feed=feed)
            run(self.course, feed.assignment, options, self.display(feed.assignment))
        except NoCluster:
            self._progress.postpone((one.id for one in feed.out.values()), 0.0)
            self._statuses.write_all(gradebook)
            raise
        except Exception as problem:  # it concerns only these submissions
            if feed.left:
                self._progress.failed(feed.left, problem)
            else:
                self._progress.skip(feed.assignment, problem)
        else:
            self._progress.postpone(one.id for one in feed.left if feed.stopped)
        finally:
            self._pace.pause()

    def _look_meanwhile(self, gradebook: Gradebook, feed: QueueFeed) -> list[QueueEntry] | None:
        """Release finished pages, collect new work, and update places; see :class:`QueueFeed`."""
        self._report_released(self._releaser.finish(gradebook))
        began = self.clock()
        if began < self._look_at:
            return None
        self._collect(feed)
        ready = None
        if self.inbox.to_enter or began >= self._update_at:
            self.inbox.enter_all(gradebook)
            self._statuses.write_all(gradebook)
            ready = self._ready(gradebook, feed)
            self._update_at = self.clock() + UPDATE_SECONDS
        self._look_at = self.clock() + max(LOOK_SECONDS, SHARE * (self.clock() - began))
        return ready

    def _release(self, gradebook: Gradebook) -> None:
        """Release the pages that are being made, until new submissions come."""
        while self._releaser.students:
            self._report_released(self._releaser.finish(gradebook, LOOK_SECONDS))
            self._collect()
            if self.inbox.to_enter:
                return

    def _report_released(self, pages: list[tuple[str, str]]) -> None:
        self._released += pages
        for assignment, student in pages:
            self.released(assignment, student)
