"""Processes that do nothing but use a processor, and end with the tests, however these end."""

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PR_SET_PDEATHSIG = 1
LOOP = ("sh", "-c", "while :; do :; done")


@contextmanager
def busy_sessions(count: int) -> Iterator[Callable[[], None]]:
    """So many busy processes, each in a session of its own; gives what ends them before the block does."""
    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def end_with_the_parent() -> None:
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:  # it was gone before
            os._exit(1)

    running = [subprocess.Popen(LOOP, start_new_session=True, preexec_fn=end_with_the_parent) for _ in range(count)]

    def end() -> None:
        for process in running:
            process.kill()
            process.wait()

    try:
        yield end
    finally:
        end()
