"""The names of the current engine's objects in feedback: the engine of the judged assignment."""

from __future__ import annotations

from contextvars import ContextVar

from .find import EngineTerms

_terms: ContextVar[EngineTerms] = ContextVar("terms")


def use_terms(terms: EngineTerms) -> None:
    """Make feedback use these terms from now on."""
    _terms.set(terms)


def terms() -> EngineTerms:
    """Return the names of the engine's objects in feedback."""
    return _terms.get(EngineTerms())
