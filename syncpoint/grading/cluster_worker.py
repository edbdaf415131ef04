"""What the coordinator puts into every worker of the cluster: the spec, and judging processes beside the worker."""

import asyncio
from typing import Any

from distributed import Worker, WorkerPlugin

from .processes import JudgingProcesses


class JudgePlugin(WorkerPlugin):
    """Gives a worker its judging processes, and tells the coordinator what they are at.

    Args:
        name: Of this grading run; executor, events and the keys of tasks are named after it.
        spec: As JSON.
        mib: The memory that each judging process may take.
    """

    def __init__(self, name: str, spec: bytes, mib: int):
        self.name, self._spec, self._mib = name, spec, mib

    def setup(self, worker: Worker) -> None:
        """Make room for the processes; each starts with its first job."""
        self._worker = worker
        self._processes = JudgingProcesses(self._spec, self._mib, worker.address, worker.state.nthreads)
        worker.executors[self.name] = self._processes

    async def teardown(self, worker: Worker) -> None:
        """End the processes."""
        worker.executors.pop(self.name, None)
        await asyncio.to_thread(self._processes.shutdown)

    def transition(self, key: Any, start: str, finish: str, **more: Any) -> None:
        """Tell what begins to be judged here."""
        if finish == "executing" and str(key).startswith(self.name):
            self._worker.log_event(self.name, {"task": key, "worker": self._worker.address})
