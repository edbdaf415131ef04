"""The loop of a run: plan, judge, commit, for one submission after the other."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from nbgrader.api import Gradebook

from ..judge.job import Result
from .assemble import AssembledSubmission, Assembler
from .claims import Claims
from .commit import Committer
from .display import Display, Outcome, SubmissionOutcome
from .failures import reason, unforeseen
from .options import Feed
from .plan import Plan
from .pool import Pool
from .read_submissions import Reader, Submission, SubmittedWork

ASK_SECONDS = 0.5  # between two requests to a feed when no reply arrives
MAX_COMMIT_SUBMISSIONS = 20  # submissions written in one transaction, if their results are available
LEFT = "Skipped, because another run is grading them now: {}."
NOT_STORED = (
    "{}: the result could not be stored and will be computed again next time ({}); the points are not affected."
)


class GradingLoop:
    """The loop of one run.  A submission that fails does not stop the others.

    A submission is claimed from the listing to its end.  It is started, judged if a result is missing, committed, and
    ended.
    """

    pool: Pool

    def __init__(
        self,
        reader: Reader,
        plan: Plan,
        assembler: Assembler,
        committer: Committer,
        claims: Claims,
        display: Display,
        gradebook: Gradebook,
        feed: Feed | None,
    ):
        self._reader, self._feed, self._claims, self._display = reader, feed, claims, display
        self._plan, self._assembler, self._committer, self._gradebook = plan, assembler, committer, gradebook
        self._postponed = reader.course.postponed
        self._results: dict[str, Result] = {}  # results that a submission waits for, or that a commit needs
        self._waiting: dict[str, list[Submission]] = {}  # key of a result -> submissions that wait for it

    def grade(self, submissions: Sequence[Submission]) -> None:
        """Grade these claimed submissions, as many at a time as keep all workers busy.

        Completed submissions are committed together, before waiting for anything.
        """
        self._run(deque(submissions), lambda: ())

    def serve(self, feed: Feed) -> None:
        """Grade the feed's students in order, until no more come."""
        self.pool.patience = ASK_SECONDS

        def more() -> Iterator[Submission]:
            for student in () if self.pool.gone else feed.more(max(0, self.pool.free)):
                for submission in self._submissions_of(student, feed):
                    self._display.begin(1)
                    if not submission.fault and not self._claims.take_if_alone(submission.name):
                        submission.fault = LEFT.format(submission.student)
                    if submission.fault:
                        self._end(submission, "not graded")
                    else:
                        yield submission

        self._run(deque(), more)

    def _submissions_of(self, student: str, feed: Feed) -> list[Submission]:
        """Return a student's submission, and those of partners who do not come separately."""
        own, *partners = self._reader.of(student)
        for sentence in self._reader.group_work.about({student}):
            self._display.note(sentence)
        later = feed.together(student, own.submitter, [one.student for one in partners])
        return [own, *(one for one in partners if one.student not in later)]

    def _run(self, todo: deque[Submission], more: Callable[[], Iterable[Submission]]) -> None:
        """Grade these, and then the feed's next ones."""
        with self._gradebook.db() as session:
            self._plan.refresh(session)
        ready = list[Submission]()
        while True:
            todo.extend(() if todo else more())
            takes = bool(todo) and self.pool.free > 0
            would_wait = not takes and not self.pool.replied
            if ready and (len(ready) >= MAX_COMMIT_SUBMISSIONS or would_wait):
                self._commit(ready)
                ready = []
            elif takes:
                ready += self._start(todo.popleft())
            elif self.pool.busy:
                ready += self._receive()
            elif not todo:
                return

    def begun(self, worker: str, key: str) -> None:
        """Note that a worker begins this job; called in another thread."""
        for submission in self._waiting.get(key, ())[:1]:
            self._display.judging(worker, submission.student)

    def _start(self, submission: Submission) -> list[Submission]:
        """Send the jobs of a submission that have no result; return the submission if all have one."""
        try:
            unchanged = self._plan.is_unchanged(submission)
            jobs = {} if unchanged else self._plan.read_jobs(submission)
        except Exception as problem:  # whatever this folder contains, the others are graded
            self._fail(submission, problem)
            return []
        if unchanged:
            self._end(submission, "unchanged")
            return []
        for key, job in jobs.items():
            if self._has_result(key, submission):
                continue
            self._waiting.setdefault(key, []).append(submission)
            if len(self._waiting[key]) == 1:
                self.pool.send(key, job)
        return [] if self._lacks(submission) else [submission]

    def _receive(self) -> list[Submission]:
        """Wait for a reply; return the submissions that are now complete."""
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
                self._postponed.add(submission.name)  # the next run takes it last
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
        entries: list[AssembledSubmission] = []
        newest: dict[Submission, Submission] = {}  # by the submission that counts
        for submission in ready:
            try:
                tries = [self._assembler.assemble(one, self._results) for one in submission.candidates]
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
            self._postponed.remove(submission.name)
            self._plan.remember(submission, counted.work.keys)
            lasting = all(self._results[key].cacheable for key in submission.all_keys)
            judged: Outcome = "graded" if submission.seconds else "from the store"
            self._end(submission, judged if lasting else "provisional")
        needed = {key for waiting in self._waiting.values() for other in waiting for key in other.all_keys}
        self._results = {key: result for key, result in self._results.items() if key in needed}

    def _has_result(self, key: str, submission: Submission) -> bool:
        """Whether a job's result is here, or in the store, from which it is then read."""
        if key not in self._results and key not in self._waiting:
            result = self._plan.find(key)
            works = [one.work for one in submission.candidates]
            books = ((work.keys[name], read) for work in works for name, read in work.notebooks.items())
            book = next(read.notebook for its, read in books if its == key)
            if result is not None and result.fits(book):
                self._results[key] = result
        return key in self._results

    def _lacks(self, submission: Submission) -> bool:
        return any(key not in self._results for key in submission.all_keys)

    def _fail(self, submission: Submission, why: Exception | str) -> None:
        submission.fault = why if isinstance(why, str) else reason(why) or unforeseen(why)
        self._end(submission, "not graded")

    def _end(self, submission: Submission, outcome: Outcome) -> None:
        for note in submission.notes:
            self._display.note(note)
        submission.work, submission.tries = SubmittedWork(), []
        self._claims.release(submission.name)
        ended = SubmissionOutcome(submission.student, outcome, submission.seconds, submission.fault)
        self._display.ended(ended)
        if self._feed is not None and not submission.follows:
            self._feed.ended(ended)
