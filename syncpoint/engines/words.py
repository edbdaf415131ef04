"""The names of the current engine's objects in feedback: the engine of the judged assignment."""

from __future__ import annotations

from contextvars import ContextVar

from .find import Words

_words: ContextVar[Words] = ContextVar("words")


def speak_of(words: Words) -> None:
    """From now on feedback uses these."""
    _words.set(words)


def words() -> Words:
    """Return the names of the engine's objects in feedback."""
    return _words.get(Words())
