"""Questions about marks from nbgrader's exchange, where `%syncpoint ask` puts them.

Everybody can write there. A question counts for the student whose submission has the secret that it was asked with, and
where nbgrader compares owners, only if it is that student's file.
"""

import contextlib
import json
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy import func, select

from ..check.ask import BEGINNING, LONGEST
from ..check.status import note_name
from ..course.folder import Course
from ..records.errors import RegradeError
from ..records.regrade import ask
from ..records.tables import RegradeRequest
from .exchange_collect import Collect, owner_of
from .feedback_release import secret_of

BYTES = 8 * LONGEST  # of a file
WAITS = 7 * 24 * 3600  # seconds that a question waits for its submission to be collected
OPEN = 10  # questions of a student about an assignment that nobody has answered yet
TOO_MANY = "{student} has {open} open questions about {assignment}: another one was not taken. Answer those first."
NOT_TAKEN = "A question of {student} about {assignment} was not taken: {why}"


@dataclass(frozen=True)
class Asked:
    """What a file says, and whose it is; nothing of it is trusted yet."""

    submission: str  # the digest of a secret
    exercise: str
    question: str
    owner: str  # the account that the file belongs to
    age: float  # seconds since it was written


def collect_questions(course: Course, gradebook: Gradebook, inbound: Path | None = None) -> list[str]:
    """Put the questions in the exchange into the queue, and return what the course should know, in sentences.

    A question about a submission that is not collected yet waits in the exchange.
    """
    if inbound is None:
        api = NbGraderAPI(config=course.settings())
        inbound = Path(api.exchange_root, api.course_id, "inbound")
    files = dict(_read(inbound))
    if not files:
        return []
    known = _submissions(course)
    checks = Collect(config=course.settings()).check_owner
    sentences: list[str] = []
    for path, asked in files.items():
        found = known.get(asked.submission) if asked else None
        if asked and found is None and asked.age < WAITS:
            continue
        if asked and found and (not checks or asked.owner == found[0]):
            sentences += _enter(gradebook, *found, asked)
        with contextlib.suppress(OSError):
            path.unlink()
    return sentences


def _enter(gradebook: Gradebook, student: str, assignment: str, asked: Asked) -> Iterator[str]:
    """Enter a question unless the same one is there already, as after a run that was killed."""
    table = RegradeRequest
    mine = select(func.count()).where(table.student == student, table.assignment == assignment)
    open_ones = gradebook.db.scalar(mine.where(table.answered_at.is_(None))) or 0
    try:
        if open_ones >= OPEN:
            yield TOO_MANY.format(student=student, open=open_ones, assignment=assignment)
        else:
            ask(gradebook, student, assignment, asked.exercise, asked.question, once=True)
    except RegradeError as problem:
        yield NOT_TAKEN.format(student=student, assignment=assignment, why=problem)


def _submissions(course: Course) -> dict[str, tuple[str, str]]:
    """The student and assignment of each collected submission, by the digest of its secret."""
    folders = (course.root / "submitted").glob("*/*")
    secrets = {folder: secret_of(folder) for folder in folders}
    return {note_name(s, folder.name): (folder.parent.name, folder.name) for folder, s in secrets.items() if s}


def _read(inbound: Path) -> Iterator[tuple[Path, Asked | None]]:
    """The files of questions; None for one that is none."""
    for path in sorted(inbound.glob(f"{BEGINNING}*.json")):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            content = file.read(BYTES + 1) if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 else b""
        yield path, _parsed(content, owner_of(status), time.time() - status.st_mtime)


def _parsed(content: bytes, owner: str, age: float) -> Asked | None:
    try:
        data = json.loads(content) if len(content) <= BYTES else None
    except (ValueError, RecursionError):
        return None
    match data:
        case {"submission": str(submission), "exercise": str(exercise), "question": str(question)}:
            return Asked(submission, exercise, question, owner, age)
    return None
