"""``syncpoint watch``: collects submissions from nbgrader's exchange, grades them, and releases the feedback."""

import contextlib
import fcntl
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI

from ..core.errors import SyncpointError
from ..course.errors import CourseError
from ..course.folder import Course
from ..grading.display import Display
from ..grading.pool import JudgingThreads
from ..grading.run import RunOptions, run
from ..grading.run import check as check_assignment
from ..nbgrader_hooks.exchange_collect import OWN, sweep
from ..nbgrader_hooks.exchange_questions import collect_questions
from ..nbgrader_hooks.feedback_level import HERE
from ..records.database import one_transaction, upgrade
from ..records.gradebook import open_gradebook
from ..records.languages import languages
from ..records.queue import BEFORE, JUDGING, QUEUED, WRITTEN, places, replace_older, wait_of
from ..records.tables import QueueEntry, utc_now
from .inbox import Inbox
from .notes import Notes
from .progress import Progress
from .release import Releaser
from .warm_up import WarmUp

IDLE_SECONDS = 7 * 24 * 3600.0  # how long judging processes wait for a job
PROVISIONAL = 3  # how often a score with a fault of ours is computed before it is released anyway
AGAIN_SECONDS = 30.0  # how often due dates and new attempts are checked in the gradebook
NOT_OUT = "{assignment} was not released: there is no {place}. Run `nbgrader release_assignment {assignment}`."
ALL_SHOWN = (
    "{assignment}: before_due = {level!r}, but c.GenerateFeedback.preprocessors in nbgrader_config.py does not name "
    "{here}: students would see everything. Add it."
)
STATUS_NOT_WRITTEN = "{assignment}: the status could not be shown to {student}: {reason}"
TAKEN = "another `syncpoint watch` is running for this course: two would take submissions from each other."


@contextlib.contextmanager
def alone(course: Course) -> Iterator[None]:
    """Be the only process that watches the course, as long as the block lasts.

    Raises:
        CourseError: If another one does.
    """
    own = course.root / OWN
    own.mkdir(exist_ok=True)
    with (own / "watch.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CourseError(TAKEN) from None
        sweep(course.root)
        yield


@dataclass
class Watch:
    """Grades all submissions without feedback in the order of the queue.

    The state is in the gradebook, in the course folder and in the exchange: killed at any moment and started again, it
    does what is missing, and nothing twice.
    """

    course: Course  # the course
    judges: JudgingThreads  # they outlive a run, with what they have ready: the next run need not start them
    display: Callable[[str], Display]  # makes what shows the grading of an assignment
    note: Callable[[str], None]  # called with each sentence about a failure
    # called with each step of a submission, its student and its assignment
    reached: Callable[[str, str, str], None] = lambda step, student, assignment: None

    def __post_init__(self) -> None:
        api = NbGraderAPI(config=self.course.settings())
        self._exchange = Path(api.exchange_root, api.course_id)
        self._progress = Progress(self.course, self.note, self.reached)
        self._notes = Notes(self.course, self._exchange / "feedback", api.coursedir.groupshared)
        self.inbox = Inbox(self._progress, api, self._exchange / "inbound", self._notes)
        self._releaser = Releaser(self._progress, api, self._notes)
        self._warm_up = WarmUp(self.course, self.judges)
        self._wake = 0.0  # when to check the gradebook if no submission arrives before
        self._provisional: Counter[int] = Counter()  # how often each entry got a score with a fault of ours
        self._checked: set[str] = set()
        self._waiting = False
        self._upgraded = False  # whether the gradebook has the tables of this version

    def check(self, assignment: str) -> None:
        """Whether an assignment can be watched.

        Raises:
            CourseError: If not; the text says what to do.
        """
        released = self._exchange / "outbound" / assignment
        if not released.is_dir():
            raise CourseError(NOT_OUT.format(assignment=assignment, place=released))
        check_assignment(self.course, assignment)
        level = self.course.rules(assignment).before_due
        if level != "all" and HERE not in map(str, self.course.settings().GenerateFeedback.get("preprocessors", ())):
            raise CourseError(ALL_SHOWN.format(assignment=assignment, level=level, here=HERE))

    def released_assignments(self) -> list[str]:
        """The assignments in the exchange that can be watched."""
        found = sorted(path.name for path in (self._exchange / "outbound").glob("*") if path.is_dir())
        for name in found:
            if name not in self._checked and not self._progress.is_postponed(name):
                try:
                    self.check(name)
                except (SyncpointError, OSError) as problem:
                    self._progress.skip(name, problem)
                else:
                    self._checked.add(name)
        return [name for name in found if name in self._checked]

    def look(self, assignments: Sequence[str]) -> list[tuple[str, str]]:
        """Collect new submissions, grade those whose turn it is, and return whose feedback was released, in order."""
        self._progress.watched = assignments
        for name in assignments:
            self.inbox.collect(name)
        again = time.monotonic() >= self._wake
        if not self.inbox.to_enter and not self._waiting and not again:
            return []
        self._waiting = True  # whatever stops this look, the next one goes on with it
        self._progress.refresh()
        with open_gradebook(self.course) as gradebook:
            if not self._upgraded:
                upgrade(gradebook.engine)
                self._upgraded = True
            for sentence in collect_questions(self.course, gradebook, self._exchange / "inbound"):
                self.note(sentence)
            self.inbox.enter_all(gradebook)
            self._write_notes(gradebook)
            released = self._grade(gradebook, self._next(gradebook))
            left = self._next(gradebook)
            if again and not left:  # a first score goes before more of an old one
                more, count = self._releaser.incomplete(gradebook), self.judges.count
                released += self._releaser.release(gradebook, more[:count])
                left = more[count:]
                self._wake = self._wake if left else time.monotonic() + AGAIN_SECONDS
            self._write_notes(gradebook)
            self._waiting = bool(left)
        return released

    @property
    def is_idle(self) -> bool:
        """Whether no submission is left that may be graded now."""
        return not self._waiting

    def load(self) -> bool:
        """Load a new engine into the judging processes before its first submission.  Returns whether there was one."""
        return self._warm_up.load_next(self._progress.watched)

    def _next(self, gradebook: Gradebook) -> list[QueueEntry]:
        """The first in the queue, as many as there are judging processes."""
        with one_transaction(gradebook) as session:
            ready = [
                one
                for one in self._progress.unfinished(session)
                if one.place is not None
                and one.state in (QUEUED, JUDGING, WRITTEN)
                and not one.shown
                and not self._progress.is_postponed(one.id)
            ]
        batch: list[QueueEntry] = []
        for one in ready[: self.judges.count]:
            # One run has one assignment, and no student twice.
            if one.assignment != ready[0].assignment or one.student in {other.student for other in batch}:
                break
            batch.append(one)
        return batch

    def _grade(self, gradebook: Gradebook, batch: list[QueueEntry]) -> list[tuple[str, str]]:
        """Grade these submissions and release their feedback, in order."""
        try:
            written = self._judge(gradebook, batch)
        except Exception as problem:  # of these submissions alone
            self._progress.failed(batch, problem)
            return []
        return self._releaser.release(gradebook, written)

    def _judge(self, gradebook: Gradebook, batch: list[QueueEntry]) -> list[QueueEntry]:
        """Judge those that are not judged yet.  Returns those that are written; the others stay begun."""
        todo = [one for one in batch if one.state != WRITTEN]
        if not todo:
            return batch
        assignment = todo[0].assignment
        self._progress.advance(gradebook, todo, JUDGING)
        self._write_notes(gradebook)
        display = self.display(assignment)
        students = tuple(one.student for one in todo)
        run(self.course, assignment, RunOptions(students, self.judges, self.judges.count), display)
        done = [one for one in todo if self._releaser.is_graded(one) and one.student not in display.failed]
        provisional = {one.id for one in done if one.student in display.provisional}
        self._provisional.update(provisional)
        done = [one for one in done if one.id not in provisional or self._provisional[one.id] >= PROVISIONAL]
        self._progress.postpone(one.id for one in todo if one not in done)
        self._progress.advance(gradebook, done, WRITTEN)
        with one_transaction(gradebook) as session:
            for one in done:
                replace_older(session, one)
        return [one for one in batch if one not in todo or one in done]

    def _write_notes(self, gradebook: Gradebook) -> None:
        """Write down for each student how far their work is."""
        with one_transaction(gradebook) as session:
            ones, due, spoken = self._progress.unfinished(session), self._progress.due(session), languages(session)
            number = places([one for one in ones if not self._progress.has_failed(one)])
            for one in ones:
                wait = None
                if one.place is None and one.state in BEFORE:
                    wait = wait_of(session, one, self._progress.rules(one.assignment), due(one), utc_now())
                troubled, language = self._progress.has_failed(one), spoken.get(one.student, "")
                try:
                    self._notes.write(one, number.get(one.id, 0), len(number), wait, troubled, language)
                except (OSError, ValueError) as problem:  # the work itself is graded
                    why = getattr(problem, "strerror", None) or str(problem)
                    message = STATUS_NOT_WRITTEN.format(assignment=one.assignment, student=one.student, reason=why)
                    self._progress.note_once(f"{one.student}/{one.assignment}", message)
