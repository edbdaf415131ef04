"""What the coordinator puts into every worker of the cluster: the spec, and judging processes beside the worker."""

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Worker, WorkerPlugin

from ..judge.again import judge_or_again
from ..judge.judging_process import JudgeDied, JudgingProcess

ENGINES = "SYNCPOINT_ENGINES"  # the variable that names the folder of the engines' environments


class Said(NamedTuple):
    """What a worker says to one job.

    Attributes:
        worker: Its address.
        answer: As JSON; b"" where every judge of this job died, and ``died`` says how.
        warning: For whoever grades.
    """

    worker: str
    answer: bytes = b""
    warning: str = ""
    died: str = ""


def own_engines() -> Path:
    """The folder that holds the environments of the engines: named by a variable, else where the tools are."""
    return Path(os.environ.get(ENGINES) or Path(sys.prefix).parent)


class JudgingProcesses(ThreadPoolExecutor):
    """As many judging processes as the worker has threads, each in the hands of a thread of its own.

    Args:
        spec: As JSON.
        mib: The memory that each process may take.
        worker: The address of the worker.
        count: How many.
        engines: The folder that holds the engines' environments; None for where this worker has its own.
    """

    def __init__(self, spec: bytes, mib: int, worker: str, count: int, engines: Path | None = None):
        super().__init__(count, initializer=self._begin)
        self._spec, self._mib, self._worker, self._engines = spec, mib, worker, engines or own_engines()
        self._all: list[JudgingProcess] = []
        for _ in range(count):  # no job need wait for its start
            self.submit(_own_process)

    def _begin(self) -> None:
        _own.process, _own.judge = JudgingProcess(self._engines), self._judge
        self._all.append(_own.process)
        _own.process.start()

    def _judge(self, job: bytes) -> Said:
        try:
            return Said(self._worker, *judge_or_again(_own.process, self._spec, job, self._mib))
        except JudgeDied as problem:
            return Said(self._worker, died=str(problem))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes, whatever they are at."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        for process in self._all:
            process.end()
        super().shutdown(wait=wait)


_own = threading.local()  # what a thread of the executor works with


def _own_process() -> JudgingProcess:
    return _own.process


def judge(job: bytes) -> Said:
    """Have a job judged by the process of this thread.  It is JSON."""
    return _own.judge(job)


class JudgePlugin(WorkerPlugin):
    """Gives a worker its judging processes, and tells the coordinator what they are at.

    Args:
        name: Of this grading run; executor, events and the keys of tasks are named after it.
        spec: As JSON.
        mib: The memory that each judging process may take.
        engines: The folder that holds the engines' environments; "" for where each worker has its own.
    """

    def __init__(self, name: str, spec: bytes, mib: int, engines: str):
        self.name, self._spec, self._mib, self._engines = name, spec, mib, engines

    def setup(self, worker: Worker) -> None:
        """Make room for the processes; each starts with its first job."""
        self._worker = worker
        engines = Path(self._engines) if self._engines else None
        self._processes = JudgingProcesses(self._spec, self._mib, worker.address, worker.state.nthreads, engines)
        worker.executors[self.name] = self._processes

    async def teardown(self, worker: Worker) -> None:
        """End the processes."""
        worker.executors.pop(self.name, None)
        await asyncio.to_thread(self._processes.shutdown)

    def transition(self, key: Any, start: str, finish: str, **more: Any) -> None:
        """Tell what begins to be judged here."""
        if finish == "executing" and str(key).startswith(self.name):
            self._worker.log_event(self.name, {"task": key, "worker": self._worker.address})
