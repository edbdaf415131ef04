"""HTML and SVG, element by element: every text and every value of an attribute is escaped.

Feedback has templates of Jinja2's.  These parts are also drawn in the students' own environment, which has no Jinja2.
"""

from __future__ import annotations

import re
from html import escape

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


class Html(str):
    """Text that is already HTML, here and for Jinja2."""

    def __html__(self) -> str:
        return self


NOTHING = Html("")


def join(*parts: object) -> Html:
    """Join these parts as HTML; anything that is not :class:`Html` is escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(str(part)) for part in parts))


def tag(name: str, /, *inside: object, **attributes: object) -> Html:
    """Return an element; attribute names have an underscore for each hyphen."""
    named = "".join(f' {key.replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return Html(f"<{name}{named}>{join(*inside)}</{name}>")


def coded(text: object, **attributes: object) -> Html:
    """Return a sentence with text between single backticks as code."""
    parts = _CODE.split(str(text))
    return join(*(tag("code", part, **attributes) if place % 2 else part for place, part in enumerate(parts)))
