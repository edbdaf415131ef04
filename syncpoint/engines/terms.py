"""The names of the current engine's objects in feedback: the engine of the judged assignment."""

from __future__ import annotations

from contextvars import ContextVar

from .find import EngineTerms

_terms: ContextVar[EngineTerms] = ContextVar("terms")


def use_terms(terms: EngineTerms) -> None:
    """From now on feedback uses these."""
    _terms.set(terms)


def terms() -> EngineTerms:
    """Return the names of the engine's objects in feedback."""
    return _terms.get(EngineTerms())
