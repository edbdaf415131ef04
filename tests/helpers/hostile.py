"""Texts that take nbconvert, bleach, mistune, pygments or BeautifulSoup minutes, or that they fail at."""

from collections.abc import Callable
from typing import Any

MIB = 2**20


def _attributes(length: int) -> str:
    return "".join(f"<b x={number}>" for number in range(length // 8))


# Each makes a text of about this many characters.
TEXTS: dict[str, Callable[[int], str]] = {
    "nested tags": lambda length: "<b>" * (length // 3),
    "nested lists of tags": lambda length: "<ul><li>" * (length // 8),
    "tags with attributes": _attributes,
    "open comments": lambda length: "<!--" * (length // 4),
    "open sections": lambda length: "<![CDATA[" * (length // 9),
    "brackets": lambda length: "[" * length,
    "pictures": lambda length: "![" * (length // 2),
    "pairs of brackets": lambda length: "[" * (length // 2) + "]" * (length // 2),
    "links": lambda length: "[a](<b" * (length // 6),
    "references": lambda length: "[a][" * (length // 4),
    "backticks": lambda length: "".join("`" * number + " " for number in range(int((2 * length) ** 0.5))),
    "formulas": lambda length: "\\\\[" * (length // 3),
    "environments": lambda length: "\\begin{a}" * (length // 9),
    "dollars": lambda length: "$$a\n" * (length // 4),
    "emphasis": lambda length: "*a **b" * (length // 6),
    "nested lists": lambda length: "\n".join("  " * depth + "- a" for depth in range(int(length**0.5))),
    "quotes": lambda length: "\n".join("> " * depth + "a" for depth in range(int(length**0.5))),
    "one line": lambda length: "a" * length,
    "entities": lambda length: "&" * length,
    "a long number": lambda length: "&#" + "9" * length,
    "a table": lambda length: "|a" * (length // 6) + "\n" + "|-" * (length // 6) + "\n" + "|b" * (length // 6),
    "Ruby": lambda length: "```ruby\n" + "<<a " * (length // 4) + "\n```",
    "reStructuredText": lambda length: "```rst\n" + "`a" * (length // 2) + "\n```",
    "spaces": lambda length: " " * length,
    "line breaks": lambda length: "\n" * length,
    "NUL": lambda length: "\0" * length,
}
MISSING = "![a picture](attachment:missing.gif)"
ONE_PICTURE = {"a.png": {"image/png": "A" * MIB}}
CODE = {"indents": "\n " * 10_000, "dots": "pass\n# " + "x" * 10 + "\nf(" + "." * 40_000 + ")", "long": "x = 1\n" * MIB}
PRINTS = {
    "colours": "print('\\x1b[1ma' * 100_000)",
    "one colour": "print('\\x1b[' + ';' * 900_000 + 'm')",
    "signs": "print('<' * 900_000)",
}


def markdown(source: str, **more: Any) -> dict[str, Any]:
    """A Markdown cell as a student's file holds it."""
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


def code(source: str) -> dict[str, Any]:
    """A code cell as a student's file holds it."""
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
