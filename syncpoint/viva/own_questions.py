"""A teacher's choices for an assignment's questions: ``grader_tests/<assignment>/viva.toml``."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
    """A question that a person has written."""

    question: Text  # the texts, in one language or several
    answer: Text
    exercise: str = ""  # its name; "" for the whole assignment
    always: bool = False  # whether everybody is asked; else only students with too few questions about their own code
    kind: str = ""  # the right prediction, one of CHOICES; "" for a question that is asked on the oral sheet only

    def in_language(self, name: str) -> tuple[str, str]:
        """Return question and answer in a language, else in their first one."""
        return _in_language(self.question, name), _in_language(self.answer, name)


@dataclass(frozen=True)
class Choice:
    """The content of the file."""

    pin: tuple[str, ...] = ()  # patterns `exercise/rule` of changes that are preferred
    drop: tuple[str, ...] = ()  # the same of changes that are never asked
    prepared: tuple[Prepared, ...] = ()  # questions in words, in their order
    points: float = 0.0  # for a right first prediction in the written viva
    # by exercise, how its what-if calls the code: readers of a question do not know it otherwise
    called: Mapping[str, Text] = field(default_factory=dict)

    def __add__(self, other: "Choice") -> "Choice":
        prepared, called = self.prepared + other.prepared, {**self.called, **other.called}
        points = max(self.points, other.points)
        return Choice(self.pin + other.pin, self.drop + other.drop, prepared, points, called)

    def how(self, exercise: str, name: str) -> str:
        """How an exercise is called, in a language; "" if nobody has said it."""
        return _in_language(self.called.get(exercise, ""), name)

    def pins(self, name: str) -> bool:
        return _fits(name, self.pin)

    def drops(self, name: str) -> bool:
        return _fits(name, self.drop)


def read_choice(course: Course, assignment: str) -> Choice:
    """Return the choices in an assignment's grader folders, shared ones first, or raise CourseError."""
    found = Choice()
    for folder in course.graders(assignment).folders():
        path = folder / FILE
        try:
            found += _choice(tomllib.loads(path.read_text(encoding="utf-8"))) if path.is_file() else Choice()
        except (OSError, ValueError, TypeError) as problem:
            raise CourseError(f"{path} cannot be used: {problem}.") from None
    return found


def _choice(data: Mapping[str, Any]) -> Choice:
    if odd := data.keys() - {"pin", "drop", "points", "called", "questions"}:
        known = "pin, drop, points, [called] and [[questions]]"
        raise ValueError(f"unknown key {', '.join(sorted(odd))}; it may have {known}")
    points = data.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 <= points < inf:
        raise ValueError("points is a number, 0 or more")
    pin, drop = (tuple(_patterns(data.get(name, []))) for name in ("pin", "drop"))
    called = data.get("called", {})
    if not isinstance(called, dict) or not all(map(_is_text, called.values())):
        raise ValueError("[called] has a text for each exercise")
    return Choice(pin, drop, tuple(map(_prepared, data.get("questions", []))), float(points), called)


def _patterns(found: Any) -> Iterable[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("pin and drop are lists of patterns such as 'prefetcher/without_*'")
    return found


def _prepared(found: Mapping[str, Any]) -> Prepared:
    for name in ("question", "answer"):
        if not _is_text(found.get(name)):
            raise ValueError(f"each of [[questions]] needs a text under {name!r}")
    if not isinstance(found.get("always", False), bool):
        raise ValueError("always is true or false")
    if found.get("kind", "") not in ("", *CHOICES):
        raise ValueError(f"kind is one of {', '.join(CHOICES)}")
    return Prepared(**found)


def _is_text(text: Any) -> bool:
    values = text.values() if isinstance(text, dict) else [text]
    return bool(values) and all(isinstance(one, str) and one.strip() for one in values)


def _in_language(text: Text, name: str) -> str:
    return text if isinstance(text, str) else text.get(name, next(iter(text.values())))


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
