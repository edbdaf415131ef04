"""The current language: texts by their codes, sentences of graders by their English templates.

Stored and compared values stay data; a text gets its language when it is shown.
"""

from __future__ import annotations

import functools
import gettext
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Any, Callable

SOURCE = "en"  # the language of all source texts
MARKS = "number_marks"  # the code of the text that every language needs to write numbers
VALUE = re.compile(r"\{\{ *(\w+) *\}\}")  # the place of a value that differs between students


@dataclass(frozen=True)
class Language:
    """A language with its translations of the course's texts; without any it is the source language."""

    name: str = SOURCE  # as "pt_BR"
    plural: str = "n != 1"  # the plural rule in C, as in gettext catalogues
    # by code; a tuple has one form for each plural
    texts: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    # by their English text; both have the same placeholders
    sentences: Mapping[str, str] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """The tag that web pages use: "pt-BR"."""
        return self.name.replace("_", "-")

    def form(self, number: float) -> int:
        return int(_rule(self.plural)(int(number) if float(number).is_integer() else 2))

    def word(self, english: str) -> str:
        """Translate a text without placeholders; a text that the catalogues lack is returned unchanged.

        A text that shows a student's own values is translated as the text with the places of the values.
        """
        known = self.sentences.get(english)
        if known is not None and "{" not in english:
            return known
        for pattern, translated in self._with_values:
            if found := pattern.fullmatch(english):
                return VALUE.sub(functools.partial(_value, found), translated)
        return english

    @functools.cached_property
    def _with_values(self) -> list[tuple[re.Pattern[str], str]]:
        return [(_pattern(text), said) for text, said in self.sentences.items() if VALUE.search(text)]

    def only(self, codes: Iterable[str]) -> Language:
        """Return only the parts that these texts need."""
        texts = {code: self.texts[code] for code in {*codes, MARKS} if code in self.texts}
        return replace(self, texts=texts, sentences={})

    def to_data(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("name", "plural", "texts", "sentences")}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Language:
        texts = {code: tuple(text) if isinstance(text, list) else text for code, text in data["texts"].items()}
        return cls(**{**{one.name: data[one.name] for one in fields(cls)}, "texts": texts})


ENGLISH = Language()
_language: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    return _language.get()


@contextmanager
def speaking(chosen: Language) -> Iterator[None]:
    """Make this the current language in the block."""
    token = _language.set(chosen)
    try:
        yield
    finally:
        _language.reset(token)


def in_language(english: str) -> str:
    """Return a title, a hint or another text without placeholders in the current language."""
    return _language.get().word(english)


def _pattern(template: str) -> re.Pattern[str]:
    """What a text is like in which each place has a value, the same one wherever its name is."""
    parts, known = [], set[str]()
    for number, part in enumerate(VALUE.split(template)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in known else f"(?P<{part}>.+?)")
            known.add(part)
    return re.compile("".join(parts), re.DOTALL)


def _value(found: re.Match[str], place: re.Match[str]) -> str:
    return found.groupdict().get(place[1], place[0])


@functools.lru_cache(maxsize=16)
def _rule(plural: str) -> Callable[[int], int]:
    return gettext.c2py(plural)  # Python's own
