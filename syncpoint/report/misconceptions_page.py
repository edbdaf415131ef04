"""Reads docs/students/misconceptions.md: common beliefs and what the engine really does, section by section."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import mistune

# Each section of the page is below a line with its name, which links can use.
SECTION = re.compile(r'^<a id="([\w-]+)"></a>\s*^## +(.+?)\s*$', re.MULTILINE)
PICTURES = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Notebook themes color code for one background, so this uses the page's colors.
PICTURE = (
    "color:inherit;background:none;overflow-x:auto;line-height:1.25;padding:.6em .8em;margin:.5em 0;"
    "border:1px solid #8888;border-radius:4px"
)


@dataclass(frozen=True)
class Misconception:
    """One section."""

    slug: str  # its name in marks and links
    title: str
    text: str  # Markdown, without the title

    @cached_property
    def html(self) -> str:
        """Return the text as self-contained HTML: no script, nothing to fetch, raw HTML escaped."""
        return str(_to_html(self.text))

    @cached_property
    def parts(self) -> list[tuple[str, str]]:
        """Return the plain text in order: what to say, and the picture below it ("" if there is none)."""
        words, pictures = PICTURES.split(self.text)[::2], PICTURES.split(self.text)[1::2]
        texts = [re.sub(r"\*+|`", "", part).strip() for part in words]
        return [part for part in zip_longest(texts, pictures, fillvalue="") if any(part)]


class _Renderer(mistune.HTMLRenderer):
    """Renders text pictures and code in the page's colors."""

    def block_code(self, code: str, info: str | None = None) -> str:
        picture = in_columns(code.rstrip("\n"))
        return f'<pre tabindex="0" style="{PICTURE}">{picture}</pre>\n'

    def codespan(self, text: str) -> str:
        return f'<span style="font-family:monospace">{mistune.escape(text)}</span>'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return text  # the page's links lead to neighboring pages, which students do not have


def in_columns(picture: str) -> str:
    """Return a text picture as HTML for a ``pre``.

    Its columns meet in any font, and a wide letter takes two.
    """
    found = []  # a box is as wide as its columns, even if a font has no letter of 1 em
    for is_wide, letters in groupby(picture, key=lambda letter: east_asian_width(letter) in "WF"):
        text = "".join(letters)
        style = f"display:inline-block;width:{2 * len(text)}ch;letter-spacing:calc(2ch - 1em)"
        box = f'<span style="{style}">{text}</span>'
        found.append(box if is_wide else mistune.escape(text))
    return "".join(found)


_to_html: Any = mistune.create_markdown(renderer=_Renderer(escape=True))


@lru_cache(maxsize=8)  # cached with the HTML of its sections, for all notebooks of a run
def parse_misconceptions(page: str) -> dict[str, Misconception]:
    """The sections of a page by their names, in its order."""
    _, *parts = SECTION.split(page)
    sections = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {slug: Misconception(slug, title, text.strip()) for slug, title, text in sections}


def read_misconceptions(page: Path) -> dict[str, Misconception]:
    """Return the page's sections by name, as graders refer to them; empty if there is no page."""
    return parse_misconceptions(page.read_text(encoding="utf-8")) if page.is_file() else {}
