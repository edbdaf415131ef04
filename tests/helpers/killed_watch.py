"""`syncpoint watch` in the folder where it stands, until it has reached a step so often; then killed, as by `kill -9`.

python killed_watch.py judging 2
"""

import os
import signal
import sys
from pathlib import Path

from rich.console import Console

from syncpoint.course.folder import Course
from syncpoint.grading.display import Display
from syncpoint.grading.local import Warm
from syncpoint.grading.watch import Watch

step, times = sys.argv[1], int(sys.argv[2])
counts = dict.fromkeys([step], 0)


def reached(now: str, student: str, assignment: str) -> None:
    """Die at the step."""
    if now == step:
        counts[step] += 1
        if counts[step] == times:
            os.kill(os.getpid(), signal.SIGKILL)


course = Course(Path.cwd())
watch = Watch(course, Warm(1, course.root), lambda name: Display(name, Console(stderr=True), None), print, reached)
while True:
    watch.look(["async"])
    if watch.is_idle:
        sys.exit("it ended before it was killed")
