"""Names in a sentence: many of them, and one that was perhaps meant."""

import difflib
from collections.abc import Iterable

SHOWN = 10


def some(names: Iterable[str]) -> str:
    """The names for a message, the first ones if they are many."""
    listed = list(names)
    rest = len(listed) - SHOWN
    return ", ".join(listed[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence on a name: which one is perhaps meant; "" if none is like it, or if it is known."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near and near[0] != name else ""
