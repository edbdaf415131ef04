"""The Dask cluster that judges, wherever it is.  Imported only for a run that names one: Dask takes half a second."""

import contextlib
import importlib.util
import itertools
import logging
import queue
import time
import uuid
import warnings
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import dask
from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.comm.registry import get_backend

from ..judge.answer import Answer
from ..judge.job import GradingSpec, NotebookJob, to_json
from .cluster_worker import JudgePlugin
from .processes import judge
from .workers import AHEAD, TRIES, ClusterGone, answer_of

CONNECT_SECONDS = 20
CLOSE_SECONDS = 5
FETCH_SECONDS = 30  # an answer lies at the worker that gave it, and that may have gone since
WORKERLESS_SECONDS = 60  # how long the cluster may be without any worker
LOOK_SECONDS = 2.0  # between two looks at whether scheduler and workers are there
NO_ADDRESS = "{!r} is no address of a scheduler ({}): write it like tcp://host:8786."
SCHEDULER_WITHOUT_US = (
    "The scheduler has no Syncpoint, or cannot say so ({}): start it with the tools of the same version of "
    "this repository."
)
WITHOUT_US = "The worker {} has no Syncpoint: install the tools there too (docs/operators.md says how)."
WORKERLESS = (
    "The scheduler has had no worker for {} s that can judge. One that ended as soon as it joined has no Syncpoint, or "
    "another version of it: see what it printed itself."
)
LEFT_OUT = "Judged without one worker. {}"
SCHEDULER_GONE = "The scheduler has gone ({reason})."


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Client]:
    """Yield the cluster whose scheduler answers at ``address``.

    Keys and certificates come from Dask's own configuration.

    Raises:
        ClusterGone: If nobody is left who judges.
    """
    for name in ("distributed", "distributed.client"):  # its troubles are told in our own words
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:  # a client that was made with nonsense takes long to go
        scheme, place = parse_address(address, strict=True)
        get_backend(scheme)
        parse_host_port(place)
    except ValueError as problem:
        raise ClusterGone(NO_ADDRESS.format(address, problem)) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        raise ClusterGone(f"No scheduler answers at {address} ({problem}).") from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # a scheduler that has gone needs no goodbye
            client.close(timeout=CLOSE_SECONDS)


@dataclass
class _Task:
    """A job that is out.

    Attributes:
        fit: The workers that may take it; None for all.
        future: Kept, since Dask drops what nobody holds.
    """

    job_key: Any
    job: bytes
    tries: int = 0
    key: str = ""
    fit: list[str] | None = None
    future: Future | None = None


@dataclass
class ClusterWorkers:
    """All workers of a cluster, ready to judge jobs of one spec.  Use as a context manager.

    Attributes:
        client: A connection to the cluster.
        spec: What judges.
        tell: Is called, in another thread, with a worker and the job_key that it begins to judge.
        there: Is called with the workers that there are.
        note: Is told of those that cannot judge.
    """

    client: Client
    spec: GradingSpec
    tell: Callable[[str, Any], None]
    there: Callable[[list[str]], None]
    note: Callable[[str], None]
    unfit: dict[str, str] = field(default_factory=dict)  # worker: its own words
    threads: dict[str, int] = field(default_factory=dict)  # worker: how many jobs it judges at a time

    def __enter__(self) -> Self:
        """Give every worker the spec, also those that join later.

        Returns:
            The workers.

        Raises:
            ClusterGone: If nobody is left who judges.
        """
        self._name = f"syncpoint-{uuid.uuid4().hex[:12]}"
        self._numbers = itertools.count()
        self._tasks: dict[str, _Task] = {}
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._seen = time.monotonic()
        self._proven = False  # whether a worker of this cluster has judged a job
        self._look()
        self._leave_out_strangers()
        try:
            plugin = JudgePlugin(self._name, to_json(self.spec), self.spec.limits.judge_mib)
            self.client.register_plugin(plugin, name=self._name)
        except Exception as problem:  # whatever a worker of any version raises; it comes with the worker's own type
            if not self.unfit:  # else it is theirs
                raise ClusterGone(
                    f"A worker cannot be made ready to judge ({type(problem).__name__}: {problem})."
                ) from None
        self.client.subscribe_topic(self._name, self._on_event)
        return self

    def __exit__(self, *exception: object) -> None:
        self._tasks.clear()
        # A cluster that has gone cannot be told goodbye; its workers end their judging processes by themselves.
        with contextlib.suppress(Exception):
            self.client.unsubscribe_topic(self._name)
            self.client.unregister_worker_plugin(self._name)

    @property
    def room(self) -> int:
        """How many jobs more the cluster should be given now."""
        return max(1, sum(self.threads[worker] for worker in self._able())) * (1 + AHEAD) - len(self._tasks)

    @property
    def waiting(self) -> bool:
        """Whether any job has no answer yet."""
        return bool(self._tasks)

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
        if not self._tasks:
            self._seen = time.monotonic()  # nobody was needed until now
        self._send(_Task(job_key, to_json(job)))

    def next(self) -> tuple[Any, Answer]:
        """Return the next answer, and the job_key of its job.

        Raises:
            ClusterGone: If nobody is left who judges.
        """
        while True:
            if time.monotonic() - self._looked > LOOK_SECONDS:
                self._look()
                self._send_elsewhere()
            try:
                future = self._done.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            task = self._tasks.pop(str(future.key), None)
            if task is None:  # it was sent elsewhere meanwhile
                continue
            answer = self._answer(future, task)
            self._proven = self._proven or answer.result is not None
            if answer.unfit:
                self._leave_out(answer.worker, answer.fault)
            if answer.result is not None or answer.died or task.tries >= TRIES:
                return task.job_key, answer
            self._send(task)

    def _send(self, task: _Task) -> None:
        task.key = f"{self._name}-{next(self._numbers)}"
        self._tasks[task.key] = task
        task.fit = self._fit()
        if task.fit == []:
            return  # until a worker comes
        task.tries += 1
        try:
            with dask.annotate(executor=self._name), warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph")  # a student's files may be large
                task.future = self.client.submit(judge, task.job, key=task.key, pure=False, workers=task.fit)
        except Exception as problem:  # a client that lost its scheduler raises many kinds
            raise ClusterGone(SCHEDULER_GONE.format(reason=f"{type(problem).__name__}: {problem}")) from None
        task.future.add_done_callback(self._done.put)

    def _answer(self, future: Future, task: _Task) -> Answer:
        """What came back; everything that went wrong between here and the judge is a fault."""
        try:
            return answer_of(future.result(timeout=FETCH_SECONDS), task.job)
        except (FutureCancelledError, CancelledError):
            raise ClusterGone(SCHEDULER_GONE.format(reason="what it had to do is lost")) from None
        except KilledWorker as problem:
            fault = f"every worker that took it died, the last one at {problem.last_worker.address}."
        except TimeoutError:
            fault = "its answer could not be fetched."
        except Exception as problem:  # a worker without the package, or with another version of it
            fault = f"a worker could not take it ({type(problem).__name__}: {problem})."
        return Answer(None, fault)

    def _fit(self) -> list[str] | None:
        """Return the workers that may judge; None for all.

        Where one has judged already, another one like it may come.

        Raises:
            ClusterGone: If none may.
        """
        if not self.unfit:
            return None
        self._look()
        if not self._able() and not self._proven:
            raise ClusterGone(next(iter(self.unfit.values())))
        return self._able()

    def _leave_out_strangers(self) -> None:
        """Find the workers that have no Syncpoint: what they are sent cannot even be read there."""
        try:
            self.client.run_on_scheduler(importlib.util.find_spec, JudgePlugin.__module__)
        except (OSError, CancelledError) as problem:
            raise ClusterGone(SCHEDULER_GONE.format(reason=f"{type(problem).__name__}: {problem}")) from None
        except Exception as problem:
            raise ClusterGone(SCHEDULER_WITHOUT_US.format(type(problem).__name__)) from None
        try:
            found = self.client.run(importlib.util.find_spec, JudgePlugin.__module__, on_error="return")
        except Exception as problem:  # a client that lost its scheduler raises many kinds
            raise ClusterGone(SCHEDULER_GONE.format(reason=f"{type(problem).__name__}: {problem}")) from None
        for worker, spec in found.items():
            if spec is None or isinstance(spec, Exception):
                self._leave_out(worker, WITHOUT_US.format(worker))

    def _leave_out(self, worker: str, reason: str) -> None:
        """Send nothing more to a worker, and say why."""
        if worker not in self.unfit:
            self.note(LEFT_OUT.format(reason))
        self.unfit[worker] = reason

    def _able(self) -> list[str]:
        """Of the workers that were there at the last look those that may judge."""
        return [worker for worker in self.threads if worker not in self.unfit]

    def _send_elsewhere(self) -> None:
        """Dask keeps a job for the workers it was meant for: when these have gone, the others get it."""
        able = set(self._able())
        for task in [task for task in self._tasks.values() if task.fit is not None and not able.intersection(task.fit)]:
            if able:
                del self._tasks[task.key]
                self._send(task)

    def _look(self) -> None:
        """See which workers there are.

        Raises:
            ClusterGone: If the scheduler, or all workers for long, are not.
        """
        try:
            known = self.client.scheduler_info()["workers"]
        except (CancelledError, Exception) as problem:
            raise ClusterGone(SCHEDULER_GONE.format(reason=f"{type(problem).__name__}: {problem}")) from None
        self.threads = {address: worker["nthreads"] for address, worker in known.items()}
        self.there(list(self.threads))
        self._looked = time.monotonic()
        self._seen = self._looked if self._able() else self._seen
        if self._looked - self._seen > WORKERLESS_SECONDS:
            raise ClusterGone(WORKERLESS.format(WORKERLESS_SECONDS))

    def _on_event(self, event: tuple[float, Any]) -> None:
        """A worker began a task."""
        _, said = event
        task = self._tasks.get(said["task"])
        if task is not None:
            self.tell(said["worker"], task.job_key)
