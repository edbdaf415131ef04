"""Grades an assignment of a class, from the list to the summary; all grading calls :func:`run`."""

import contextlib
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DBAPIError

from ..core.errors import SyncpointError
from ..core.names import some
from ..course.folder import Course, CourseError
from ..course.settings import settings_for
from ..judge.job import Result, to_json
from ..records.owner import shown
from ..report.renderer import renderer
from ..sandbox.signals import end_cleanly
from .claims import Claims
from .commit import Committer
from .display import Display, Outcome, SubmissionOutcome
from .failures import explain, reason, stopped, unforeseen
from .notebook_reader import NotebookReader
from .plan import ForcedRun, Plan
from .pool import JudgingThreads, NoCluster, Pool
from .preflight import check_course, clean_up
from .prepare import PreparedSubmission, Preparer
from .read import Reader, Students, Submission
from .source_differs import source_differs

ASK_SECONDS = 0.5  # between two requests to a feed when no answer arrives
MAX_COMMIT_SUBMISSIONS = 20  # submissions written in one transaction, if their results are available
NOTHING = "nobody has submitted {assignment}: there is no folder submitted/<student>/{assignment}."
IN_OTHER_RUN = "Another run is grading these now: {}. Waiting until it is done with them."
LEFT = "Skipped, because another run is grading them now: {}."
LEFT_OUT = "Excluded by student_id_exclude: {}."
WITHDRAWN = "{student}: removed the marks for the work of {submitter}, because they are not one group any more."
NOT_STORED = (
    "{}: the result could not be stored and will be computed again next time ({}); the points are not affected."
)


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


def check_assignment(course: Course, assignment: str) -> None:
    """Whether an assignment can be graded. Raises CourseError if it cannot."""
    course.check_assignment(assignment)
    if not (course.root / "release" / assignment).is_dir():
        raise CourseError(f"{assignment} has no release yet: run `nbgrader generate_assignment {assignment}` first.")


def run(
    course: Course, assignment: str, options: RunOptions, display: Display, converter: Autograde | None = None
) -> bool:
    """Grade an assignment, and return whether everybody is graded now.

    If nbgrader's converter is given, its settings count, else those of the course; the converter itself never runs.

    Raises:
        CourseError: If there is no such assignment, or no release of it.
        NoCluster: If the cluster has stopped and there is a feed, which may continue with another cluster.
    """
    check_assignment(course, assignment)
    end_cleanly(lambda problem: stopped(problem, display.current))
    with display.shown(), contextlib.ExitStack() as stack, contextlib.chdir(course.root):
        try:
            _grade(course, converter or _converter(course, assignment, display), options, display, stack)
        except NoCluster as problem:
            if options.feed is not None:
                raise
            display.stopped(str(problem))
        except (SyncpointError, DBAPIError, OSError) as problem:
            display.stopped(explain(problem) or str(problem))
        else:
            if difference := source_differs(course, assignment):
                display.note(difference)
    return display.complete


def _converter(course: Course, assignment: str, display: Display) -> Autograde:
    config = course.settings()
    coursedir = CourseDirectory(config=config, root=str(course.root), assignment_id=assignment, student_id="*")
    display.note(f"Gradebook: {shown(str(coursedir.db_url))}")
    return Autograde(coursedir=coursedir, config=config, log=_log(display.note))


def _grade(
    course: Course, autograde: Autograde, options: RunOptions, display: Display, stack: contextlib.ExitStack
) -> None:
    """Create everything that a run needs, and grade with it."""
    coursedir = autograde.coursedir
    settings = settings_for(autograde)
    reading = NotebookReader(course, coursedir, settings, autograde.exclude_overwriting)
    reader = Reader(reading, coursedir, coursedir.assignment_id)
    everybody = [] if options.feed else reader.everybody()
    listed, missing = ([], {}) if options.feed else _chosen(reader, everybody, options.students, coursedir, display)
    check_course(coursedir, coursedir.assignment_id, course, settings)
    clean_up(coursedir, course)
    claims = Claims(Path(coursedir.root, coursedir.autograded_directory))
    stack.callback(claims.close)
    gradebook = stack.enter_context(Gradebook(coursedir.db_url, coursedir.course_id))
    committer = Committer(course, autograde, gradebook)
    for student, submitter in committer.withdraw(everybody).items():
        display.note(WITHDRAWN.format(student=student, submitter=submitter))
    preparer = Preparer(course, settings, autograde, committer.release)
    committer.late = preparer.late
    since, forced = 0, ForcedRun.of(course.state / "anew", coursedir.assignment_id, options.students)
    if options.force:
        since, goes_on = forced.begin()
        if goes_on:
            display.note(goes_on)
    display.begin(len(listed))
    for pattern, why in missing.items():
        display.nobody(pattern, why)
    here = [one for one in listed if claims.take_if_alone(one.name)]
    claimed = sorted((one for one in listed if one not in here), key=lambda one: one.folder)
    plan = Plan(reader, committer.copies, options.force, since)
    this = Run(course, plan, preparer, committer, claims, display, gradebook, options.feed)
    new = [one for one in listed if options.force or not committer.copies(one.student).is_dir()]
    this.pool = stack.enter_context(_pool(reader, options, this.begun, len(listed), len(new), display, stack))
    renderer().start()  # started early, so that the first result does not wait for it
    if feed := options.feed:

        def submissions_of(student: str) -> list[Submission]:
            own, *partners = reader.of(student, coursedir.student_id_exclude.split(","))
            _note_groups(reader, {student}, display)
            later = feed.together(student, own.submitter, [one.student for one in partners])
            return [own, *(one for one in partners if one.student not in later)]

        this.serve(submissions_of)
        if options.scheduler and this.pool.gone:
            raise NoCluster(this.pool.gone)
        return
    this.grade(here)
    if claimed and not options.waits:
        display.note(LEFT.format(some(one.student for one in claimed)))
        return
    if claimed:
        display.note(IN_OTHER_RUN.format(some(one.student for one in claimed)))
        for one in claimed:
            claims.take(one.name)
        this.grade(claimed)
    if options.force and display.complete:
        forced.end()


def _chosen(
    reader: Reader, everybody: list[Submission], wanted: tuple[str, ...], coursedir: CourseDirectory, display: Display
) -> tuple[list[Submission], dict[str, str]]:
    """Return the submissions of a run in order, and why nobody matches the other names or patterns."""
    students = Students(wanted or ("*",), set(filter(None, coursedir.student_id_exclude.split(","))))
    if not everybody:
        raise CourseError(NOTHING.format(assignment=coursedir.assignment_id))
    if not wanted and (left_out := [one.student for one in everybody if one.student in students.excluded]):
        display.note(LEFT_OUT.format(some(left_out)))
    last = set(reader.course.postponed)
    # Partners without their own work are graded with the submission.
    chosen = {one.student for one in everybody if one.student in students}
    listed = [one for one in everybody if one.student in chosen or {one.folder.parent.name} & chosen]
    listed = [one for one in listed if one.student not in students.excluded]
    _note_groups(reader, chosen, display)
    listed.sort(key=lambda one: (one.name in last, one.folder))
    return listed, students.missing([one.student for one in listed], coursedir.assignment_id)


def _note_groups(reader: Reader, students: set[str], display: Display) -> None:
    for about, sentence in reader.group_work.notes:
        if about & students:
            display.note(sentence)


def _pool(
    reader: Reader,
    options: RunOptions,
    begun: Callable[[str, str], None],
    submissions: int,
    new: int,
    display: Display,
    stack: contextlib.ExitStack,
) -> Pool:
    """Return the pool: threads of this machine, prepared for the new submissions, or the cluster's workers."""
    spec = reader.spec
    if options.executor is None:
        from .cluster import ClusterPool, cluster_at

        client = stack.enter_context(cluster_at(options.scheduler))
        return ClusterPool(client, spec, begun, display.workers, display.note)
    workers = options.workers if options.feed else min(options.workers, max(1, submissions))
    display.workers([f"worker {number + 1}" for number in range(workers)])
    if isinstance(options.executor, JudgingThreads) and not options.executor.used:
        options.executor.prepare(to_json(spec.sandbox_spec(reader.course.root).empty), workers if options.feed else new)
    return Pool(options.executor, workers, spec, begun)


class Run:
    """One run.  A submission that fails does not stop the others.

    A submission is claimed from the listing to its end.  It is started, judged if a result is missing, committed, and
    ended.
    """

    pool: Pool

    def __init__(
        self,
        course: Course,
        plan: Plan,
        preparer: Preparer,
        committer: Committer,
        claims: Claims,
        display: Display,
        gradebook: Gradebook,
        feed: Feed | None = None,
    ):
        self._feed = feed
        self._plan, self._preparer, self._committer, self._gradebook = plan, preparer, committer, gradebook
        self._claims, self._display, self._last = claims, display, course.postponed
        self._results: dict[str, Result] = {}  # results that a submission waits for, or that a commit needs
        self._waiting: dict[str, list[Submission]] = {}  # key of a result -> submissions that wait for it

    def grade(self, submissions: Sequence[Submission]) -> None:
        """Grade these claimed submissions, as many at a time as keep all workers busy.

        Completed submissions are committed together, before waiting for anything.
        """
        self._go(deque(submissions), lambda: ())

    def serve(self, submissions_of: Callable[[str], list[Submission]]) -> None:
        """Grade the feed's students in order, until no more come."""
        assert self._feed is not None
        feed = self._feed
        self.pool.patience = ASK_SECONDS

        def more() -> Iterator[Submission]:
            students = () if self.pool.gone else feed.more(max(0, self.pool.free))
            for submission in (one for student in students for one in submissions_of(student)):
                self._display.begin(1)
                if not submission.fault and not self._claims.take_if_alone(submission.name):
                    submission.fault = LEFT.format(submission.student)
                if submission.fault:
                    self._end(submission, "not graded")
                else:
                    yield submission

        self._go(deque(), more)

    def _go(self, todo: deque[Submission], more: Callable[[], Iterable[Submission]]) -> None:
        """Grade these, and then the feed's next ones."""
        with self._gradebook.db() as session:
            self._plan.refresh(session)
        ready = list[Submission]()
        while True:
            todo.extend(() if todo else more())
            takes = bool(todo) and self.pool.free > 0
            if len(ready) >= MAX_COMMIT_SUBMISSIONS or (ready and not takes and not self.pool.replied):
                self._commit(ready)
                ready = []
            elif takes:
                ready += self._take_up(todo.popleft())
            elif self.pool.busy:
                ready += self._receive()
            elif not todo:
                return

    def begun(self, worker: str, key: str) -> None:
        """Note that a worker begins this job; called in another thread."""
        for submission in self._waiting.get(key, ())[:1]:
            self._display.judging(worker, submission.student)

    def _take_up(self, submission: Submission) -> list[Submission]:
        """Submit the missing jobs of a submission; return the submission if there are none."""
        try:
            jobs = self._plan.missing(submission)
        except Exception as problem:  # whatever this folder contains, the others are graded
            return self._fail(submission, problem)
        if jobs is None:
            return self._end(submission, "unchanged")
        for key, job in jobs.items():
            if self._is_known(key, submission):
                continue
            self._waiting.setdefault(key, []).append(submission)
            if len(self._waiting[key]) == 1:
                self.pool.send(key, job)
        return [] if self._lacks(submission) else [submission]

    def _receive(self) -> list[Submission]:
        """Wait for an answer; return the submissions that are now complete."""
        received = self.pool.receive()
        if received is None:
            return []
        key, reply = received
        waiting = self._waiting.pop(key)
        self._display.judged(reply.worker, waiting[0].student)
        served = [submission for submission in waiting if not submission.fault]
        for submission in served:
            submission.seconds += reply.seconds
            for warning in (reply.warning, *(reply.result.warnings if reply.result is not None else ())):
                if warning:
                    self._display.note(f"{submission.student}: {warning}")
            if reply.died:
                self._last.add(submission.name)  # the next run takes it last
            if reply.result is None:
                self._fail(submission, f"{reply.host}: {reply.fault}" if reply.host else reply.fault)
        if reply.result is None:
            return []
        self._results[key] = reply.result
        try:
            self._plan.store.put(key, reply.result)
        except OSError as problem:
            self._display.note(NOT_STORED.format(", ".join(submission.student for submission in served), problem))
        return [submission for submission in served if not self._lacks(submission)]

    def _commit(self, ready: Sequence[Submission]) -> None:
        entries: list[PreparedSubmission] = []
        newest: dict[Submission, Submission] = {}  # by the submission that counts
        for submission in ready:
            try:
                tries = [self._preparer.prepare(one, self._results) for one in submission.candidates]
                entries.append(self._committer.counted(tries, self._plan.counts))
                newest[entries[-1].submission] = submission
            except Exception as problem:
                self._fail(submission, problem)
        failed = self._committer.commit(entries) if entries else {}
        for counted in [entry.submission for entry in entries]:
            submission = newest[counted]
            if counted in failed:
                self._fail(submission, failed[counted])
                continue
            self._last.remove(submission.name)
            self._plan.remember(submission, counted.keys)
            lasting = all(self._results[key].cacheable for key in submission.all_keys)
            judged: Outcome = "graded" if submission.seconds else "from the store"
            self._end(submission, judged if lasting else "provisional")
        needed = {key for waiting in self._waiting.values() for other in waiting for key in other.all_keys}
        self._results = {key: result for key, result in self._results.items() if key in needed}

    def _is_known(self, key: str, submission: Submission) -> bool:
        """Whether a result need not be judged."""
        if key not in self._results and key not in self._waiting:
            result = self._plan.find(key)
            books = ((one.keys[name], read) for one in submission.candidates for name, read in one.notebooks.items())
            book = next(read.notebook for its, read in books if its == key)
            if result is not None and result.fits(book):
                self._results[key] = result
        return key in self._results

    def _lacks(self, submission: Submission) -> bool:
        return any(key not in self._results for key in submission.all_keys)

    def _fail(self, submission: Submission, why: Exception | str) -> list[Submission]:
        submission.fault = why if isinstance(why, str) else reason(why) or unforeseen(why)
        return self._end(submission, "not graded")

    def _end(self, submission: Submission, outcome: Outcome) -> list[Submission]:
        for note in submission.notes:
            self._display.note(note)
        submission.notebooks, submission.tries = {}, []
        self._claims.release(submission.name)
        ended = SubmissionOutcome(submission.student, outcome, submission.seconds, submission.fault)
        self._display.ended(ended)
        if self._feed is not None and not submission.follows:
            self._feed.ended(ended)
        return []


def _log(note: Callable[[str], None]) -> logging.Logger:
    """A log that collects errors of nbgrader and of the configuration's steps."""

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            note(record.getMessage())

    log = logging.Logger("syncpoint.grading", logging.ERROR)
    log.addHandler(Listener())
    return log
