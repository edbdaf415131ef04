"""When a notebook is judged again, alone: the process that judged it died."""

import contextlib
import threading
from collections.abc import Iterator

from .judging_process import JudgeDied, JudgingProcess

AGAIN = "the process that judged it {}; it was judged once more, alone"
DIED_AGAIN = (
    "the process that judged it {}; judged once more, alone and with {} MiB of memory, it {}. Look at this notebook "
    "and at the graders of its exercises. The next run takes it last."
)


class Turns:
    """Who judges here: several together, or one alone.

    Args:
        most: How many at a time.
    """

    def __init__(self, most: int = 1):
        self._most = most
        self._seats = threading.Semaphore(most)
        self._door = threading.Lock()  # held by who waits to be alone: nobody comes in any more

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """A turn beside others."""
        with self._door:
            self._seats.acquire()
        try:
            yield
        finally:
            self._seats.release()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """A turn in which nobody else judges."""
        with self._door:
            for _ in range(self._most):
                self._seats.acquire()
            try:
                yield
            finally:
                self._seats.release(self._most)


def judge_or_again(process: JudgingProcess, turns: Turns, spec: bytes, job: bytes, mib: int) -> tuple[bytes, str]:
    """Have a job judged; once more, alone, where the process that did it died.

    Args:
        process: The one that judges.
        turns: Who judges on this machine.
        spec: A :class:`~syncpoint.judge.job.GradingSpec` as JSON.
        job: A :class:`~syncpoint.judge.job.NotebookJob` as JSON.
        mib: The memory in MiB that the judging process may take; the second time it is half, so that the machine is not
            short of it.

    Returns:
        The :class:`~syncpoint.judge.answer.Answer` as JSON, and a warning for whoever grades or "".

    Raises:
        JudgeDied: If it died both times.
    """
    try:
        with turns.together():
            return process.judge(spec, job, mib), ""
    except JudgeDied as problem:
        why, half = str(problem), mib // 2
    try:
        with turns.alone():
            return process.judge(spec, job, half), AGAIN.format(why)
    except JudgeDied as problem:
        raise JudgeDied(DIED_AGAIN.format(why, half, problem)) from None
