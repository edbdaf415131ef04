"""``%syncpoint viva``: questions about the student's own code; the answer follows the prediction.

The course writes the questions into a file of nbgrader's exchange, as it does for ``%syncpoint status``.  The answer to
a question is put there when the course has the student's prediction.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from ..core.messages import listed, say
from .ask import send
from .status import Exchange, in_words

CHOICES = ("breaks", "order", "memory", "nothing")  # possible effects of a change of code
LETTERS = dict(zip("abcd", CHOICES))
ABOUT = "+viva"  # in the file's name: what it is about
BEGINNING = "prediction-"  # prefix of a file name in the exchange
MAX_REASON_CHARACTERS = 1000  # characters of a reason


def viva(folder: Path, words: list[str], exchange: Exchange | None = None) -> tuple[str, list[str]]:
    """Show the questions as HTML, or send a prediction: a question's number, a letter and the reason.

    ``folder`` has the notebooks and the assignment's name; it may be in a folder of the course.
    """
    newest = note = None
    with contextlib.suppress(Exception):  # a configuration is a program, possibly for another machine
        exchange = exchange or Exchange.configured()
        newest = exchange.newest(folder.name, folder.parent.name)
        note = exchange.note(folder.name, folder.parent.name, ABOUT)
    if exchange is None or newest is None or note is None:
        return say("viva_none", assignment=folder.name), []
    if not words:
        return in_words(note)
    number, letter, why = [*words, "", ""][:3]
    number, letter = number.rstrip(".:)"), letter.rstrip(".:)").lower()
    if refused := _refused(note, number, letter, why):
        return refused, []
    content = {"question": int(number), "prediction": LETTERS[letter], "why": why}
    try:
        send(exchange, newest, folder.name, BEGINNING, content)
    except OSError as problem:
        return say("viva_failed", why=problem.strerror or str(problem)), []
    return say("viva_sent", number=number), []


def _refused(note: dict[str, Any], number: str, letter: str, why: str) -> str:
    """Return why a prediction is not sent; "" if it is. The course itself decides whether it counts."""
    asked, still_open = (list(map(str, note.get(name, ()))) for name in ("asked", "open"))
    if letter not in LETTERS or not why or len(why) > MAX_REASON_CHARACTERS:
        return say("viva_usage", most=MAX_REASON_CHARACTERS)
    if number not in asked:
        return say("viva_unknown", numbers=listed(asked))
    return "" if number in still_open else say("viva_stands", number=number)
