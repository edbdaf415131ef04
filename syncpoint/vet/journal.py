"""A file to which trials are added one by one, so that an interrupted vetting can continue."""

import fcntl
import hashlib
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.results import Versions
from ..course.errors import CourseError
from ..course.folder import Course
from ..judge.errors import Malformed
from ..judge.job import GradingSpec, from_json, to_json
from .bank import Solution, read_text
from .trial import Trial

OTHER_FILE = (
    "{}, line {}: this is not a trial of `syncpoint vet solutions` ({}); name another file, or remove the line."
)
BUSY = "another `syncpoint vet solutions` is writing to {}; wait for it to end, or name another file."


@dataclass(frozen=True)
class JournalEntry:
    """A trial in the file, with its key, see :func:`key`."""

    key: str
    trial: Trial


@dataclass(frozen=True)
class Journal:
    """A file of trials, one a line."""

    path: Path

    @contextmanager
    def open(self) -> Iterator[dict[str, list[Trial]]]:
        """Lock the file against other writers, and yield its content by key.

        An incomplete last line is removed: its trial was not finished.

        Raises:
            CourseError: If the file cannot be written, is locked, or has other content.
        """
        try:
            file = self.path.open("a+b")
        except OSError as problem:
            raise CourseError(
                f"{self.path} cannot be written ({problem.strerror}); name another file with --journal."
            ) from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise CourseError(BUSY.format(self.path)) from None
            file.seek(0)
            lines = file.read().splitlines(keepends=True)
            found: dict[str, list[Trial]] = defaultdict(list)
            for number, text in enumerate(lines, start=1):
                if not text.endswith(b"\n") and number == len(lines):
                    file.truncate(sum(map(len, lines[:-1])))
                    break
                try:
                    entry = from_json(JournalEntry, text)
                except Malformed as problem:
                    raise CourseError(OTHER_FILE.format(self.path, number, problem)) from None
                found[entry.key].append(entry.trial)
            yield found

    def add(self, key: str, trial: Trial) -> None:
        """Add a trial, with test details only if it disagrees with the bank. Safe in parallel."""
        text = to_json(JournalEntry(key, trial if trial.complaint else replace(trial, details=()))) + b"\n"
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            while text:  # usually in one piece, unless the disk is full
                text = text[os.write(file, text) :]
        finally:
            os.close(file)


def keys(course: Course, solutions: list[Solution]) -> dict[Solution, str]:
    """Return each solution's key, from its text and everything that decides its verdict."""
    specs = {name: course.spec(name) for name in {solution.assignment for solution in solutions}}
    variants = {name: str(course.graders(name).settings().variants.choices or "") for name in specs}
    return {one: key(specs[one.assignment], one) + variants[one.assignment] for one in solutions}


def key(spec: GradingSpec, solution: Solution) -> str:
    """Return a key that changes only with the solution or its exercise's judge.

    Graders of other exercises have no part in it.
    """
    modules = {name: Path(name).stem for name, _ in spec.graders}
    graders = [
        (name, text)
        for name, text in spec.graders
        if modules[name] == f"test_{solution.exercise}" or not modules[name].startswith("test_")
    ]
    decides = replace(spec, graders=tuple(graders), versions=Versions(spec.versions.engine, ""))
    parts = decides.digest, solution.exercise, read_text(solution.path)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
