"""The pool of judges: any ``concurrent.futures.Executor``, such as threads of this machine or a Dask cluster.

Each thread, here or in a worker of a cluster, has a judging process of its own: a notebook that kills its process takes
no other one with it.
"""

import asyncio
import contextlib
import itertools
import os
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from ..core.errors import SyncpointError
from ..judge.errors import JudgeDied
from ..judge.job import GradingSpec, JudgeReply, NotebookJob, from_json, to_json
from ..judge.judging_process import OVER, JudgingProcess

ENGINES = "SYNCPOINT_ENGINES"  # the environment variable for the folder of the engines' environments
AHEAD = 3  # jobs that wait at each worker, so that it is never idle while the coordinator writes
ATTEMPTS = 2  # for a job that cannot be judged
MISFIT = "the result from {} does not match the notebook."
NOT_TAKEN = "a worker could not accept it ({}: {})."


class NoCluster(SyncpointError):
    """There is no cluster to judge; the text says why."""


def judge(spec: bytes, job: bytes, mib: int) -> tuple[str, bytes, str]:
    """Judge one notebook; every executor runs this function, here or on another machine.

    Spec and job are JSON; the judging process may use this many MiB of memory.  Returns the worker's name, an
    :class:`~syncpoint.judge.job.JudgeReply` as JSON, and a warning for the person who grades, or "".
    """
    worker, process = _of_this_thread()
    try:
        return worker, *process.judge_or_again(spec, job, mib)
    except JudgeDied as problem:
        return worker, to_json(JudgeReply(None, str(problem), died=True)), ""


Judged = tuple[str, bytes, str]  # what :func:`judge` returns
_own = threading.local()  # a thread's own judging process


def _of_this_thread() -> tuple[str, JudgingProcess]:
    if isinstance(threads := getattr(_own, "threads", None), JudgingThreads):
        threads.used = True
        return threading.current_thread().name, threads.process()
    from distributed import get_worker

    if not hasattr(_own, "process"):
        _own.process = JudgingProcess(own_engines())
    return get_worker().address, _own.process


def own_engines() -> Path:
    """Return the folder with the engines' environments: from a variable, else the folder of the tools."""
    return Path(os.environ.get(ENGINES) or Path(sys.prefix).parent)


class JudgingThreads(ThreadPoolExecutor):
    """Threads that each hold a judging process.

    ``engines`` has the engines' environments.  Processes wait ``idle_seconds`` for a job; 0 for as long as is usual.
    """

    used = False

    def __init__(self, count: int, engines: Path, idle_seconds: float = 0.0):
        super().__init__(count, initializer=self._begin)
        self.count, self._engines, self._idle_seconds = count, engines, idle_seconds
        self._numbers, self._lock, self._over = itertools.count(1), threading.Lock(), False
        self._processes: dict[str, JudgingProcess] = {}
        self.prepare()  # so that the first job does not wait for its start

    def process(self) -> JudgingProcess:
        """The judging process of this thread. Raises JudgeDied after the end."""
        name = threading.current_thread().name
        with self._lock:
            if self._over:
                raise JudgeDied(OVER)
            if name not in self._processes:
                self._processes[name] = JudgingProcess(self._engines, self._idle_seconds)
            return self._processes[name]

    def renew(self) -> None:
        """End the processes; each thread starts another one with its next job."""
        with self._lock:
            processes = list(self._processes.values())
            self._processes.clear()
        for process in processes:
            process.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the threads and their processes, whatever they are doing."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        self._over = True
        self.renew()
        super().shutdown(wait=wait)

    def _begin(self) -> None:
        _own.threads = self
        threading.current_thread().name = f"worker {next(self._numbers)}"

    def prepare(self, sandbox: bytes = b"", count: int = 1) -> None:
        """Start this many processes, and load a sandbox's engine (a spec as JSON) in each before the first job."""

        def start() -> None:
            with contextlib.suppress(JudgeDied, OSError):  # the first job reports the problem
                self.process().start()
                if sandbox and sandbox != getattr(_own, "sandbox", b""):  # one thread may receive several of these
                    _own.sandbox = sandbox
                    self.process().prepare(sandbox)

        for _ in range(min(count, self.count)):
            self.submit(start)


@dataclass(eq=False)
class PendingJob:
    """A job that waits for its reply."""

    key: str  # the reply contains it
    job: NotebookJob
    data: bytes
    attempts: int = 0
    future: "Future[Judged] | None" = field(default=None, repr=False)  # of the last try
    workers: list[str] | None = None  # workers of a cluster that may judge it; None for all


class Pool:
    """The pending jobs of one spec. Use it as a context manager.

    No method raises because of a problem of a job or a worker.  ``executor``, which outlives the pool, judges ``count``
    jobs at a time.  ``begun`` is called, in another thread, with a worker and the key of the job that it begins.
    """

    patience: float | None = None  # the longest that :meth:`receive` waits, in seconds

    def __init__(self, executor: Executor, count: int, spec: GradingSpec, begun: Callable[[str, str], None]):
        self.executor, self.count, self.begun = executor, count, begun
        self._spec, self._mib = to_json(spec), spec.limits.judge_mib
        self.out: set[PendingJob] = set()
        self._done: queue.SimpleQueue[tuple[PendingJob, Future[Judged]]] = queue.SimpleQueue()
        self._unusable = 0  # consecutive replies that nothing of this spec can be judged
        self.gone = ""  # why judging has stopped

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for out in self.out:  # their results are no longer needed
            if out.future is not None:
                out.future.cancel()

    @property
    def free(self) -> int:
        """Return how many more jobs to submit now."""
        return self.count * (1 + AHEAD) - len(self.out)

    @property
    def busy(self) -> bool:
        """Whether a reply is expected."""
        return bool(self.out)

    @property
    def replied(self) -> bool:
        """Whether there is a reply that a caller still wants."""
        return any(out.future is not None and out.future.done() for out in self.out)

    def send(self, key: str, job: NotebookJob) -> None:
        out = PendingJob(key, job, to_json(job))
        self.out.add(out)
        self.submit(out)

    def receive(self) -> tuple[str, JudgeReply] | None:
        """Return the next reply, and the key of its job; None at the end of the patience."""
        while True:
            try:
                out, future = self._done.get(timeout=self.patience)
            except queue.Empty:
                return None
            if future is not out.future or out not in self.out:  # it was sent to another worker in the meantime
                continue
            reply = self._reply(out, future)
            if reply.unusable:
                self.leave_out(out, reply)
            if reply.result is not None or reply.died or self.gone or out.attempts >= ATTEMPTS:
                self._unusable = 0 if reply.result is not None else self._unusable
                self.out.discard(out)
                return out.key, reply
            self.submit(out)

    def submit(self, out: PendingJob) -> None:
        """Try a job, or let it fail at once."""
        out.attempts += 1
        try:
            if self.gone:
                raise RuntimeError(self.gone)
            future = self.call(out, self._spec, out.data, self._mib)
        except Exception as problem:  # an executor that has ended, or a scheduler that is gone
            future = Future()
            future.set_exception(problem)
        out.future = future
        future.add_done_callback(lambda done: self._done.put((out, done)))

    def call(self, out: PendingJob, *arguments: Any) -> "Future[Judged]":
        return self.executor.submit(self._here, out.key, *arguments)

    def _here(self, key: str, *arguments: Any) -> Judged:
        self.begun(threading.current_thread().name, key)
        return judge(*arguments)

    def leave_out(self, out: PendingJob, reply: JudgeReply) -> None:
        """Note that this machine cannot judge this spec; after the second such report the run stops trying."""
        self._unusable += 1
        if self._unusable == ATTEMPTS:
            self.gone = reply.fault
            if isinstance(self.executor, JudgingThreads):
                self.executor.renew()  # the problem may be fixed by the next run

    def _reply(self, out: PendingJob, future: "Future[Judged]") -> JudgeReply:
        """Return the result; any error between here and the judge becomes a fault."""
        try:
            worker, data, warning = future.result()
            reply = replace(from_json(JudgeReply, data), worker=worker, warning=warning)
        except (asyncio.CancelledError, Exception) as problem:
            fault = self.fault(problem)
            return JudgeReply(None, self.gone or fault)
        if reply.result is None or reply.result.fits(out.job.as_notebook()):
            return reply
        return JudgeReply(None, MISFIT.format(reply.host))

    def fault(self, problem: BaseException) -> str:
        """Why a job has no reply."""
        return NOT_TAKEN.format(type(problem).__name__, problem)
