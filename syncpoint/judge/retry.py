"""Judges a notebook once more, alone, if the process that judged it died.  What else is judged: grading/plan.py."""

from dataclasses import replace

from ..sandbox.judging_lock import JudgingLock
from .errors import JudgeDied
from .judging_process import JudgingProcess

AGAIN = "the process that judged it {}; it was judged once more, alone"
DIED_AGAIN = (
    "the process that judged it {}; judged once more, alone and with {} MiB of memory, it {}. Look at this notebook "
    "and at the graders of its exercises. The next run takes it last."
)
# A judge dies of the memory that others take, too: all judging processes of this account take turns.  The bound is for
# those that somebody stopped.
LOCK = JudgingLock("processes", longest=1800)


def judge_or_again(process: JudgingProcess, spec: bytes, job: bytes, mib: int) -> tuple[bytes, str]:
    """Have a job judged; once more, alone, where the process that did it died.

    Args:
        process: The one that judges.
        spec: A :class:`~syncpoint.judge.job.GradingSpec` as JSON.
        job: A :class:`~syncpoint.judge.job.NotebookJob` as JSON.
        mib: The memory in MiB that the judging process may take; the second time it is half, so that the machine is not
            short of it.

    Returns:
        The :class:`~syncpoint.judge.answer.Answer` as JSON, and a warning for whoever grades or "".

    Raises:
        JudgeDied: If it died both times.
    """
    lock = replace(LOCK, over=process.is_over)
    try:
        with lock.shared():
            return process.judge(spec, job, mib), ""
    except JudgeDied as problem:
        why, half = str(problem), mib // 2
    try:
        with lock.exclusive():
            return process.judge(spec, job, half), AGAIN.format(why)
    except JudgeDied as problem:
        raise JudgeDied(DIED_AGAIN.format(why, half, problem)) from None
