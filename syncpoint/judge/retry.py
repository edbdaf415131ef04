"""Judges a notebook again, alone, if its judging process died. For other retries see grading/plan.py."""

from dataclasses import replace

from ..sandbox.judging_lock import JudgingLock
from .errors import JudgeDied
from .judging_process import JudgingProcess

AGAIN = "the process that judged it {}; it was judged once more, alone"
DIED_AGAIN = (
    "the process that judged it {}; judged once more, alone and with {} MiB of memory, it {}. Look at this notebook "
    "and at the graders of its exercises. The next run takes it last."
)
# A judging process can also die because others use the memory, so this account's processes retry one at a time. The
# limit is for a process that somebody has stopped.
LOCK = JudgingLock("processes", longest=1800)


def judge_or_again(process: JudgingProcess, spec: bytes, job: bytes, mib: int) -> tuple[bytes, str]:
    """Judge a job; if its process dies, judge it again, alone, with half of the memory so that the machine has enough.

    Returns the answer, and a warning for the person who grades, or "".

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
