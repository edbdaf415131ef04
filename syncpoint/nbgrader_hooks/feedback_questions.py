"""Answers to a student's questions, and how to ask, in feedback (``c.GenerateFeedback.preprocessors`` names it)."""

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_task

from ..check.ask import digest
from ..check.ask_form import SHOWN as ANSWERED
from ..check.ask_form import gap, place
from ..core.language import SOURCE, Language, speaking
from ..core.messages import say
from ..core.results import exercise_name
from ..course.cells import grade_id
from ..course.folder import Course
from ..course.intake import METADATA
from ..records.gradebook import gradebook_at
from ..records.regrade import questions
from ..records.tables import RegradeRequest
from ..translations.catalogue import spoken
from .feedback_release import secret_of

SHOWN = "<div {mark}><p><b>{asked}</b>{gap}{question}</p><p><b>{reply}</b>{gap}{answer}</p></div>"


def language_of(course: Course, notebook: NotebookNode, resources: Any) -> Language:
    name = str(notebook.metadata.get(METADATA, SOURCE))
    return spoken(course, name, resources["nbgrader"]["assignment"])


class ShowAnswers(NbGraderPreprocessor):
    """Shows answered questions below their exercise, and how to ask one if the work came by the exchange."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        names = resources["nbgrader"]
        with gradebook_at(names["db_url"]) as gradebook:
            asked = questions(gradebook.db(), names["assignment"], names["student"])
            answered: dict[str, list[NotebookNode]] = {}
            course = Course(Path.cwd())
            with speaking(language_of(course, nb, resources)):
                if secret_of(course.root / "submitted" / names["student"] / names["assignment"]):
                    answered = {
                        grade_id(cell): [_how(cell, resources)] for cell in nb.cells if is_grade(cell) or is_task(cell)
                    }
                for one in reversed(asked):
                    if one.answer is not None:
                        answered.setdefault(one.exercise, []).insert(0, _cell(one))
        nb.cells = [shown for cell in nb.cells for shown in (cell, *answered.get(grade_id(cell), ()))]
        return nb, resources


def _cell(request: RegradeRequest) -> NotebookNode:
    asked, reply = say("page_you_asked"), say("page_reply")
    question, answer = _inert(request.question), _inert(request.answer or "")
    mark = ANSWERED.format(digest(request.exercise, request.question))
    texts = {"asked": asked, "reply": reply, "question": question, "answer": answer}
    return new_markdown_cell(SHOWN.format(mark=mark, gap=gap(), **texts))


def _how(cell: NotebookNode, resources: Any) -> NotebookNode:
    how = say("page_ask", exercise=exercise_name(grade_id(cell)))
    return new_markdown_cell(place(resources["syncpoint"]["mark"], grade_id(cell), how))


def _inert(written: str) -> str:
    """Return a text without meaning for browsers or Markdown; line breaks stay."""
    signs = (c if c.isalnum() or c == " " else "<br>" if c == "\n" else f"&#{ord(c)};" for c in written)
    return "".join(signs)
