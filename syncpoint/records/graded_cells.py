"""The marks in nbgrader's tables, each with its student, assignment, notebook and cell."""

from typing import Any

from nbgrader.api import Assignment, BaseCell, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import ColumnElement, Select, select


def graded_cells(*columns: Any) -> Select[Any]:
    """Select these columns of all marks; each row has what :func:`of_notebook` and :func:`of_cell` compare."""
    return (
        select(*columns)
        .select_from(Grade)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(Notebook, Notebook.id == BaseCell.notebook_id)
    )


def of_notebook(table: Any) -> ColumnElement[bool]:
    """Return the condition that a row of our table belongs to the notebook of the submission in the query."""
    return (
        (table.student == SubmittedAssignment.student_id)
        & (table.assignment == Assignment.name)
        & (table.notebook == Notebook.name)
    )


def of_cell(table: Any) -> ColumnElement[bool]:
    """Return the condition that a row of our table belongs to the cell in the query."""
    return of_notebook(table) & (table.cell == BaseCell.name)
