"""What the feedback of this moment calls the things of an engine: the one that the judged assignment uses."""

from __future__ import annotations

from contextvars import ContextVar

from .find import Words

_words: ContextVar[Words] = ContextVar("words")


def speak_of(words: Words) -> None:
    """From now on feedback uses these."""
    _words.set(words)


def words() -> Words:
    """What feedback calls the things of the engine."""
    return _words.get(Words())
