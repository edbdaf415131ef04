"""The questions of students about their marks: read, answered, closed."""

from typing import Any

import pandas as pd
import panel as pn

from ...core.results import exercise_name
from ...records.errors import RegradeError
from ...records.regrade import LONGEST, answer
from .. import queries
from ..html import Html, render
from ..source import Source
from ..tabulator import COUNT, TEXT, Column, Table
from ..url_state import UrlState
from .view import Form, View, come_into_sight, next_button, notify, tiles, who

CLOSED = (
    "Question {} is closed. The answer appears in the student's next feedback: run generate_feedback and "
    "release_feedback."
)
LOST = "Nothing was saved: the page was changing. Check the question that is shown now, and press the button again."


class QuestionsView(View):
    """The queue of one assignment."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._number: int | None = None  # the number of the displayed question
        self._found = pd.DataFrame()
        self._tiles = Html(sizing_mode="stretch_width")
        self._table = Table(
            "questions",
            "Questions",
            [
                Column("student", "student", TEXT, 110),
                Column("id", "number", COUNT, 80),
                Column("state", "state", TEXT, 90),
                Column("exercise", "exercise", TEXT, 130),
                Column("asked", "asked (UTC)", TEXT, 140),
                Column("question", "question", TEXT, 320),
                Column("answered_by", "answered by", TEXT, 110),
                Column("answer", "answer", TEXT, 320),
            ],
            choose=self._choose,
        )
        self._question = Html(sizing_mode="stretch_width")
        come_into_sight(self._question)
        self._answer = pn.widgets.TextAreaInput(label="Answer", max_length=LONGEST, rows=4, sizing_mode="stretch_width")
        self._send = pn.widgets.Button(label="Answer and close", color="primary", width=160)
        self._alert = Html(visible=False, sizing_mode="stretch_width")
        self._sent = Form(self._send, {"answer": (self._answer, "value")}, self._received)
        buttons = pn.Row(self._send, next_button("question", self._next))
        parts = (self._question, self._answer, self._alert, buttons, *self._sent.parts)
        self._form = pn.Column(*parts, visible=False, sizing_mode="stretch_width")
        self.layout = pn.Column(self._tiles, self._table.layout, self._form, sizing_mode="stretch_width")

    def update(self) -> None:
        """Read the queue."""
        self._found = found = self.source.result(_questions, self.url_state.assignment)
        answered = int((found.state == "answered").sum())
        self._tiles.object = tiles({"open": len(found) - answered, "answered": answered})
        self._table.show(found)
        # A question that somebody else has answered stays open here, with the text typed so far.
        self._form.visible = self._number in set(found.id)

    def _choose(self, shown: pd.Series) -> None:
        self._open(self._found[self._found.id == shown.id].iloc[0])

    def _next(self) -> None:
        """Show the open question after this one; after the last one, the first."""
        waiting = self._found[(self._found.state == "open") & (self._found.id != self._number)]
        after = waiting[waiting.id > (self._number or 0)]
        for _, row in (after if len(after) else waiting).head(1).iterrows():
            self._open(row)

    def _open(self, row: pd.Series) -> None:
        if row.state != "open":
            self._number, self._form.visible = None, False
            return
        self._sent.begin()
        if self._number != row.id:
            self._answer.value = ""
        code, report, assertions = self.source.evidence(row.student, self.url_state.assignment, row.cell)
        self._question.object = render(
            "question.html",
            number=row.id,
            student=row.student,
            exercise=row.exercise,
            question=row.question,
            code=code,
            report=report,
            assertions=assertions,
        )
        self._say("")
        self._number = int(row.id)
        self._sent.show(self._number)
        self._form.visible = True

    def _say(self, sentence: str) -> None:
        self._alert.object = render("alert.html", sentence=sentence)
        self._alert.visible = bool(sentence)

    def _received(self, number: int | None, typed: dict[str, Any]) -> bool:
        if number is None:
            self._say(LOST)
            return False
        try:
            answer(self.source.engine, number, str(typed["answer"] or ""), who())
        except RegradeError as problem:
            self._say(f"Nothing was saved: {problem} Your text is still here.")
            return False
        was_shown = self._number == number
        notify(CLOSED.format(number))
        self.update()
        if was_shown:
            self._next()
        if self._number == number:  # there is no other question
            self._number, self._answer.value, self._form.visible = None, "", False
        return True


def _questions(source: Source, assignment: str) -> pd.DataFrame:
    found = source.read(queries.questions, assignment)
    return found.assign(
        state=found.answered_at.isna().map({True: "open", False: "answered"}),
        cell=found.exercise,
        exercise=found.exercise.map(exercise_name),
        asked=pd.to_datetime(found.asked_at).dt.strftime("%Y-%m-%d %H:%M"),
    )
