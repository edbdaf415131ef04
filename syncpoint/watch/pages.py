"""Makes and releases feedback pages in separate processes, so that grading continues."""

import functools
import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from nbgrader.apps.api import NbGraderAPI

from ..course.child_process import SPAWN, end_with_parent
from ..course.folder import Course

Made = list[dict[str, Any]]  # the result of each call of nbgrader's API, up to the first that failed


class PageMakers:
    """Processes that make pages as long as this process runs; each starts when there is work for it."""

    def __init__(self, course: Course, count: int):
        self.count, self._root = count, course.root
        self._pool, self._started = self._new(), False

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def start(self) -> bool:
        """Start one process before there is work. Returns whether there was none."""
        first, self._started = not self._started, True
        if first:
            self._pool.submit(_start, self._root)
        return first

    def submit(self, assignment: str, student: str) -> "Future[Made]":
        """Make the pages of a student and release them."""
        self._started = True
        try:
            return self._pool.submit(_make, self._root, assignment, student)
        except BrokenProcessPool:  # a process was killed: by lack of memory, or by a person
            self._pool = self._new()
            return self._pool.submit(_make, self._root, assignment, student)

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.count, SPAWN, _begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the watching process
    end_with_parent()


@functools.cache
def _api_of(root: Path) -> NbGraderAPI:
    os.chdir(root)
    return NbGraderAPI(config=Course(root).settings())


def _start(root: Path) -> None:
    _api_of(root)


def _make(root: Path, assignment: str, student: str) -> Made:
    api = _api_of(root)
    made = [api.generate_feedback(assignment, student, force=True)]
    return [*made, api.release_feedback(assignment, student)] if made[0]["success"] else made
