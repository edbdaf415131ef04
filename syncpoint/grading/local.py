"""The workers of this machine: judging processes, each in the hands of a thread of the coordinator's."""

import queue
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ..judge.answer import Answer
from ..judge.job import GradingSpec, NotebookJob, to_json
from ..judge.judging_process import JudgingProcess
from .processes import JudgingProcesses, Said, judge, name, own_name
from .workers import AHEAD, TRIES, ClusterGone, answer_of

WARM_SECONDS = 7 * 24 * 3600.0


def _unheard(*_: object) -> None:
    """Nobody needs to know."""


@dataclass
class _Task:
    """A job that is out."""

    job_key: Any
    job: bytes
    tries: int = 0


class Warm:
    """Judging processes that outlive a run, with what they have ready: the next run need not start them.

    Args:
        count: How many judge at a time.
        engines: The folder that holds the engines' environments.
    """

    def __init__(self, count: int, engines: Path):
        self.count, self._engines = count, engines
        self._processes: JudgingProcesses | None = None
        self.take(b"", 0)  # the first job need not wait for their start

    def take(self, spec: bytes, mib: int) -> JudgingProcesses:
        """The processes, for jobs of this spec."""
        if self._processes is None:
            self._processes = JudgingProcesses(spec, mib, "", self.count, self._engines, WARM_SECONDS)
        self._processes.use(spec, mib)
        return self._processes

    def load(self, spec: GradingSpec, job: NotebookJob) -> None:
        """Have each of them load what a spec needs, by a job that is like those to come and does nothing.

        Raises:
            ClusterGone: If this machine judges nothing.
        """
        with LocalWorkers(self.count, self._engines, spec, _unheard, _unheard, self) as workers:
            for number in range(self.count):
                workers.send(number, job)
            for _ in range(self.count):
                workers.next()

    def close(self) -> None:
        """End them, whatever they are at; whoever takes them again gets new ones."""
        if self._processes is not None:
            self._processes.shutdown()
        self._processes = None


@dataclass
class LocalWorkers:
    """The workers of this machine, ready to judge jobs of one spec.  Use as a context manager.

    Attributes:
        count: How many judge at a time.
        engines: The folder that holds the engines' environments.
        spec: What judges.
        tell: Is called, in another thread, with a worker and the job_key that it begins to judge.
        there: Is called with the workers that there are.
        warm: Those that are there already; None to start some for this run.
        started: One that was started for this run while all else was loaded.
    """

    count: int
    engines: Path
    spec: GradingSpec
    tell: Callable[[str, Any], None]
    there: Callable[[list[str]], None]
    warm: Warm | None = None
    started: JudgingProcess | None = None

    def __enter__(self) -> Self:
        """Start them.

        Returns:
            The workers.
        """
        self._out = 0
        self._unfit = 0  # answers, one after the other, that this machine judges nothing of this spec
        self._done: queue.SimpleQueue[tuple[_Task, Future[Said]]] = queue.SimpleQueue()
        spec, mib = to_json(self.spec), self.spec.limits.judge_mib
        if self.warm is not None:
            self._processes = self.warm.take(spec, mib)
        else:
            self._processes = JudgingProcesses(spec, mib, "", self.count, self.engines, started=self.started)
        self.there([name(number) for number in range(1, self.count + 1)])
        return self

    def __exit__(self, *exception: object) -> None:
        if self.warm is None:
            self._processes.shutdown()
        elif self._out:  # they are at jobs that nobody waits for any more
            self.warm.close()

    @property
    def room(self) -> int:
        """How many jobs more the workers should be given now."""
        return self.count * (1 + AHEAD) - self._out

    @property
    def ready(self) -> bool:
        """Whether an answer is there already."""
        return not self._done.empty()

    def send(self, job_key: Any, job: NotebookJob) -> None:
        """Have a job judged.

        Args:
            job_key: Comes back with the answer.
            job: The notebook.
        """
        self._send(_Task(job_key, to_json(job)))

    def next(self) -> tuple[Any, Answer]:
        """Return the next answer, and the job_key of its job.

        Raises:
            ClusterGone: If this machine judges nothing more.
        """
        while True:
            task, future = self._done.get()
            self._out -= 1
            answer = self._answer(future, task)
            self._unfit = self._unfit + 1 if answer.unfit else 0
            if self._unfit == TRIES:
                raise self._gone(answer.fault)
            if answer.result is not None or answer.died or task.tries == TRIES:
                return task.job_key, answer
            self._send(task)

    def _send(self, task: _Task) -> None:
        task.tries += 1
        try:
            future = self._processes.submit(self._judge, task)
        except RuntimeError as problem:  # one could not even be started
            raise self._gone(f"The workers of this machine do not start ({problem}).") from None
        self._out += 1
        future.add_done_callback(lambda done: self._done.put((task, done)))

    def _gone(self, why: str) -> ClusterGone:
        """They judge nothing more: the next run gets new ones."""
        if self.warm is not None:
            self.warm.close()
        return ClusterGone(why)

    def _judge(self, task: _Task) -> Said:
        self.tell(own_name(), task.job_key)
        return judge(task.job)

    def _answer(self, future: Future[Said], task: _Task) -> Answer:
        """What came back; everything that went wrong between here and the judge is a fault."""
        try:
            return answer_of(future.result(), task.job)
        except Exception as problem:
            return Answer(None, f"a worker could not take it ({type(problem).__name__}: {problem}).")
