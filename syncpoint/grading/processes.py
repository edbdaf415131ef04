"""Judging processes in the hands of threads: those of this machine, or those beside a worker of a cluster."""

import contextlib
import itertools
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ..judge.judging_process import JudgeDied, JudgingProcess
from ..judge.retry import judge_or_again

ENGINES = "SYNCPOINT_ENGINES"  # the variable that names the folder of the engines' environments


class Said(NamedTuple):
    """What a worker says to one job.

    Attributes:
        worker: Its address, or its name on this machine.
        answer: As JSON; b"" where every judge of this job died, and ``died`` says how.
        warning: For whoever grades.
        died: How its judges died.
    """

    worker: str
    answer: bytes = b""
    warning: str = ""
    died: str = ""


def own_engines() -> Path:
    """The folder that holds the environments of the engines: named by a variable, else where the tools are."""
    return Path(os.environ.get(ENGINES) or Path(sys.prefix).parent)


def name(number: int) -> str:
    """How people know a judging process of this machine; the first one has number 1."""
    return f"worker {number}"


class JudgingProcesses(ThreadPoolExecutor):
    """As many judging processes as jobs are judged at a time, each in the hands of a thread of its own.

    Args:
        spec: As JSON.
        mib: The memory that each process may take.
        worker: The address of the worker; "" on this machine, where each has a name of its own.
        count: How many.
        engines: The folder that holds the engines' environments; None for where this worker has its own.
        idle_seconds: How long they wait for a job; 0 for as long as is usual.
        started: One that is there already.
    """

    def __init__(
        self,
        spec: bytes,
        mib: int,
        worker: str,
        count: int,
        engines: Path | None = None,
        idle_seconds: float = 0.0,
        started: JudgingProcess | None = None,
    ):
        super().__init__(count, initializer=self._begin)
        self._spec, self._mib, self._worker, self._engines = spec, mib, worker, engines or own_engines()
        self._idle_seconds = idle_seconds
        self._started = [started] if started is not None else []
        self._all: list[JudgingProcess] = []
        self._numbers = itertools.count(1)
        for _ in range(count):  # no job need wait for its start
            self.submit(own_name)

    def use(self, spec: bytes, mib: int) -> None:
        """Judge by this spec from now on, with so much memory; no job is out."""
        self._spec, self._mib = spec, mib

    def _begin(self) -> None:
        try:
            _own.process = self._started.pop()
        except IndexError:
            _own.process = JudgingProcess(self._engines, self._idle_seconds)
        _own.judge = self._judge
        _own.name = self._worker or name(next(self._numbers))
        self._all.append(_own.process)
        with contextlib.suppress(JudgeDied):  # the run is over already
            _own.process.start()

    def _judge(self, job: bytes) -> Said:
        try:
            return Said(_own.name, *judge_or_again(_own.process, self._spec, job, self._mib))
        except JudgeDied as problem:
            return Said(_own.name, died=str(problem))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes, whatever they are at."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        for process in self._all:
            process.end()
        super().shutdown(wait=wait)


_own = threading.local()  # what a thread of the executor works with


def own_name() -> str:
    """The name of the worker whose thread this is."""
    return str(_own.name)


def judge(job: bytes) -> Said:
    """Have a job judged by the process of this thread.  It is JSON."""
    said: Said = _own.judge(job)
    return said
