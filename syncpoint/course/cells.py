"""The cells of a release, and a student's claims to them."""

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
    return bool(cell.metadata.nbgrader.get("locked"))


def is_written_answer(cell: NotebookNode) -> bool:
    """Whether a released cell is an answer that a person reads."""
    return bool(cell.metadata.nbgrader.get("grade") and cell.metadata.nbgrader.get("solution"))


def grade_id(cell: NotebookNode) -> str:
    """Return the id of a cell for nbgrader; "" for any other cell."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def claimed_id(raw: dict[str, Any]) -> str:
    """Return the id that a student's cell claims; "" for none."""
    metadata = raw["metadata"]
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    identity = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return identity if isinstance(identity, str) else ""


def plain(text: str) -> str:
    """Return a text without differences that editors cause: line ends and spaces before them."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
