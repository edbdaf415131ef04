"""``syncpoint watch``: collects submissions from nbgrader's exchange, grades them, and releases the feedback."""

import contextlib
import fcntl
import functools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy import select
from sqlalchemy.orm import Session

from ..check.status import SECRET
from ..core.errors import SyncpointError
from ..core.names import some
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.intake import TIMESTAMP
from ..course.on_submission import Rules
from ..course.released import LANGUAGES
from ..course.submission_folder import why_no_time
from ..course.times import Clock
from ..grading.display import Display
from ..grading.failures import reason
from ..grading.pool import JudgingThreads, Pool
from ..grading.run import RunOptions, run
from ..grading.run import check as check_assignment
from ..judge.job import GradingSpec, NotebookJob, sorted_files
from ..nbgrader_hooks.exchange_collect import OWN, Collect, is_complete, owner_of, sweep, whose
from ..nbgrader_hooks.shown import HERE
from ..records.accommodations import due_of
from ..records.database import one_transaction, upgrade
from ..records.gradebook import open_gradebook
from ..records.languages import languages
from ..records.queue import (
    BEFORE,
    COLLECTED,
    HELD,
    JUDGING,
    QUEUED,
    RELEASED,
    REPLACED,
    WRITTEN,
    close,
    enter,
    known,
    let_in,
    open_ones,
    places,
    replace_older,
    wait_of,
)
from ..records.tables import NotebookRecord, QueueEntry
from .notes import Notes, secret_name

IDLE_SECONDS = 7 * 24 * 3600.0  # how long judging processes wait for a job
RETRY_SECONDS = 60.0  # what could not be done is tried again then
PROVISIONAL = 3  # how often a score with a fault of ours is computed before it is released anyway
AGAIN_SECONDS = 30.0  # how often due dates and new attempts are checked in the gradebook
NOT_OUT = "{assignment} was not released: there is no {place}. Run `nbgrader release_assignment {assignment}`."
ALL_SHOWN = (
    "{assignment}: before_due = {level!r}, but c.GenerateFeedback.preprocessors in nbgrader_config.py does not name "
    "{here}: students would see everything. Add it."
)


STATUS_NOT_WRITTEN = "{assignment}: the status could not be shown to {student}: {reason}"
WRONG = "{assignment}: {students}: failed, retrying in a minute: {reason}"
LEFT = "{assignment} is skipped until this is fixed: {reason}"
TAKEN = "another `syncpoint watch` is running for this course: two would take submissions from each other."


@contextlib.contextmanager
def alone(course: Course) -> Iterator[None]:
    """Be the only one who watches the course, as long as the block lasts.

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


@dataclass(frozen=True)
class _Settings:
    """An assignment's current settings.

    Attributes:
        rules: How often it is graded, and what is shown.
        opens: When it was given out, if it says so.
    """

    rules: Rules
    opens: datetime | None


@dataclass
class Watch:
    """Grades all submissions without feedback in the order of the queue.

    All that it knows lies in the gradebook, in the course folder and in the exchange: killed at any moment and started
    again, it does what is missing, and nothing twice.

    Attributes:
        course: The course.
        judges: They outlive a run, with what they have ready: the next run need not start them.
        display: Makes what shows the grading of an assignment.
        note: Told in a sentence what could not be done.
        reached: Told each step of the way that a student's work on an assignment has made.
    """

    course: Course
    judges: JudgingThreads
    display: Callable[[str], Display]
    note: Callable[[str], None]
    reached: Callable[[str, str, str], None] = lambda step, student, assignment: None

    def __post_init__(self) -> None:
        settings = self.course.settings()
        self._api, self._check_owner = NbGraderAPI(config=settings), Collect(config=settings).check_owner
        self._exchange = Path(self._api.exchange_root, self._api.course_id)
        self._notes = Notes(self.course, self._exchange / "feedback", self._api.coursedir.groupshared)
        self._seen: dict[str, frozenset[str]] = {}  # by assignment
        self._new: set[str] = set()  # assignments with collected submissions that are not in the queue yet
        self._wake = 0.0  # when to check the gradebook if no submission arrives before
        # Rows and assignments with a fault of ours: when to try again.
        self._later: dict[int | str, float] = {}
        self._provisional: Counter[int] = Counter()  # how often each row got a score with a fault of ours
        self._notices: dict[str, str] = {}  # messages that are not repeated while nothing changes
        self._checked: set[str] = set()
        self._waiting = False  # whether the queue has a submission that may be graded now
        self._upgraded = False  # whether the gradebook has the tables of this version
        self._watched: Sequence[str] = ()
        self._loaded: set[str] = set()  # the assignments whose engine the workers have loaded
        self._engines: set[str] = set()
        self._settings = functools.cache(self._read)  # read once for each look

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
        """The assignments that lie in the exchange for students, but for those that cannot be watched."""
        found = sorted(path.name for path in (self._exchange / "outbound").glob("*") if path.is_dir())
        for name in found:
            if name not in self._checked and self._is_time(name):
                try:
                    self.check(name)
                except (SyncpointError, OSError) as problem:
                    self._postpone([name])
                    self._say_once(name, LEFT.format(assignment=name, reason=problem))
                else:
                    self._checked.add(name)
        return [name for name in found if name in self._checked]

    def look(self, assignments: Sequence[str]) -> list[tuple[str, str]]:
        """Collect new submissions, and grade those whose turn it is.

        Returns:
            The assignments and students whose feedback was given back, in the order in which it was.
        """
        self._watched = assignments
        self._new |= {name for name in assignments if self._collect(name)}
        again = time.monotonic() >= self._wake
        if not self._new and not self._waiting and not again:
            return []
        self._waiting = True  # whatever stops this look, the next one goes on with it
        self._settings = functools.cache(self._read)
        with open_gradebook(self.course) as gradebook:
            if not self._upgraded:
                upgrade(gradebook.engine)
                self._upgraded = True
            for name in sorted(self._new):
                try:
                    self._enter(gradebook, name)
                except Exception as problem:  # it is collected again; a gradebook that is gone stops the next step
                    self._seen.pop(name, None)
                    self._postpone([name])
                    self._say_once(name, LEFT.format(assignment=name, reason=reason(problem) or repr(problem)))
                self._new.remove(name)
            self._let_in(gradebook)
            self._tell(gradebook)
            given = self._grade(gradebook, self._next(gradebook))
            left = self._next(gradebook)
            if again and not left:  # who waits for a score goes before who is to see more
                more = self._who_sees_more(gradebook)
                given += [
                    (one.assignment, one.student)
                    for one in more[: self.judges.count]
                    if self._give_back(gradebook, one)
                ]
                left = more[self.judges.count :]
                self._wake = self._wake if left else time.monotonic() + AGAIN_SECONDS
            self._tell(gradebook)
            self._waiting = bool(left)
        return given

    @property
    def is_idle(self) -> bool:
        """Whether no submission is left that may be graded now."""
        return not self._waiting

    def load(self) -> bool:
        """Have the judging processes load a new engine, so that the first submission need not wait for it.

        Returns:
            Whether there was one.
        """
        for name in self._watched:
            if name in self._loaded:
                continue
            self._loaded.add(name)
            with contextlib.suppress(Exception):  # the first submission will report the problem
                spec = self.course.spec(name)
                if spec.engine not in self._engines:
                    self._engines.add(spec.engine)
                    job = self._empty(spec)
                    with Pool(self.judges, self.judges.count, spec, lambda *_: None) as pool:
                        for number in range(self.judges.count):  # like those to come, and does nothing
                            pool.send(str(number), job)
                        while pool.busy:
                            pool.receive()
                    return True
        return False

    def _empty(self, spec: GradingSpec) -> NotebookJob:
        """Return a job with an empty notebook and its files, so that sandboxes have room for them."""
        release = self.course.root / "release" / spec.assignment
        paths = {path.relative_to(release): path for path in release.rglob("*") if path.suffix != ".ipynb"}
        other_files = {
            name.as_posix(): path.read_bytes()
            for name, path in paths.items()
            if path.is_file() and name.parts[0] != LANGUAGES
        }
        other_files[SECRET] = b"of nobody"
        return NotebookJob.of("", new_notebook(), (), sorted_files(other_files.items()), spec)

    # --- from the exchange into the queue -------------------------------------------------------------------------

    def _collect(self, assignment: str) -> bool:
        """Collect what is new.  Returns whether there may be something."""
        found = self._submitters(assignment)
        if self._seen.get(assignment) == found or not self._is_time(assignment):
            return False
        if self._succeeded(self._api.collect(assignment)):
            self._seen[assignment] = found
        else:
            self._postpone([assignment])
        return True

    def _submitters(self, assignment: str) -> frozenset[str]:
        """The names of the complete submissions that lie in the exchange."""
        names = set()
        for folder in (self._exchange / "inbound").glob(f"*+{assignment}+*"):
            try:
                names |= {folder.name} if is_complete(folder) else set()
            except OSError:  # taken away meanwhile
                continue
        return frozenset(names)

    def _times(self, assignment: str) -> dict[str, datetime]:
        """Return when each student's last submission was complete, by the disk's clock; time stamps are not trusted."""
        last: dict[str, int] = {}
        for name in self._seen.get(assignment, ()):
            student = whose(name)
            with contextlib.suppress(OSError):
                status = (self._exchange / "inbound" / name).lstat()
                if not self._check_owner or owner_of(status) == student:
                    last[student] = max(last.get(student, 0), status.st_ctime_ns)
        return {
            student: datetime.fromtimestamp(time // 1000 / 10**6, UTC).replace(tzinfo=None)
            for student, time in last.items()
        }

    def _enter(self, gradebook: Gradebook, assignment: str) -> None:
        """Note all that was collected and is not known yet, the first one first.

        What was graded before anybody watched the assignment is done with: its feedback is the course's own affair.
        """
        entered, replaced = [], []
        now, times = _now(), self._times(assignment)
        stamps = self._stamps("submitted", assignment).items()
        with one_transaction(gradebook) as session:
            before = known(session, assignment)
            finished = {} if before else self._finished(session, assignment)
            for student, work in sorted(stamps, key=lambda one: times.get(one[0], datetime.min)):
                if work in before.get(student, ()):
                    continue
                name = secret_name(self.course.root / "submitted" / student / assignment, assignment)
                new = enter(session, student, assignment, work, name, min(now, times.get(student, now)))
                if new is None:
                    continue
                if finished.get(student) == work:
                    new[0].state, new[0].shown, new[0].done_at = RELEASED, "all", now
                    continue
                replaced.append(new[1])
                entered.append(student)
        for name in replaced:
            self._notes.remove(name)
        self._reached(COLLECTED, [(student, assignment) for student in entered])

    def _finished(self, session: Session, assignment: str) -> dict[str, str]:
        """Return the time stamps of fully graded submissions, for each student."""
        wanted = {path.stem for path in (self.course.root / "release" / assignment).glob("*.ipynb")}
        graded: dict[str, set[str]] = {}
        rows = select(NotebookRecord.student, NotebookRecord.notebook).where(NotebookRecord.assignment == assignment)
        for student, notebook in session.execute(rows):
            if (self.course.root / "autograded" / student / assignment / f"{notebook}.ipynb").is_file():
                graded.setdefault(student, set()).add(notebook)
        stamps = self._stamps("autograded", assignment)
        return {student: work for student, work in stamps.items() if wanted <= graded.get(student, set())}

    def _let_in(self, gradebook: Gradebook) -> None:
        with one_transaction(gradebook) as session:
            ones, due, now = self._open(session), self._due(session), _now()
            close(ones, self._rules, due, now)
            waiting = [one for one in ones if one.state in (COLLECTED, HELD)]
            let_in(session, waiting, self._rules, due, now)
            queued = [(one.student, one.assignment) for one in waiting if one.state == QUEUED]
        self._reached(QUEUED, queued)

    # --- grading --------------------------------------------------------------------------------------------------

    def _next(self, gradebook: Gradebook) -> list[QueueEntry]:
        """Those who are to be dealt with now: the first in the queue, as many as there are workers."""
        with one_transaction(gradebook) as session:
            ready = [
                one
                for one in self._open(session)
                if one.place is not None
                and one.state in (QUEUED, JUDGING, WRITTEN)
                and not one.shown
                and self._is_time(one.id)
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
        except Exception as problem:  # whatever it is, it is not the end of those who come after them
            self._went_wrong(batch, problem)
            return []
        return [(one.assignment, one.student) for one in written if self._give_back(gradebook, one)]

    def _judge(self, gradebook: Gradebook, batch: list[QueueEntry]) -> list[QueueEntry]:
        """Have all of these judged that are not yet.  Returns those that are written; the others stay begun."""
        todo = [one for one in batch if one.state != WRITTEN]
        if not todo:
            return batch
        assignment = todo[0].assignment
        self._step(gradebook, todo, JUDGING)
        self._tell(gradebook)
        display = self.display(assignment)
        students = tuple(one.student for one in todo)
        run(self.course, assignment, RunOptions(students, self.judges, self.judges.count), display)
        done = [one for one in todo if self._is_graded(one) and one.student not in display.failed]
        provisional = {one.id for one in done if one.student in display.provisional}
        self._provisional.update(provisional)
        done = [one for one in done if one.id not in provisional or self._provisional[one.id] >= PROVISIONAL]
        self._postpone(one.id for one in todo if one not in done)
        self._step(gradebook, done, WRITTEN)
        with one_transaction(gradebook) as session:
            for one in done:
                replace_older(session, one)
        return [one for one in batch if one not in todo or one in done]

    def _is_graded(self, one: QueueEntry) -> bool:
        """Whether it is this work of the student's that was graded last."""
        folder = self.course.root / "autograded" / one.student / one.assignment
        return folder.is_dir() and _stamp(folder, self.course.clock) == one.work

    def _give_back(self, gradebook: Gradebook, one: QueueEntry) -> bool:
        """Release what a student may see now.  Return whether it is a page; failures are retried."""
        try:
            return self._release(gradebook, one)
        except Exception as problem:
            self._went_wrong([one], problem)
            return False

    def _release(self, gradebook: Gradebook, one: QueueEntry) -> bool:
        """Write a student's pages as they may be read now, and release them.  Returns whether they were."""
        if not self._is_graded(one):  # newer work was graded meanwhile
            self._step(gradebook, [one], REPLACED, done_at=one.done_at or _now())
            return False
        with one_transaction(gradebook) as session:
            level = self._rules(one.assignment).shown(self._due(session)(one), _now())
        if level == "nothing":
            self._notes.finish(gradebook, one, level)
            self._step(gradebook, [one], WRITTEN, shown=level, done_at=one.done_at or _now())
            return False
        released = self._succeeded(self._api.generate_feedback(one.assignment, one.student, force=True))
        released = released and self._succeeded(self._api.release_feedback(one.assignment, one.student))
        if not released:
            self._postpone([one.id])
            return False
        self._notes.finish(gradebook, one, level)
        self._step(gradebook, [one], RELEASED, shown=level, done_at=one.done_at or _now())
        return True

    def _who_sees_more(self, gradebook: Gradebook) -> list[QueueEntry]:
        """Return the submissions that are now due and whose pages do not show everything yet."""
        with one_transaction(gradebook) as session:
            due = self._due(session)
            return [
                one
                for one in self._open(session)
                if one.shown
                and self._rules(one.assignment).shown(due(one), _now()) != one.shown
                and self._is_time(one.id)
            ]

    # --- what all of them need ------------------------------------------------------------------------------------

    def _tell(self, gradebook: Gradebook) -> None:
        """Write down for each student how far their work is."""
        with one_transaction(gradebook) as session:
            ones, now, due, spoken = self._open(session), _now(), self._due(session), languages(session)
            number = places([one for one in ones if one.id not in self._later])
            for one in ones:
                wait = None
                if one.place is None and one.state in BEFORE:
                    wait = wait_of(session, one, self._rules(one.assignment), due(one), now)
                troubled, language = one.id in self._later, spoken.get(one.student, "")
                try:
                    self._notes.write(one, number.get(one.id, 0), len(number), wait, troubled, language)
                except (OSError, ValueError) as problem:  # the work itself goes its way
                    why = getattr(problem, "strerror", None) or str(problem)
                    message = STATUS_NOT_WRITTEN.format(assignment=one.assignment, student=one.student, reason=why)
                    self._say_once(f"{one.student}/{one.assignment}", message)

    def _read(self, assignment: str) -> _Settings | None:
        """Return an assignment's settings; None if they are invalid, and then the assignment is skipped."""
        try:
            found = _Settings(self.course.rules(assignment), self.course.graders(assignment).settings().opens)
        except Exception as problem:  # a configuration is a program
            self._say_once(assignment, LEFT.format(assignment=assignment, reason=problem))
            return None
        self._notices.pop(assignment, None)
        return found

    def _rules(self, assignment: str) -> Rules:
        found = self._settings(assignment)
        assert found is not None
        return found.rules

    def _open(self, session: Session) -> list[QueueEntry]:
        """Return all unfinished submissions of the watched assignments."""
        return [one for one in open_ones(session) if one.assignment in self._watched and self._settings(one.assignment)]

    def _due(self, session: Session) -> Callable[[QueueEntry], datetime | None]:
        def opens(assignment: str) -> datetime | None:
            found = self._settings(assignment)
            return found.opens if found else None

        return lambda one: due_of(session, one.student, one.assignment, opens)

    def _step(self, gradebook: Gradebook, ones: Iterable[QueueEntry], state: str, **more: Any) -> None:
        """All of these have come so far."""
        for one in ones:
            with one_transaction(gradebook) as session:
                row = session.get(QueueEntry, one.id)
                if row is None:  # the student was forgotten meanwhile
                    continue
                row.state = one.state = state
                for name, value in more.items():
                    setattr(row, name, value)
                    setattr(one, name, value)
            if state in (RELEASED, WRITTEN):
                self._later.pop(one.id, None)
            self._reached(state, [(one.student, one.assignment)])

    def _postpone(self, which: Iterable[int | str]) -> None:
        """Leave these rows, or assignments, alone for a while."""
        self._later |= dict.fromkeys(which, time.monotonic() + RETRY_SECONDS)

    def _is_time(self, which: int | str) -> bool:
        return self._later.get(which, 0.0) < time.monotonic()

    def _went_wrong(self, ones: Sequence[QueueEntry], problem: Exception) -> None:
        """Schedule these for a retry after a fault of ours."""
        self._postpone(one.id for one in ones)
        message = reason(problem) or f"{type(problem).__name__}: {problem}"
        names = some(sorted({one.student for one in ones}))
        self.note(WRONG.format(assignment=ones[0].assignment, students=names, reason=message))

    def _say_once(self, what: str, sentence: str) -> None:
        if self._notices.get(what) != sentence:
            self.note(sentence)
        self._notices[what] = sentence

    def _reached(self, step: str, whose: Iterable[tuple[str, str]]) -> None:
        for student, assignment in whose:
            self.reached(step, student, assignment)

    def _stamps(self, step: str, assignment: str) -> dict[str, str]:
        """Return the time of submission of the work in submitted/ or autograded/, for each student."""
        clock = self.course.clock
        folders = (self.course.root / step).glob(f"*/{assignment}")
        return {folder.parent.name: _stamp(folder, clock) for folder in folders}

    def _succeeded(self, done: dict[str, Any]) -> bool:
        if done.get("log"):
            self.note(str(done["log"]).strip())
        if not done["success"]:
            self.note(str(done.get("error", "")).strip().rpartition("\n")[2])
        return bool(done["success"])


def _now() -> datetime:
    """UTC, as the gradebook keeps times."""
    return datetime.now(UTC).replace(tzinfo=None)


def _stamp(folder: Path, clock: Clock) -> str:
    """Return the text of a time stamp; "" if there is none or it is invalid."""
    try:
        return "" if why_no_time(folder, clock) else (folder / TIMESTAMP).read_text()
    except FileNotFoundError:
        return ""
