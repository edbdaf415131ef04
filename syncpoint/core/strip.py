"""Removes control characters from text that students chose, so that it cannot control a terminal."""

import re

ALLOWED = "\n\t"  # a detail may have several lines


def strip_control(text: str) -> str:
    """Return the text without invisible characters: escapes, direction changes, NUL, surrogates.

    The result also fits a database: PostgreSQL stores no NUL, and no database stores lone surrogates.
    """
    return "".join(c if c.isprintable() or c in ALLOWED else "\N{REPLACEMENT CHARACTER}" for c in text)


# Also allowed in an output: ends of lines, and the colors of IPython's tracebacks.
_COLOR = re.compile(r"(\x1b\[[0-9;]*m)")
# they change the direction of writing
_TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SHOWN = (
    {code: 0x2400 + code for code in range(0x20) if chr(code) not in ALLOWED}  # Unicode's symbols for them
    | {0x7F: 0x2421, ord("\r"): "\n"}
    | dict.fromkeys((*range(0x80, 0xA0), *map(ord, _TURNS), 0x2028, 0x2029), "\N{REPLACEMENT CHARACTER}")
)


def show_control(output: str) -> str:
    """Replace each character that would control a terminal or change the text direction by a visible sign.

    Colors stay; a carriage return begins a new line, as in a browser.
    """
    parts = _COLOR.split(strip_surrogates(output.replace("\r\n", "\n")))
    return "".join(part if number % 2 else part.translate(_SHOWN) for number, part in enumerate(parts))


def strip_surrogates(text: str) -> str:
    """The text without lone surrogates: they are valid JSON and cannot be written to any file."""
    return text.encode("utf-8", "replace").decode("utf-8")
