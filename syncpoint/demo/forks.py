"""Several things at a time, each in a fork of this process: what it has imported, nobody has to import again."""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BufferedRandom
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from nbgrader.apps import NbGraderApp

from ..course.nbgrader_command import CommandFailed, environment, why_it_failed

FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Attributes:
        name: How people know it.
        work: Ends with SystemExit or any other exception if it fails.
        heard: Whether people hear what it says; else only if it fails.
    """

    name: str
    work: Callable[[], None]
    heard: bool = False


def nbgrader(course: Path, *arguments: str) -> Step:
    """The step that nbgrader's command is, in a course folder."""

    def work() -> None:
        os.chdir(course)
        os.environ.update(environment())
        NbGraderApp.launch_instance(argv=list(arguments))

    return Step(f"nbgrader {' '.join(arguments)}", work)


def run_all(steps: Iterable[Step], at_a_time: int) -> None:
    """Do all of them; this process has no other thread meanwhile.

    Raises:
        CommandFailed: If one fails, when those that were begun are done.
    """
    todo, failed = list(reversed(list(steps))), ""
    running: dict[int, tuple[Step, ForkProcess, BufferedRandom]] = {}
    try:
        while running or (todo and not failed):
            while todo and not failed and len(running) < at_a_time:
                step, said = todo.pop(), _file()
                process = FORK.Process(target=_do, args=(step, said.fileno()))
                process.start()
                running[process.sentinel] = step, process, said
            for sentinel in wait(running):
                assert isinstance(sentinel, int)
                step, process, said = running.pop(sentinel)
                process.join()
                with said:
                    said.seek(0)
                    why = why_it_failed(said.read().decode(errors="replace").strip() or "the lines above say why")
                if process.exitcode:
                    failed = failed or f"{step.name} failed (exit status {process.exitcode}): {why}"
    finally:
        for _, process, said in running.values():
            process.terminate()
            process.join()
            said.close()
    if failed:
        raise CommandFailed(failed)


def _file() -> BufferedRandom:
    """A file without a name."""
    file = tempfile.TemporaryFile()
    assert isinstance(file, BufferedRandom)
    return file


def _do(step: Step, said: int) -> None:
    """Do it, in a process of its own."""
    sys.stdin = open(os.devnull)  # for as long as this process
    if not step.heard:
        for stream in (1, 2):
            os.dup2(said, stream)
    step.work()
