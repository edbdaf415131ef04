"""Loads engines into the judging processes before the first submission comes."""

import contextlib
from collections.abc import Iterable

from nbformat.v4 import new_notebook

from ..course.folder import Course
from ..course.released_notebooks import LANGUAGES
from ..grading.pool import JudgingThreads, Pool
from ..judge.job import GradingSpec, NotebookJob, sorted_files


class WarmUp:
    """The engines that the judging processes have loaded."""

    def __init__(self, course: Course, judges: JudgingThreads) -> None:
        self._course, self._judges = course, judges
        self._assignments: set[str] = set()
        self._engines: set[str] = set()

    def load_next(self, assignments: Iterable[str]) -> bool:
        """Load the next engine of these assignments. Returns whether there was one."""
        for name in assignments:
            if name in self._assignments:
                continue
            self._assignments.add(name)
            with contextlib.suppress(Exception):  # the first submission will report the problem
                spec = self._course.spec(name)
                if spec.engine not in self._engines:
                    self._engines.add(spec.engine)
                    job = self._empty_job(spec)
                    with Pool(self._judges, self._judges.count, spec, lambda *_: None) as pool:
                        for number in range(self._judges.count):
                            pool.send(str(number), job)
                        while pool.busy:
                            pool.receive()
                    return True
        return False

    def _empty_job(self, spec: GradingSpec) -> NotebookJob:
        """Return a job with an empty notebook and all files of a submission, so that sandboxes have space for them."""
        release = self._course.root / "release" / spec.assignment
        paths = {path.relative_to(release): path for path in release.rglob("*") if path.suffix != ".ipynb"}
        files = {
            name.as_posix(): path.read_bytes()
            for name, path in paths.items()
            if path.is_file() and name.parts[0] != LANGUAGES
        }
        return NotebookJob.of("", new_notebook(), (), sorted_files(files.items()), spec)
