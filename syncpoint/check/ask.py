"""``%syncpoint ask EXERCISE TEXT``: sends a question about a mark to the course by nbgrader's exchange.

The file names no student. It has a digest of the secret that `nbgrader submit` has put next to the work, so the course
knows whose submission it is about, and nobody can ask in another student's name.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

from ..core.messages import say
from .status import SECRET, Exchange, note_name

BEGINNING = "question-"  # prefix of a file name in the exchange
LONGEST = 4000  # characters of a question
READABLE = 0o644  # for everyone who knows the name


def ask(folder: Path, exercise: str, question: str, exchange: Exchange | None = None) -> str:
    """Put a question into the exchange.

    Args:
        folder: The folder of the notebooks, named after the assignment; it may be in a folder of the course.
        exercise: The exercise that the question is about.
        question: At most `LONGEST` characters.
        exchange: The exchange; by default this machine's.

    Returns:
        A sentence on what happened.
    """
    if not question or len(question) > LONGEST:
        return say("ask_usage", most=LONGEST)
    newest = None
    with contextlib.suppress(Exception):  # a configuration is a program, possibly for another machine
        exchange = exchange or Exchange.configured()
        newest = exchange.newest(folder.name, folder.parent.name)
    if exchange is None or newest is None:
        return say("ask_nothing", assignment=folder.name)
    try:
        send(exchange, newest, folder.name, BEGINNING, {"exercise": exercise, "question": question})
    except OSError as problem:
        return say("ask_failed", why=problem.strerror or str(problem))
    return say("ask_sent", exercise=exercise)


def send(
    exchange: Exchange, newest: tuple[Path, str], assignment: str, beginning: str, content: dict[str, Any]
) -> None:
    """Put a file into the exchange, readable only for the course of ``newest``. Raises OSError if that fails."""
    work, course = newest
    secret = (work / SECRET).read_text(encoding="utf-8", errors="replace")
    target = exchange.root / course / "inbound" / f"{beginning}{secrets.token_hex(16)}.json"
    part = target.with_suffix(".part")
    with part.open("x", encoding="utf-8") as file:
        os.fchmod(file.fileno(), READABLE)
        json.dump({"submission": note_name(secret, assignment), **content}, file)
    part.rename(target)
