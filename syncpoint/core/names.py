"""Many names in one sentence."""

from collections.abc import Iterable

SHOWN = 10


def some(names: Iterable[str]) -> str:
    """The names for a message, the first ones if they are many."""
    listed = list(names)
    rest = len(listed) - SHOWN
    return ", ".join(listed[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
