"""Finds answers that read alike, so that one mark can be given to all of them."""

from collections.abc import Mapping

from rapidfuzz import fuzz

from ..records.graded_answers import MAX_STORED_CHARACTERS

NEAR = 90.0  # percent of the characters that two answers share if they are nearly the same
COMPARED = 5000  # characters: longer answers are alike only if they are the same


def alike(text: str, others: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return who wrote the same text (apart from case, spaces and line ends), and who wrote nearly the same."""
    same, near = list[str](), list[str]()
    if len(text) > MAX_STORED_CHARACTERS:  # the rest was cut off
        return same, near
    words = _words(text)
    for writer, other in others.items():
        theirs = _words(other)
        if theirs == words and len(other) <= MAX_STORED_CHARACTERS:
            same.append(writer)
        elif max(len(words), len(theirs)) <= COMPARED and fuzz.ratio(words, theirs) >= NEAR:
            near.append(writer)
    return same, near


def _words(text: str) -> str:
    return " ".join(text.casefold().split())
