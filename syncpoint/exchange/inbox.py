"""Files that students' notebooks put into nbgrader's exchange for the course: questions and predictions.

Everybody can write there. A file counts for the student whose submission has the secret that it was sent with. Where
nbgrader compares owners, it must also be that student's file.
"""

import contextlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory

from ..check.status import note_name
from ..course.folder import Course
from ..nbgrader_hooks.exchange_collect import Collect, owner_of
from ..nbgrader_hooks.feedback_release import secret_of

BYTES = 32_000  # of a file
Submissions = Mapping[str, tuple[str, str]]  # digest of a submission's secret -> student and assignment


@dataclass(frozen=True)
class ExchangeFolder:
    """A course's folder in nbgrader's exchange."""

    course: Course
    path: Path
    shared: bool  # whether a group of graders may write there
    compares: bool  # whether a file counts only for the student whose account it belongs to

    @classmethod
    def of(cls, course: Course) -> "ExchangeFolder":
        """Return the exchange in the course's configuration."""
        config = course.settings()
        folders = CourseDirectory(config=config)
        collect = Collect(coursedir=folders, config=config)
        return cls(course, Path(collect.root, folders.course_id), folders.groupshared, collect.check_owner)

    @property
    def inbound(self) -> Path:
        """Where students put files."""
        return self.path / "inbound"


@dataclass(frozen=True)
class _File:
    """The content of a file and its owner; nothing in it is trusted."""

    content: dict[str, Any] | None  # None if it cannot be used
    owner: str  # the account that owns it
    age: float  # seconds since it was written


def received(
    exchange: ExchangeFolder, beginning: str, submissions: Callable[[], Submissions], waits: float = 0.0
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the student, the assignment and the content of each valid file, oldest first.

    A file is removed when the next one is requested, so that the next run reads it again if this one is killed.  It
    waits some seconds (``waits``) for its submission to be collected.
    """
    known: Submissions | None = None
    for path in sorted(exchange.inbound.glob(f"{beginning}*.json"), key=_changed_at):
        file = _read(path)
        known = submissions() if known is None else known
        found = known.get(file.content["submission"]) if file.content else None
        if file.content and found is None and file.age < waits:
            continue
        if file.content and found and (not exchange.compares or file.owner == found[0]):
            yield *found, file.content
        with contextlib.suppress(OSError):
            path.unlink()


def collected(course: Course) -> Submissions:
    folders = (course.root / "submitted").glob("*/*")
    return by_secret(course, ((folder.parent.name, folder.name) for folder in folders))


def by_secret(course: Course, ones: Iterable[tuple[str, str]]) -> Submissions:
    """These students' submissions, newest and graded, of these assignments, if they came by the exchange."""
    pairs = (
        (secret_of(course.root / tree / student / name), student, name)
        for student, name in ones
        for tree in ("autograded", "submitted")
    )
    return {note_name(secret, name): (student, name) for secret, student, name in pairs if secret}


def _changed_at(path: Path) -> int:
    """Return when a file was put there, by the disk; 0 if it no longer exists."""
    try:
        return path.lstat().st_ctime_ns
    except OSError:
        return 0


def _read(path: Path) -> _File:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return _File(None, "", 0.0)
    try:
        status = os.fstat(descriptor)
        regular = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
        content = os.read(descriptor, BYTES + 1) if regular else b""
    finally:
        os.close(descriptor)
    return _File(_parsed(content), owner_of(status), time.time() - status.st_mtime)


def _parsed(content: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(content) if len(content) <= BYTES else None
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and isinstance(data.get("submission"), str) else None
