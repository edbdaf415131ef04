"""A teacher's choices for an assignment's questions: ``grader_tests/<assignment>/viva.toml``."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import inf
from typing import Any

from ..check.viva import CHOICES
from ..course.errors import CourseError
from ..course.folder import Course

FILE = "viva.toml"
Text = str | Mapping[str, str]  # a text in one language, or language -> text


@dataclass(frozen=True)
class Prepared:
    """A question that a person has written.

    Attributes:
        question, answer: The texts, in one language or several.
        exercise: Its name; "" for the whole assignment.
        always: Whether everybody is asked; else only students with too few questions about their own code.
        kind: The right prediction, one of CHOICES; "" for a question that is asked on the oral sheet only.
    """

    question: Text
    answer: Text
    exercise: str = ""
    always: bool = False
    kind: str = ""

    def in_language(self, name: str) -> tuple[str, str]:
        """Return question and answer in a language, else in their first one."""
        return _in_language(self.question, name), _in_language(self.answer, name)


@dataclass(frozen=True)
class Choice:
    """The content of the file.

    Attributes:
        pin: Patterns `exercise/rule` of changes that are preferred.
        drop: The same of changes that are never asked.
        prepared: Questions in words, in their order.
        points: For a right first prediction in the written viva.
    """

    pin: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    prepared: tuple[Prepared, ...] = ()
    points: float = 0.0

    def __add__(self, other: "Choice") -> "Choice":
        prepared = self.prepared + other.prepared
        return Choice(self.pin + other.pin, self.drop + other.drop, prepared, max(self.points, other.points))

    def pins(self, name: str) -> bool:
        return _fits(name, self.pin)

    def drops(self, name: str) -> bool:
        return _fits(name, self.drop)


def read_choice(course: Course, assignment: str) -> Choice:
    """Return the choices in an assignment's grader folders, shared ones first; nothing if there are none.

    Raises:
        CourseError: If it cannot be used.
    """
    found = Choice()
    for folder in course.graders(assignment).folders():
        path = folder / FILE
        try:
            found += _choice(tomllib.loads(path.read_text(encoding="utf-8"))) if path.is_file() else Choice()
        except (OSError, ValueError, TypeError) as problem:
            raise CourseError(f"{path} cannot be used: {problem}.") from None
    return found


def _choice(data: Mapping[str, Any]) -> Choice:
    if odd := data.keys() - {"pin", "drop", "points", "questions"}:
        raise ValueError(f"unknown key {', '.join(sorted(odd))}; it may have pin, drop, points and [[questions]]")
    points = data.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 <= points < inf:
        raise ValueError("points is a number, 0 or more")
    pin, drop = (tuple(_patterns(data.get(name, []))) for name in ("pin", "drop"))
    return Choice(pin, drop, tuple(map(_prepared, data.get("questions", []))), float(points))


def _patterns(found: Any) -> Iterable[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("pin and drop are lists of patterns such as 'prefetcher/without_*'")
    return found


def _prepared(found: Mapping[str, Any]) -> Prepared:
    for name in ("question", "answer"):
        texts = found.get(name)
        values = texts.values() if isinstance(texts, dict) else [texts]
        if not values or not all(isinstance(one, str) and one.strip() for one in values):
            raise ValueError(f"each of [[questions]] needs a text under {name!r}")
    if not isinstance(found.get("always", False), bool):
        raise ValueError("always is true or false")
    if found.get("kind", "") not in ("", *CHOICES):
        raise ValueError(f"kind is one of {', '.join(CHOICES)}")
    return Prepared(**found)


def _in_language(text: Text, name: str) -> str:
    return text if isinstance(text, str) else text.get(name, next(iter(text.values())))


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
