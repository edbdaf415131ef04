"""The commands `nbgrader` and `syncpoint`, forked from a process that has imported already what they need.

A command spends two seconds of processor time on imports, and the tests run hundreds.  What runs is the program that
the script of that name calls, in a process, folder and environment of its own.  With ``REAL_COMMANDS=1``, as in
`make test-all`, it is the script itself.
"""

import atexit
import ctypes
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from multiprocessing import reduction
from pathlib import Path
from typing import Any

from busy import PR_SET_PDEATHSIG

import syncpoint

PARTS = (
    *("cli", "course", "dashboard", "exchange", "exports", "grading", "judge", "nbgrader_hooks", "records", "releases"),
    *("report", "vet", "watch"),
)
GIVE_UP_SECONDS = 500
PROGRAMS = {script.name: script.value for script in entry_points(group="console_scripts")}
OURS = ("nbgrader", "syncpoint")

_package = Path(syncpoint.__file__).parent
_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(
    ["nbgrader.apps.nbgraderapp", "nbgrader.apps.baseapp", "distributed"]
    + [f"syncpoint.{part}.{path.stem}" for part in PARTS for path in sorted((_package / part).glob("[!_]*.py"))]
)


def command(
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    stdout: int | None = subprocess.PIPE,
    stderr: int | None = subprocess.PIPE,
) -> "subprocess.Popen[str] | Forked":
    """Start a command.

    Args:
        words: The first one is its name, or its path.
        folder: In which it runs.
        environment: All of its environment.
        stdout: As for `subprocess.Popen`: PIPE, DEVNULL, or a descriptor.
        stderr: The same.

    Returns:
        What can be waited for, read and signalled like a `subprocess.Popen`.
    """
    if Path(words[0]).name not in OURS or os.environ.get("REAL_COMMANDS"):
        how: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": stdout, "stderr": stderr}
        return subprocess.Popen(words, cwd=folder, env=environment, text=True, errors="replace", **how)
    return Forked(words, folder, environment, stdout, stderr)


def run(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end.

    Args:
        words: The first one is its name.
        folder: In which it runs.
        environment: All of its environment.

    Returns:
        How it ended and what it said.

    Raises:
        subprocess.TimeoutExpired: If it takes far too long.
    """
    with command(words, folder, environment) as running:
        out, err = running.communicate(timeout=GIVE_UP_SECONDS)
    return subprocess.CompletedProcess(words, running.returncode, out, err)


class Forked:
    """A command that runs.  The part of `subprocess.Popen` that tests use, for a process that another one forked."""

    def __init__(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str], stdout: int | None, stderr: int | None
    ):
        self.args = words
        ends, mine = [os.open(os.devnull, os.O_RDONLY)], []
        for wanted, usual in ((stdout, 1), (stderr, 2)):
            if wanted == subprocess.PIPE:
                read, write = os.pipe()
                mine.append(os.fdopen(read, errors="replace"))
            else:
                write = os.open(os.devnull, os.O_WRONLY) if wanted == subprocess.DEVNULL else os.dup(wanted or usual)
                mine.append(None)
            ends.append(write)
        self.stdout, self.stderr = mine
        name = Path(words[0]).name
        script = [str(Path(sys.executable).with_name(name)), *words[1:]]
        to_pass = [_Passed(end) for end in ends]
        self._process = _server.Process(
            target=_become, args=(PROGRAMS[name], script, str(folder), dict(environment), to_pass)
        )
        self._process.start()
        for end in ends:
            os.close(end)

    @property
    def pid(self) -> int:
        """Of the process itself."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """As of a `subprocess.Popen`."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end.  Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self._process.exitcode

    def communicate(self, timeout: float | None = None) -> tuple[str | None, str | None]:
        """Return its output until it ends.  Raises subprocess.TimeoutExpired."""
        output: dict[int, str] = {}
        files = [(number, file) for number, file in enumerate((self.stdout, self.stderr)) if file is not None]
        readers = [
            threading.Thread(target=lambda number=number, file=file: output.update({number: file.read()}), daemon=True)
            for number, file in files
        ]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return output.get(0), output.get(1)

    def send_signal(self, number: int) -> None:
        """Send a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> "Forked":
        return self

    def __exit__(self, *error: object) -> None:
        for file in (self.stdout, self.stderr):
            if file is not None:
                file.close()
        self.wait()


class _Passed:
    """A descriptor that goes with the process as it is started."""

    def __init__(self, number: int):
        self._number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (reduction.DupFd(self._number),)


def _arrived(copy: Any) -> int:
    return copy.detach()


def _become(program: str, words: list[str], folder: str, environment: dict[str, str], ends: list[int]) -> None:
    """In the new process: be the command."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    for number, end in enumerate(ends):
        os.dup2(end, number)
        os.close(end)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # those of before may think that they can seek
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = words
    module, _, name = program.partition(":")
    try:
        sys.exit(getattr(importlib.import_module(module), name)())
    except SystemExit:
        raise
    except BaseException as problem:  # as Python ends a program: multiprocessing tells it in another way
        sys.excepthook(type(problem), problem, problem.__traceback__)
        sys.exit(128 + signal.SIGINT if isinstance(problem, KeyboardInterrupt) else 1)
    finally:
        atexit._run_exitfuncs()  # which processes of multiprocessing leave out
