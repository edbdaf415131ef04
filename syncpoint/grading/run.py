"""``syncpoint grade``: grades an assignment of a class, from the listing to the summary."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DBAPIError

from ..core.names import some
from ..course.folder import Course, CourseError
from ..judge.judging_process import JudgingProcess
from ..nbgrader_hooks.failures import explain, reason, unforeseen
from ..nbgrader_hooks.source_differs import source_differs
from ..records.owner import shown
from .dispatch import Dispatcher
from .display import Display, Ended, Outcome
from .local import LocalWorkers, Warm
from .plan import Plan, Students, Submission
from .resume import Anew
from .workers import Workers
from .write import Writer

TOGETHER = 20  # submissions that are written in one transaction, if their results are there
ELSEWHERE = "Another run is at these now: {}. Waiting until it is done with them."


@dataclass(frozen=True)
class Choice:
    """Whom to grade, and with what.

    Attributes:
        students: Names or patterns; none for everybody.
        workers: How many of this machine.
        scheduler: The address of a cluster instead; "" for none.
        force: Judge also what is in the store.
        warm: Workers of this machine that are there already; None to start some.
        started: A judging process for the first of them, if one was started before this module was even loaded.
    """

    students: tuple[str, ...] = ()
    workers: int = 1
    scheduler: str = ""
    force: bool = False
    warm: Warm | None = None
    started: JudgingProcess | None = None


def check(course: Course, assignment: str) -> None:
    """Whether an assignment can be graded.

    Raises:
        CourseError: If it cannot.
    """
    if assignment not in course.assignments():
        raise CourseError(f"there is no assignment {assignment!r}; there are: {', '.join(course.assignments())}.")
    if not (course.root / "release" / assignment).is_dir():
        raise CourseError(f"{assignment} has no release yet: run `nbgrader generate_assignment {assignment}` first.")


def run(course: Course, assignment: str, choice: Choice, display: Display) -> bool:
    """Grade an assignment.  Returns whether everybody is graded now."""
    check(course, assignment)
    with display.shown(), contextlib.ExitStack() as stack:
        settings = course.settings()
        coursedir = CourseDirectory(config=settings, root=str(course.root), assignment_id=assignment, student_id="*")
        display.note(f"The gradebook is {shown(str(coursedir.db_url))}.")
        excluded = set(filter(None, coursedir.student_id_exclude.split(",")))
        students = Students(choice.students or ("*",), excluded)

        def grade(writer: Writer) -> None:
            with _explained(writer):
                plan = Plan(writer.exporter, writer.coursedir, writer.assignments, writer.copies)
            _GradingRun(stack, course, choice, display, plan, writer).grade()

        try:
            Writer(students, grade, display.note, coursedir=coursedir, config=settings).start()
        except NbGraderException:  # it is logged, and so shown
            return False
        if said := source_differs(course, assignment):
            display.note(said)
    return display.complete


@contextlib.contextmanager
def _explained(writer: Writer) -> Iterator[None]:
    """A gradebook or a disk that does not do its part in this block ends the run in a sentence."""
    try:
        yield
    except (DBAPIError, OSError) as problem:
        writer.log.error(explain(problem) or str(problem))
        raise NbGraderException(str(problem)) from None


class _GradingRun:
    """One run.  Nobody who fails stops the others.

    A submission is claimed from the listing to its end; what another run has claimed is waited for.  On its way it is
    *taken up*, *judged* if a result is missing, *written*, and ended.
    """

    def __init__(
        self,
        stack: contextlib.ExitStack,
        course: Course,
        choice: Choice,
        display: Display,
        plan: Plan,
        writer: Writer,
    ):
        def workers(tell: Callable[[str, Any], None]) -> Workers:
            if choice.scheduler:
                from .cluster import ClusterWorkers, cluster_at

                client = stack.enter_context(cluster_at(choice.scheduler))
                return ClusterWorkers(client, plan.spec, tell, display.workers, display.note)
            count = choice.warm.count if choice.warm else min(choice.workers, len(plan.submissions))
            there = display.workers
            return LocalWorkers(count, course.root, plan.spec, tell, there, choice.warm, choice.started)

        self._display, self._plan, self._writer = display, plan, writer
        self._claims, self._last = writer.exporter.claims, course.last
        self._anew = Anew.of(course.results.parent / "anew", plan.spec.assignment, choice.students)
        self._ready: list[Submission] = []  # those of which all results are known
        self._force, since = choice.force, 0
        if self._force:
            with _explained(writer):
                goes_on, since = self._anew.begin(), self._anew.since
            if goes_on:
                display.note(goes_on)
        self._dispatcher = stack.enter_context(
            Dispatcher(workers, plan.store, display, since, self._failed, self._died)
        )
        writer.results = self._dispatcher.results

    def grade(self) -> None:
        """Grade all that was listed."""
        submissions, assignment = self._plan.submissions, self._plan.spec.assignment
        nobody = self._writer.students.missing([submission.student for submission in submissions], assignment)
        self._display.begin(len(submissions))
        for pattern, why in nobody.items():
            self._display.nobody(pattern, why)
        self._grade(self._plan.here)
        elsewhere = self._plan.elsewhere
        if elsewhere:
            self._display.note(ELSEWHERE.format(some(submission.student for submission in elsewhere)))
            for submission in elsewhere:
                self._claims.take(submission.claim)
            with _explained(self._writer):
                self._plan.refresh()
            self._grade(elsewhere)
        if self._force and self._display.complete:
            self._anew.end()

    def _grade(self, submissions: list[Submission]) -> None:
        """Grade these, which this run has claimed: as many at a time as keep all workers busy.

        What is ready is written together, before anything is waited for.
        """
        todo = iter(submissions)
        submission = next(todo, None)
        while submission is not None or self._dispatcher.is_busy or self._ready:
            takes = submission is not None and self._dispatcher.has_room
            if len(self._ready) >= TOGETHER or (self._ready and not takes and not self._dispatcher.has_answer):
                self._write_ready()
            elif submission is not None and takes:
                self._take_up(submission)
                submission = next(todo, None)
            else:
                self._ready += self._dispatcher.receive()

    def _take_up(self, submission: Submission) -> None:
        """See what a submission needs: nothing, to be written, or to be judged first."""
        try:
            jobs = self._plan.look_at(submission, self._force, self._dispatcher.is_known)
            if jobs:
                return self._dispatcher.send(submission, jobs)
        except Exception as problem:  # whatever lies in that folder, the others are graded
            return self._failed(submission, reason(problem) or unforeseen(problem))
        if jobs is None:
            self._end(submission, "unchanged")
        else:
            self._ready.append(submission)

    def _write_ready(self) -> None:
        """Have nbgrader write the submissions of which all results are known."""
        outcomes: dict[Submission, Outcome] = {}
        for submission in self._ready:
            try:
                provisional = self._dispatcher.is_provisional(submission)
            except Exception as problem:
                self._failed(submission, reason(problem) or unforeseen(problem))
            else:
                judged: Outcome = "graded" if submission.seconds else "from the store"
                outcomes[submission] = "provisional" if provisional else judged
        self._ready = []
        failed = self._writer.write(list(outcomes))
        for submission, outcome in outcomes.items():
            if submission in failed:
                why = failed[submission]
                self._failed(submission, reason(why) or unforeseen(why))
                continue
            with contextlib.suppress(OSError):  # they save time only
                self._last.remove(submission.claim)
                self._plan.remember(submission)
            self._end(submission, outcome)
        self._dispatcher.forget()

    def _died(self, submission: Submission) -> None:
        """The process that judged it died: the next run takes it last."""
        self._last.add(submission.claim)

    def _failed(self, submission: Submission, why: str) -> None:
        self._end(submission, "not graded", why)  # the display says the rest itself

    def _end(self, submission: Submission, outcome: Outcome, reason: str = "") -> None:
        """This run is done with a submission: another one may have it."""
        submission.read = {}
        self._claims.release(submission.claim)
        self._display.ended(Ended(submission.student, outcome, submission.seconds, reason))
