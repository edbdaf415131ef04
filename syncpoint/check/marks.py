"""Marks of visible tests; the docstring of a test is its title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, TypeVar

from ..core.explanations_of_tests import title_of

Test = TypeVar("Test", bound=Callable[..., Any])
HINT, CORE = "_hint", "_core"


@dataclass(frozen=True)
class Marks:
    """The texts shown with a test's outcome."""

    title: str
    hint: str
    core: bool


def hint(text: str) -> Callable[[Test], Test]:
    """Set the hint for students who do not pass the test."""

    def mark(test: Test) -> Test:
        setattr(test, HINT, text)
        return test

    return mark


def core(test: Test) -> Test:
    """A test of the property that the exercise is named after."""
    setattr(test, CORE, True)
    return test


def marks_of(test: Callable[..., Any]) -> Marks:
    return Marks(title_of(test.__doc__) or test.__name__, getattr(test, HINT, ""), getattr(test, CORE, False))
