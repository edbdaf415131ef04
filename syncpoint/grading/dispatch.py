"""Has jobs judged, each once, whoever waits for them, and holds their results as long as anybody needs them."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ..judge.answer import Answer
from ..judge.job import NotebookJob, Result
from ..judge.store import Store
from ..nbgrader_hooks.failures import reason, unforeseen
from ..nbgrader_hooks.preprocessor import NOT_KEPT
from ..report.renderer import renderer
from .display import Display
from .plan import Submission
from .workers import ClusterGone, Workers


class Dispatcher:
    """The jobs of one run.  Use as a context manager: it leaves the cluster in the end.

    A submission is in ``_waiting`` under the key of each result that is judged for it.  Results are in ``results`` as
    long as anybody needs them, and in the store (``_kept``) if they last.

    Args:
        workers: Makes those who judge, when the first job is to be judged; it gets what they call with a worker and the
            key that it begins with.
        store: Where results are kept.
        display: Who shows how far it is.
        since: What the store has kept before is judged again; nanoseconds.
        failed: Called with a submission of which a job cannot be judged, and why.
        died: Called with one at whose job judges died.
    """

    def __init__(
        self,
        workers: Callable[[Callable[[str, Any], None]], Workers],
        store: Store,
        display: Display,
        since: int,
        failed: Callable[[Submission, str], None],
        died: Callable[[Submission], None],
    ):
        self._make_workers = workers
        self._store, self._display, self._since = store, display, since
        self._failed, self._died = failed, died
        self.results: dict[str, Result] = {}
        self._kept: set[str] = set()  # judged in this run, and in the store
        self._waiting: dict[str, list[Submission]] = {}
        self._workers: Workers | None = None
        self._gone = ""  # why the cluster judges nothing more
        self._stack = ExitStack()

    def __enter__(self) -> "Dispatcher":
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    @property
    def has_room(self) -> bool:
        """Whether the workers should be given more, so that none of them is idle."""
        return self._workers is None or bool(self._gone) or self._workers.room > 0

    @property
    def is_busy(self) -> bool:
        """Whether anybody waits for a result."""
        return bool(self._waiting)

    @property
    def has_answer(self) -> bool:
        """Whether :meth:`receive` need not wait."""
        return self.is_busy and self._workers is not None and self._workers.ready

    def is_known(self, key: str) -> bool:
        """Whether the result with this key need not be judged."""
        return key in self._kept or key in self.results or self._store.get(key, self._since) is not None

    def send(self, submission: Submission, jobs: dict[str, NotebookJob]) -> None:
        """Have these jobs judged for a submission, unless somebody waits for them already."""
        new = jobs.keys() - self._waiting.keys()
        for key in jobs:
            self._waiting.setdefault(key, []).append(submission)
        for key in jobs:
            if key in new and key in self._waiting:  # else the cluster has gone, and the submission is done with
                self._send(key, jobs[key])

    def _send(self, key: str, job: NotebookJob) -> None:
        try:
            if self._workers is None and not self._gone:
                self._workers = self._stack.enter_context(self._make_workers(self._begun))
                renderer().start()  # nobody waits for it when the first result is written
            if self._workers is not None and not self._gone:
                self._workers.send(key, job)
        except ClusterGone as problem:
            self._gone = str(problem)
        except Exception as problem:  # this job cannot be sent
            self._fail(key, reason(problem) or unforeseen(problem))
        if self._gone:
            self._fail(key, self._gone)

    def receive(self) -> list[Submission]:
        """Wait for an answer; returns the submissions that lack no result any more."""
        assert self._workers is not None
        try:
            key, answer = self._workers.next()
        except ClusterGone as problem:
            self._gone = str(problem)
            for waited_for in list(self._waiting):
                self._fail(waited_for, self._gone)
            return []
        for submission in self._waiting.get(key, ())[:1]:  # nobody may wait any more
            self._display.judged(answer.worker, submission.student)
        for submission in self._waiting.get(key, ()):
            if answer.warning:
                self._display.note(f"{submission.student}: {answer.warning}")
            if answer.died:
                self._died(submission)
        if answer.result is None:
            self._fail(key, f"{answer.host}: {answer.fault}" if answer.host else answer.fault)
            return []
        self._keep(key, answer, answer.result)
        served = self._waiting.pop(key, [])
        for submission in served:
            submission.seconds += answer.seconds
            for warning in answer.result.warnings:
                self._display.note(f"{submission.student}: {warning}")
        return [submission for submission in served if not self._lacks(submission)]

    def forget(self) -> None:
        """Hold no result that nobody needs any more."""
        needed = {key for waiting in self._waiting.values() for other in waiting for key in other.keys.values()}
        for key in self.results.keys() - needed:
            del self.results[key]

    def is_provisional(self, submission: Submission) -> bool:
        """Whether a fault of ours went into a result of it."""
        return any(key in self.results and not self.results[key].cacheable for key in submission.keys.values() if key)

    def _lacks(self, submission: Submission) -> bool:
        return any(submission in waiting for waiting in self._waiting.values())

    def _keep(self, key: str, answer: Answer, result: Result) -> None:
        self.results[key] = result
        try:
            self._store.put(key, result)
        except OSError as problem:
            whose = ", ".join(submission.student for submission in self._waiting.get(key, ()))
            self._display.note(NOT_KEPT % (whose, problem))
        else:
            self._kept |= {key} if result.cacheable else set()

    def _begun(self, worker: str, key: Any) -> None:
        """A worker begins with the job of this key; called in another thread."""
        waiting = self._waiting.get(key)
        if waiting:
            self._display.judging(worker, waiting[0].student)

    def _fail(self, key: str, why: str) -> None:
        """Give up all that wait for this result."""
        for submission in self._waiting.pop(key, ()):
            for other in [other for other, waiting in self._waiting.items() if submission in waiting]:
                self._waiting[other] = [waiting for waiting in self._waiting[other] if waiting is not submission]
                if not self._waiting[other]:
                    del self._waiting[other]
            self._failed(submission, why)
