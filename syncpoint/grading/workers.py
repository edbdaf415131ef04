"""Who judges the jobs of a run, wherever they are: what the coordinator asks of them."""

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Protocol, Self

from ..core.errors import SyncpointError
from ..judge.answer import Answer
from ..judge.job import NotebookJob, from_json
from .processes import Said

TRIES = 4  # for a job that cannot be judged
AHEAD = 3  # jobs that wait at each worker, so that none is idle while the coordinator writes


class ClusterGone(SyncpointError):
    """The cluster judges nothing more; the text says why."""


class Workers(AbstractContextManager["Workers"], Protocol):
    """All that judge for a run."""

    def __enter__(self) -> Self:
        """Make them ready.

        Raises:
            ClusterGone: If the cluster is no more.
        """

    @property
    def room(self) -> int:
        """How many jobs more they should be given now."""

    @property
    def ready(self) -> bool:
        """Whether an answer is there already."""

    def send(self, job_key: Any, job: NotebookJob) -> None:
        """Have a job judged.

        Raises:
            ClusterGone: If the cluster is no more.
        """

    def next(self) -> tuple[Any, Answer]:
        """Return the next answer, and the job_key of its job.

        Raises:
            ClusterGone: If the cluster is no more.
        """


def answer_of(said: Said, job: bytes) -> Answer:
    """What a worker said, looked at: it has to fit the notebook.

    Args:
        said: Its words.
        job: As JSON.

    Returns:
        The answer; one that does not fit is a fault.

    Raises:
        Malformed: If it is no answer.
    """
    if said.died:
        return Answer(None, said.died, died=True, worker=said.worker)
    answer = replace(from_json(Answer, said.answer), worker=said.worker, warning=said.warning)
    if answer.result is None or answer.result.fits(from_json(NotebookJob, job).as_notebook()):
        return answer
    return Answer(None, f"the answer of {answer.host} does not fit the notebook.")
