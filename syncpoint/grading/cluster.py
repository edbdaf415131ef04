"""The Dask cluster that judges. Imported only for a run that names one, because Dask takes half a second."""

import asyncio
import contextlib
import importlib.util
import itertools
import logging
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from typing import Any

from distributed import Client, KilledWorker
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.comm.registry import get_backend

from ..judge.job import GradingSpec, JudgeReply
from .pool import Judged, NoCluster, PendingJob, Pool, judge

CONNECT_SECONDS = 20
CLOSE_SECONDS = 5
WORKERLESS_SECONDS = 60  # how long the cluster may be without any worker
LOOK_SECONDS = 2.0  # between two checks for scheduler and workers
NO_ADDRESS = "{!r} is not a scheduler address ({}): write it like tcp://host:8786."
SCHEDULER_WITHOUT_US = (
    "The scheduler has no Syncpoint, or cannot report it ({}): start it with the tools of the same version of "
    "this repository."
)
WITHOUT_US = "The worker {} has no Syncpoint: install the tools there (see docs/how-to/grade.md)."
WORKERLESS = (
    "For {} s, no worker of the scheduler could judge. A worker that stops right after joining has no Syncpoint "
    "or a different version: check what it printed."
)
LEFT_OUT = "Continuing without one worker. {}"
SCHEDULER_GONE = "The scheduler has stopped ({})."


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Client]:
    """Yield the cluster whose scheduler is at an address, with keys from Dask's configuration, or raise NoCluster."""
    for name in ("distributed", "distributed.client", "tornado.application"):  # our own messages report its errors
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:  # a client with invalid arguments takes long to close
        scheme, place = parse_address(address, strict=True)
        get_backend(scheme)
        parse_host_port(place)
    except ValueError as problem:
        raise NoCluster(NO_ADDRESS.format(address, problem)) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        raise NoCluster(f"No scheduler responds at {address} ({problem}).") from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # a scheduler that has ended needs no goodbye
            client.close(timeout=CLOSE_SECONDS)


class ClusterPool(Pool):
    """The jobs that a cluster's workers are judging.

    ``begun`` gets a worker and the key of the job that it is at, ``there`` all workers, and ``note`` a message about
    each worker that cannot judge.
    """

    patience = LOOK_SECONDS

    def __init__(
        self,
        client: Client,
        spec: GradingSpec,
        begun: Callable[[str, str], None],
        there: Callable[[list[str]], None],
        note: Callable[[str], None],
    ):
        super().__init__(client.get_executor(pure=False), 1, spec, begun)
        self._client, self._there, self._note = client, there, note
        self._name, self._numbers = f"syncpoint-{uuid.uuid4().hex[:12]}", itertools.count()
        self._keys: dict[str, str] = {}  # Dask's name of a task -> the key of its job
        self._at: dict[str, set[str]] = {}  # worker -> its tasks at the last check
        self._threads: dict[str, int] = {}  # worker -> number of jobs that it judges at a time
        self._left: dict[str, str] = {}  # worker that cannot judge -> its reason
        self._able_at = time.monotonic()  # when a usable worker was last seen
        self._proven = False  # whether a worker has judged a job
        self._looked = 0.0
        try:
            client.run_on_scheduler(importlib.util.find_spec, __name__)
        except Exception as problem:  # a worker that cannot even read the request
            raise NoCluster(SCHEDULER_WITHOUT_US.format(type(problem).__name__)) from None
        self.look()

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        with contextlib.suppress(asyncio.CancelledError, Exception):
            self.executor.shutdown(wait=False)

    def call(self, out: PendingJob, *arguments: Any) -> "Future[Judged]":
        out.workers = self._able() if self._left else None
        if out.workers == []:  # until a worker appears, see :meth:`look`
            return Future()
        name = f"{self._name}-{next(self._numbers)}"
        self._keys[name] = out.key
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # a student's files may be large
            executor: Any = self.executor
            return executor.submit(judge, *arguments, key=name, workers=out.workers)

    def leave_out(self, out: PendingJob, reply: JudgeReply) -> None:
        """Send nothing more to a worker, and report why; its job counts as not tried."""
        out.attempts -= 1
        self._leave_out(reply.worker, reply.fault)
        self._give_up()

    def _leave_out(self, worker: str, why: str) -> None:
        if worker not in self._left:
            self._note(LEFT_OUT.format(why))
        self._left[worker] = why

    def look(self) -> None:
        """Check which workers exist and what they are doing, and give them the jobs of lost workers."""
        if self.gone:
            return
        try:
            known = self._client.scheduler_info(n_workers=-1)["workers"]
            new = [worker for worker in known if worker not in self._threads]
            found = self._client.run(importlib.util.find_spec, __name__, workers=new, on_error="return") if new else {}
            at = self._client.processing()
        except (asyncio.CancelledError, Exception) as problem:  # a client that lost its scheduler raises many kinds
            return self._lose(SCHEDULER_GONE.format(f"{type(problem).__name__}: {problem}"))
        self._looked = time.monotonic()
        self._threads = {worker: about["nthreads"] for worker, about in known.items()}
        self._there(list(known))
        for worker, spec in found.items():
            if spec is None or isinstance(spec, ModuleNotFoundError):
                self._leave_out(worker, WITHOUT_US.format(worker))
        able = self._able()
        self.count = max(1, sum(self._threads[worker] for worker in able))
        for worker in able:
            now = set(at.get(worker, ())[: self._threads[worker]])
            for name in now - self._at.get(worker, set()):
                if name in self._keys:
                    self.begun(worker, self._keys[name])
            self._at[worker] = now
        if able or not self.out:
            self._able_at = self._looked
        elif self._looked - self._able_at > WORKERLESS_SECONDS:
            return self._lose(WORKERLESS.format(WORKERLESS_SECONDS))
        for out in [out for out in self.out if able and out.workers is not None and not {*able} & {*out.workers}]:
            old, out.attempts = out.future, out.attempts - 1
            self.submit(out)
            if old is not None:
                old.cancel()
        self._give_up()

    def receive(self) -> tuple[str, JudgeReply] | None:
        """Return the next reply, and the key of its job; None at the end of the patience."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self.look()
        return super().receive()

    def fault(self, problem: BaseException) -> str:
        if isinstance(problem, KilledWorker):
            return f"every worker that took it died, the last one at {problem.last_worker.address}."
        if isinstance(problem, (asyncio.CancelledError, CancelledError)):
            self._lose(SCHEDULER_GONE.format("its pending work is lost"))
            return self.gone
        self.look()  # a worker without the package may have appeared
        return super().fault(problem)

    def _able(self) -> list[str]:
        return [worker for worker in self._threads if worker not in self._left]

    def _give_up(self) -> None:
        """Stop judging if no worker can judge and none ever has; otherwise wait for another one."""
        if self._left and not self._able() and not self._proven:
            self._lose(next(iter(self._left.values())))

    def _lose(self, why: str) -> None:
        """Stop judging: all pending jobs fail."""
        self.gone = self.gone or why
        for out in self.out:
            if out.future is not None and not out.future.done():
                self.submit(out)

    def _reply(self, out: PendingJob, future: "Future[Judged]") -> JudgeReply:
        reply = super()._reply(out, future)
        self._proven = self._proven or reply.result is not None
        return reply
