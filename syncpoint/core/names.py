"""Names in a sentence: long lists of them, and one that was perhaps meant."""

import difflib
from collections.abc import Iterable

SHOWN = 10


def some(names: Iterable[str]) -> str:
    """Return the names for a message; only the first ones if there are many."""
    listed = list(names)
    rest = len(listed) - SHOWN
    return ", ".join(listed[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about a name: the name perhaps meant; "" if none is similar or it is known."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near and near[0] != name else ""
