"""Compares a translation with the English text: placeholders, code, numbers, emphasis and tables must agree."""

import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter

from markdown_it import MarkdownIt

from ..course.folder import Course
from .catalogue import english_of, path_of, read
from .code import expressions

CODE = re.compile(r"(?<!`)`[^`]+`(?!`)|\$[^$]+\$|https?://\S+|<[^>]+>")
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
EMPHASIS = ("strong_open", "em_open", "link_open")
_parser = MarkdownIt("commonmark")


def problems(course: Course, language: str, catalogue: str) -> list[str]:
    found = []
    for entry in read(path_of(course, language, catalogue), language):
        if entry.id and entry.string and not entry.fuzzy:
            english = english_of(entry)
            for translation in [entry.string] if isinstance(entry.string, str) else entry.string:
                if translation:
                    found += [
                        f"{entry.context or ''}: {english[:50]!r}: {why}" for why in differences(english, translation)
                    ]
    return found


def differences(english: str, translation: str) -> Iterator[str]:
    """Yield where a translation differs from the English text in anything but words."""
    if _places(english) != _places(translation):
        yield f"the placeholders differ: {translation!r}"
        return
    for what, parts in (("code", _code), ("numbers", _numbers)):
        there, here = parts(english), parts(translation)
        if there != here:
            yield f"{what}: missing {sorted((there - here).elements())}, extra {sorted((here - there).elements())}"
    there, here = _emphasis(english), _emphasis(translation)
    if there["strong_open"] != here["strong_open"] or there - here:  # translations may put foreign words in italics
        yield f"emphasis: {dict(here)} for {dict(there)}"
    if english.startswith("|") and english.count("|") != translation.count("|"):
        yield "the row of the table has other cells"


def _places(text: str) -> list[str]:
    """Return the placeholders of a template with their conversions; for an f-string, its expressions."""
    try:
        return sorted(f"{name}:{spec}!{kind}" for _, name, spec, kind in Formatter().parse(text) if name is not None)
    except ValueError:
        try:
            return sorted(expressions(text))
        except SyntaxError:
            return sorted(re.findall(r"\{.*?\}", text))


def _code(text: str) -> Counter[str]:
    return Counter(CODE.findall(text))


def _numbers(text: str) -> Counter[str]:
    plain = re.sub(r"\{[^{}]*\}", "", CODE.sub("", text))
    return Counter(re.sub(r"[.,]", "", number) for number in NUMBER.findall(plain))


def _emphasis(text: str) -> Counter[str]:
    inline = [child for token in _parser.parse(text.replace("_", "")) for child in token.children or ()]
    return Counter(child.type for child in inline if child.type in EMPHASIS)
