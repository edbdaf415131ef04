"""What the coordinator puts into every worker of the cluster: the kit, and judging processes beside the worker."""

import asyncio
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any

from distributed import Worker, WorkerPlugin

from .process import begin, ready

CHILDLESS = (
    "The worker {address} may not start processes of its own. Start it with `--no-nanny`, or with "
    "DASK_DISTRIBUTED__WORKER__DAEMON=False in its environment."
)


class UnfitWorker(Exception):
    """A worker of the cluster is set up so that it can judge nothing; the text says how to start it.

    address: of the worker.
    """

    def __init__(self, text: str, address: str):
        super().__init__(text, address)
        self.text, self.address = text, address

    def __str__(self) -> str:
        return self.text


class Refusing(Executor):
    """Takes nothing: on a worker that cannot judge."""

    def __init__(self, problem: UnfitWorker):
        self._problem = problem

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future:
        """A result that is the problem."""
        refused: Future = Future()
        refused.set_exception(self._problem)
        return refused


class JudgingProcesses(Executor):
    """As many judging processes as the worker has threads, remade when one of them was killed.

    kit: as JSON.  worker: the address of the worker.
    """

    def __init__(self, kit: bytes, worker: str, count: int):
        self._kit, self._worker, self._count = kit, worker, count
        self._lock = threading.Lock()
        self._lifeline, self._pool = self._start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future:
        """Run a function in one of the processes."""
        with self._lock:
            try:
                return self._pool.submit(function, *arguments, **keywords)
            except BrokenProcessPool:
                self._lifeline.close()
                self._lifeline, self._pool = self._start()
                return self._pool.submit(function, *arguments, **keywords)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes, whatever they are at."""
        self._lifeline.close()
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _start(self) -> tuple[Connection, ProcessPoolExecutor]:
        context = multiprocessing.get_context("spawn")
        reader, lifeline = context.Pipe(duplex=False)
        given = (self._kit, self._worker, reader)
        return lifeline, ProcessPoolExecutor(self._count, mp_context=context, initializer=begin, initargs=given)


class JudgePlugin(WorkerPlugin):
    """Gives a worker its judging processes, and tells the coordinator what they are at.

    name: of this grading run; executor, events and the keys of tasks are named after it.  kit: as JSON.
    """

    def __init__(self, name: str, kit: bytes):
        self.name, self._kit = name, kit

    def setup(self, worker: Worker) -> None:
        """Start the processes, or refuse what comes where there can be none."""
        self._worker = worker
        self._processes: Executor
        if multiprocessing.current_process().daemon:
            problem = UnfitWorker(CHILDLESS.format(address=worker.address), worker.address)
            self._processes = Refusing(problem)
        else:
            self._processes = JudgingProcesses(self._kit, worker.address, worker.state.nthreads)
            self._processes.submit(ready)
        worker.executors[self.name] = self._processes

    async def teardown(self, worker: Worker) -> None:
        """End the processes."""
        worker.executors.pop(self.name, None)
        await asyncio.to_thread(self._processes.shutdown)

    def transition(self, key: Any, start: str, finish: str, **more: Any) -> None:
        """Tell what begins to be judged here."""
        if finish == "executing" and str(key).startswith(self.name):
            self._worker.log_event(self.name, {"task": key, "worker": self._worker.address})
