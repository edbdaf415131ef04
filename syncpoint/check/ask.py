"""Sends a question about a mark to the course by nbgrader's exchange: for ``%syncpoint ask`` and the feedback page.

The file names no student. It has a digest of the secret that `nbgrader submit` has put next to the work, so the course
knows whose submission it is about, and nobody can ask in another student's name.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

from ..core.messages import say
from ..core.strip import strip_control
from .errors import CannotAsk
from .status import SECRET, Exchange, note_name

BEGINNING = "question-"  # prefix of a file name in the exchange
MAX_QUESTION_CHARACTERS = 4000  # characters of a question
OPEN = 10  # unanswered questions of a student about an assignment
READABLE = 0o644  # for everyone who knows the name
SENT = "questions.jsonl"  # next to the student's copy of the submission: the questions sent about it


def ask(folder: Path, exercise: str, question: str, exchange: Exchange | None = None) -> str:
    """Put a question of at most `MAX_QUESTION_CHARACTERS` into the exchange, and return a sentence that says so.

    ``folder`` has the notebooks and the assignment's name; it may be in a folder of the course.

    Raises:
        CannotAsk: If nothing was sent.
    """
    if not question or len(question) > MAX_QUESTION_CHARACTERS:
        raise CannotAsk(say("ask_usage", most=MAX_QUESTION_CHARACTERS))
    newest = None
    with contextlib.suppress(Exception):  # a configuration is a program, possibly for another machine
        exchange = exchange or Exchange.configured()
        newest = exchange.newest(folder.name, folder.parent.name)
    if exchange is None or newest is None:
        raise CannotAsk(say("ask_nothing", assignment=folder.name))
    if len(unanswered(exchange, folder.name, newest[1])) >= OPEN:
        raise CannotAsk(say("ask_many", most=OPEN))
    content = {"exercise": exercise, "question": question}
    try:
        send(exchange, newest, folder.name, BEGINNING, content)
    except OSError as problem:
        raise CannotAsk(say("ask_failed", why=problem.strerror or str(problem))) from None
    with contextlib.suppress(OSError), (newest[0] / SENT).open("a", encoding="utf-8") as sent:
        sent.write(json.dumps(content) + "\n")
    return say("ask_sent", exercise=exercise)


def sent(exchange: Exchange, assignment: str, course: str) -> dict[str, tuple[str, str]]:
    """Return the exercise and the text of each question sent from here, by its digest."""
    found = {}
    for folder in exchange.submissions(assignment, course):
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            for line in (folder / SENT).read_text(encoding="utf-8").splitlines():
                content = json.loads(line)
                exercise, question = str(content["exercise"]), str(content["question"])
                found[digest(exercise, question)] = exercise, question
    return found


def unanswered(exchange: Exchange, assignment: str, course: str) -> set[str]:
    """Return the digests of the questions sent from here that no page of the student shows with an answer."""
    pages = {names: path for names, path in exchange.pages().items() if names[:2] == (course, assignment)}
    shown = "".join(path.read_text("utf-8", "replace") for path in pages.values())
    return {key for key in sent(exchange, assignment, course) if key not in shown}


def digest(exercise: str, question: str) -> str:
    """Return what a page has instead of a question that it shows, with or without ``test_`` in the exercise's name."""
    text = f"{exercise[5:] if exercise.startswith('test_') else exercise}+{strip_control(question.strip())}"
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]


def send(
    exchange: Exchange, newest: tuple[Path, str], assignment: str, beginning: str, content: dict[str, Any]
) -> None:
    """Put a file into the exchange, readable only for the course of ``newest``. Raises OSError if that fails."""
    work, course = newest
    secret = (work / SECRET).read_text(encoding="utf-8", errors="replace")
    target = exchange.root / course / "inbound" / f"{beginning}{secrets.token_hex(16)}.json"
    part = target.with_suffix(".part")
    with part.open("x", encoding="utf-8", errors="replace") as file:
        os.fchmod(file.fileno(), READABLE)
        json.dump({"submission": note_name(secret, assignment), **content}, file, ensure_ascii=False)
    part.rename(target)
