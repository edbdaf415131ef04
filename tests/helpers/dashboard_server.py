"""A dashboard as an operator starts it: the command, in a course with a generated class, on a port of its own."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from classroom import BIN
from commands import Forked, command

TOKEN = "0123456789abcdef"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def dashboard(course: Path, *options: str) -> Iterator[subprocess.Popen[str] | Forked]:
    """``syncpoint dashboard`` with these options, once it says that it listens."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    if TOKEN:
        environment["SYNCPOINT_DASHBOARD_TOKEN"] = TOKEN
    process = command(["syncpoint", "dashboard", *options], course, environment, stderr=None)
    try:
        said = process.stdout.readline()
        assert "Ctrl-C ends it" in said, "the dashboard did not start"
        yield process
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()
