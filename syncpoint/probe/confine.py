"""Confines a process forked for a notebook, before it receives anything from the notebook."""

import contextlib
import os
import resource
from typing import Any


def stand_alone(stderr: int, open_files: set[int]) -> None:
    """Become a separate session with only these open files."""
    os.setsid()
    os.dup2(stderr, 2)
    _close_all_but({0, 1, 2, *open_files})


def confine(order: dict[str, Any]) -> None:
    """Set a request's hard limits for this process and its children, and its niceness."""
    for name, value in order["limits"].items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(kind, (value, value))
    os.nice(order["nice"])


def _close_all_but(open_files: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in open_files:
            with contextlib.suppress(OSError):  # the descriptor of this listing itself
                os.close(int(name))
