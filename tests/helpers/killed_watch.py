"""`syncpoint watch` itself, its lock and two workers, until it has reached a step so often; then `kill -9`.

python killed_watch.py judging 2 [OPTION...]

It says first which processes it has below it.  At "judging" it waits until a kernel runs the work of a student.
"""

import functools
import os
import signal
import sys
import threading
import time

import psutil

from syncpoint.cli import app
from syncpoint.watch import watch

WORKERS = 2
JUDGE = "syncpoint.judge.judging_main"
KERNEL = (
    3  # generations below its judge: bubblewrap, the sandbox's first process, the kernel that it forks for a notebook
)


def generations(process: psutil.Process) -> int:
    """How many there are below a process."""
    return max((1 + generations(child) for child in process.children()), default=0)


def a_judge_is_at_work() -> bool:
    """Whether a kernel runs."""
    try:
        judges = [one for one in psutil.Process().children() if JUDGE in one.cmdline()]
        return any(generations(judge) >= KERNEL for judge in judges)
    except psutil.Error:  # one has ended meanwhile
        return False


def die() -> None:
    """At once; with "judging", as soon as a judge is at work."""
    while step == "judging" and not a_judge_is_at_work():
        time.sleep(0.001)
    print("below:", *(process.pid for process in psutil.Process().children(recursive=True)), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def reached(now: str, student: str, assignment: str) -> None:
    """Die at the step."""
    if now == step:
        counts[step] += 1
        if counts[step] == times:
            threading.Thread(target=die).start() if step == "judging" else die()


if __name__ == "__main__":  # the processes that make pages import this file
    step, times = sys.argv[1], int(sys.argv[2])
    counts = dict.fromkeys([step], 0)
    watch.Watch = functools.partial(watch.Watch, reached=reached)  # type: ignore[assignment,misc]
    app(["watch", "async", "--once", *(sys.argv[3:] or ["--workers", str(WORKERS)])])
