"""The language of what is said at this moment: messages by their codes, and sentences of graders by their English.

What is kept and compared stays data, or English; a text takes its language when it is shown.
"""

from __future__ import annotations

import functools
import gettext
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any, Callable

SOURCE = "en"  # what everything is written in
END = re.compile(r"(?<=[.?!]) (?=[A-Z])")  # between two sentences
BESIDE = re.compile(r"(\{\w+\})(?: ?\{\w+\})+")  # places with nothing between them: one place, of several sentences
DEEPEST = 4  # sentences that stand in the places of others


@dataclass(frozen=True)
class Language:
    """A language, with what it has for the texts of the course; without any it is that of the source.

    Attributes:
        name: As "pt_BR".
        plural: Which form a number takes, in C, as catalogues of gettext say it.
        texts: By code; several for a text that is about a number, one for each form.
        sentences: By the English, whole ones; named places stand in braces, and in both the same.
        joint: What stands between the last two of a list.
    """

    name: str = SOURCE
    plural: str = "n != 1"
    texts: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    joint: str = " and "

    @property
    def tag(self) -> str:
        """As pages of the web say it: "pt-BR"."""
        return self.name.replace("_", "-")

    def form(self, number: float) -> int:
        """Which form a number takes."""
        return int(_rule(self.plural)(int(number) if float(number).is_integer() else 2))

    def sentence(self, english: str, deep: int = 0) -> str:
        """Say a sentence in this language; what it has no words for stays as it is.

        A sentence of a grader was put together when its test ran: it is known by the words around its places, and
        what stands in them may be a sentence or a word that is known, too.

        Args:
            english: The sentence.
            deep: How many others it stands in.

        Returns:
            The translation, or the English.
        """
        if not self.sentences or deep > DEEPEST or not english:
            return english
        known = self.word(english)
        if known != english:
            return known
        for pattern, places, template in self._templates:
            found = pattern.fullmatch(english)
            if found:
                values = {
                    name: self._part(value, deep + 1)
                    for name, value in zip(places, found.groups())
                    if value is not None
                }
                return _fill(template, values)
        return english

    def word(self, english: str) -> str:
        """The same for what stands in the catalogue just so."""
        known = self.sentences.get(english)
        return english if known is None or "{" in english else known

    def _part(self, value: str, deep: int) -> str:
        """What stands in a place: a sentence, several, or a list of two."""
        several = END.split(value)
        said = self._each(several, deep) if len(several) > 1 else None
        if said is not None:
            return "".join(text if text.endswith("\u3002") else f"{text} " for text in said).rstrip()
        small = value[:1].lower() + value[1:]  # it begins a sentence
        if self.word(small) != small:
            return self.word(small)
        whole = self.sentence(small, deep)  # as "Cell 3 (`loops`)"
        if whole != small:
            return whole
        whole = self.sentence(value, deep)
        kind, colon, text = value.partition(": ")
        if whole == value and colon and self._part(text, deep + 1) != text:  # an error, and what it mostly means
            template = self.texts.get("error_said", "")
            return _fill(str(template), {"type": kind, "text": self._part(text, deep + 1)}) if template else value
        for sign, joint in ((" and ", self.joint), (", ", ", ")):
            if whole == value and sign in value:
                whole = joint.join(self.sentence(part, deep) for part in value.split(sign))
        return whole

    def _each(self, sentences: list[str], deep: int) -> list[str] | None:
        """Several sentences, some of which may be one text; None if not all of them are known."""
        for end in range(1, len(sentences) + 1):
            english = " ".join(sentences[:end])
            said = self.sentence(english, deep)
            others = self._each(sentences[end:], deep) if said != english else None
            if others is not None:
                return [said, *others]
        return None if sentences else []

    @functools.cached_property
    def _templates(self) -> list[tuple[re.Pattern[str], tuple[str, ...], str]]:
        """Sentences with places: those with the most words of their own first."""
        found = []
        for english, said in self.sentences.items():
            english, said = (BESIDE.sub(r"\1", text) for text in (english, said))
            parts = list(Formatter().parse(english)) if "{" in english else []
            own = "".join(literal for literal, *_ in parts)
            places = tuple(place for _, place, *_ in parts if place is not None)
            if places and any(map(str.isalpha, own)):
                pattern = "".join(re.escape(text) + ("(.*?)" if place is not None else "") for text, place, *_ in parts)
                found.append((len(own), re.compile(pattern, re.DOTALL), places, said))
        found.sort(key=lambda row: -row[0])
        return [(pattern, places, said) for _, pattern, places, said in found]

    def only(self, codes: Iterable[str]) -> Language:
        """As much of it as these texts need."""
        return replace(self, texts={code: self.texts[code] for code in codes if code in self.texts}, sentences={})

    def to_data(self) -> dict[str, Any]:
        """What JSON has."""
        return {name: getattr(self, name) for name in ("name", "plural", "texts", "sentences", "joint")}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Language:
        """The language that :meth:`to_data` made this of."""
        texts = {code: tuple(text) if isinstance(text, list) else text for code, text in data["texts"].items()}
        return cls(**{**data, "texts": texts})


ENGLISH = Language()
_language: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    """The one that is spoken now."""
    return _language.get()


@contextmanager
def speaking(chosen: Language) -> Iterator[None]:
    """In the block everything is said in this language."""
    token = _language.set(chosen)
    try:
        yield
    finally:
        _language.reset(token)


def in_language(english: str) -> str:
    """A sentence of a grader, a title or a hint in the language that is spoken now."""
    return _language.get().sentence(english)


@functools.lru_cache(maxsize=16)
def _rule(plural: str) -> Callable[[int], int]:
    return gettext.c2py(plural)  # Python's own


def _fill(template: str, values: Mapping[str, str]) -> str:
    """Put values into the places, which may have changed their order."""
    filled = []
    for text, place, wanted, _ in Formatter().parse(template):
        value = values.get(place, "") if place is not None else ""
        filled += [text, value[:1].upper() + value[1:] if wanted == "capital" else value]
    return "".join(filled)
