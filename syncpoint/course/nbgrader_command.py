"""nbgrader as a program: the stock command line, run in a course folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

from .errors import CommandFailed

EXCEPTION = re.compile(r"[\w.]+(Error|Exception): ")
TOOLS = Path(sys.executable).parent


def environment() -> dict[str, str]:
    """Our environment with the tools first on PATH: nbgrader calls ``alembic`` as a program."""
    return {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ.get('PATH', '')}"}


def nbgrader_argv(*arguments: str) -> list[str]:
    """Return the command line of the nbgrader in our own environment."""
    return [str(TOOLS / "nbgrader"), *arguments]


def quiet_nbgrader(course: Path, *arguments: str, **more: str) -> None:
    """Run nbgrader without output, with ``more`` in its environment, or raise CommandFailed."""
    done = subprocess.run(
        nbgrader_argv(*arguments), cwd=course, env={**environment(), **more}, capture_output=True, text=True
    )
    if done.returncode:
        reason = why_it_failed(done.stderr.strip() or done.stdout.strip() or "it printed nothing")
        raise CommandFailed(f"nbgrader {arguments[0]} failed (exit status {done.returncode}): {reason}")


def why_it_failed(output: str) -> str:
    """Return the important line of nbgrader's output: the exception, not the advice after it."""
    lines = [line.strip() for line in output.splitlines()]
    return next((line for line in reversed(lines) if EXCEPTION.match(line)), lines[-1])
