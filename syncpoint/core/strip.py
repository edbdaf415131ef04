"""What students chose (names of exceptions and files) can stand in sentences: nothing in it commands a terminal."""

KEPT = "\n\t"  # a detail has lines


def strip_control(text: str) -> str:
    """Return the text without characters that are not shown: escapes, turns of direction, NUL, surrogates.

    A database takes what comes out, too: PostgreSQL keeps no NUL, and none keeps lone surrogates.
    """
    return "".join(c if c.isprintable() or c in KEPT else "\N{REPLACEMENT CHARACTER}" for c in text)


def strip_surrogates(text: str) -> str:
    """The text without lone surrogates: they are valid JSON and cannot be written to any file."""
    return text.encode("utf-8", "replace").decode("utf-8")
