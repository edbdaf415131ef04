"""The answers to a student's questions, in their feedback: below the exercise that they asked about.

``c.GenerateFeedback.preprocessors`` names it.
"""

from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from ..records.regrade import questions
from ..records.tables import RegradeRequest

SHOWN = "<div><p><b>You asked:</b> {question}</p><p><b>Answer:</b> {answer}</p></div>"


class ShowAnswers(NbGraderPreprocessor):
    """Puts each answered question below its exercise."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Add cells to a notebook that becomes a page.

        Returns:
            The notebook and the resources.
        """
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            asked = questions(gradebook.db(), names["assignment"], names["student"])
            answered: dict[str, list[NotebookNode]] = {}
            for one in asked:
                if one.answer is not None:
                    answered.setdefault(one.exercise, []).append(_cell(one))
        nb.cells = [
            shown
            for cell in nb.cells
            for shown in (cell, *answered.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""), ()))
        ]
        return nb, resources


def _cell(request: RegradeRequest) -> NotebookNode:
    return new_markdown_cell(SHOWN.format(question=_inert(request.question), answer=_inert(request.answer or "")))


def _inert(written: str) -> str:
    """A text that means nothing to a browser and nothing to Markdown; lines stay lines."""
    signs = (c if c.isalnum() or c == " " else "<br>" if c == "\n" else f"&#{ord(c)};" for c in written)
    return "".join(signs)
