"""A dashboard as an operator starts it: the command, in a course with a generated class, on a port of its own."""

import os
import secrets
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from classroom import BIN
from commands import Forked, command

TOKEN = "0123456789abcdef"


def free_port() -> int:
    """Return a free port that the system does not assign to other programs."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = secrets.choice(range(lowest // 2, lowest))
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def dashboard(course: Path, *options: str) -> Iterator[subprocess.Popen[str] | Forked]:
    """``syncpoint dashboard`` with these options, once it says that it listens."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    if TOKEN:  # a test leaves it out
        environment["SYNCPOINT_DASHBOARD_TOKEN"] = TOKEN
    process = command(["syncpoint", "dashboard", *options], course, environment, stderr=None)
    try:
        output = process.stdout.readline()
        assert "Ctrl-C ends it" in output, "the dashboard did not start"
        yield process
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()
