"""The cells of a notebook that is judged: which ones have hidden tests, which ones are checks, and their names."""

from typing import Any

from nbformat import NotebookNode

from ..core.messages import Message


def is_autograded(cell: NotebookNode) -> bool:
    """Whether hidden tests grade this cell."""
    marks = _marks(cell)
    return cell.cell_type == "code" and bool(marks.get("grade")) and not marks.get("solution")


def is_visible_check(notebook: NotebookNode, index: int) -> bool:
    """Whether a cell of the course is between a solution and its hidden tests.

    If it uses the same name, it must not replace what the solution calls.
    """
    if not _marks(notebook.cells[index]).get("locked"):
        return False
    solutions = [number for number, cell in enumerate(notebook.cells) if _marks(cell).get("solution")]
    tested = [number for number, cell in enumerate(notebook.cells) if number > index and is_autograded(cell)]
    before = [number for number in solutions if number < index]
    after = [number for number in solutions if number > index]
    return bool(before and tested) and (not after or tested[0] < after[0])


def cell_name(index: int, cell: NotebookNode) -> Message:
    """Return a cell's name in messages: its place, counted from 1, and its id if it has one."""
    identity = _marks(cell).get("grade_id", "")
    if identity:
        return Message.of("named_cell", number=index + 1, name=identity)
    return Message.of("cell", number=index + 1)


def _marks(cell: NotebookNode) -> dict[str, Any]:
    marks: dict[str, Any] = cell.metadata.get("nbgrader", {})
    return marks
