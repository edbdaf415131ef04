"""The cells of a release and those that a student claims to have of it."""

import copy
from typing import Any

from nbformat import NotebookNode

from ..judge.job import new_cell


def as_released(original: NotebookNode) -> NotebookNode:
    cell = new_cell(original.cell_type, original.source)
    cell.metadata = copy.deepcopy(original.metadata)
    if is_locked(original):
        # nbgrader restores the hidden part of the source, which changes the checksum.
        cell.metadata.nbgrader.pop("checksum", None)
    return cell


def is_locked(cell: NotebookNode) -> bool:
    """Whether students may not change a released cell."""
    return bool(cell.metadata.nbgrader.get("locked"))


def is_written(cell: NotebookNode) -> bool:
    """Whether a released cell is an answer that a person reads."""
    return bool(cell.metadata.nbgrader.get("grade") and cell.metadata.nbgrader.get("solution"))


def grade_id(cell: NotebookNode) -> str:
    """The id of a cell that nbgrader knows; "" for any other."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def claimed_id(raw: dict[str, Any]) -> str:
    """The id that a student's cell claims; "" for none."""
    metadata = raw["metadata"]
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    identity = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return identity if isinstance(identity, str) else ""


def plain(text: str) -> str:
    """A text without what an editor changes by itself: ends of lines, and blanks before them."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
