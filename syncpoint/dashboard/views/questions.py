"""The questions of students about their marks: read, answered, closed."""

from html import escape

import pandas as pd
import panel as pn

from ...core.results import exercise_name
from ...records.regrade import LONGEST, RegradeError, answer
from .. import read
from ..source import Source
from ..table import COUNT, TEXT, Column, Table
from ..url_state import UrlState
from .view import View, come_into_sight, notify, tiles, who

CLOSED = "Question {} is closed. The answer stands in the student's next feedback: generate_feedback --force."


class QuestionsView(View):
    """The queue of one assignment."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._number: int | None = None
        self._tiles = pn.pane.HTML(sizing_mode="stretch_width")
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
        self._question = pn.pane.HTML(sizing_mode="stretch_width")
        come_into_sight(self._question)
        self._answer = pn.widgets.TextAreaInput(label="Answer", max_length=LONGEST, rows=4, sizing_mode="stretch_width")
        self._send = pn.widgets.Button(label="Answer and close", color="primary", width=160)
        self._send.on_click(lambda _: self._close())
        self._form = pn.Column(self._question, self._answer, self._send, visible=False, sizing_mode="stretch_width")
        self.layout = pn.Column(self._tiles, self._table.layout, self._form, sizing_mode="stretch_width")

    def update(self) -> None:
        """Read the queue."""
        found = read.questions(self.source.engine, self.url_state.assignment)
        is_open = found.answered_at.isna()
        self._tiles.object = tiles({"open": int(is_open.sum()), "answered": int((~is_open).sum())})
        self._table.show(
            found.assign(
                state=is_open.map({True: "open", False: "answered"}),
                exercise=found.exercise.map(exercise_name),
                asked=pd.to_datetime(found.asked_at).dt.strftime("%Y-%m-%d %H:%M"),
                answer=found.answer.fillna(""),
                answered_by=found.answered_by.fillna(""),
            )
        )
        self._form.visible = self._number in set(found.id[is_open])

    def _choose(self, row: pd.Series) -> None:
        if row.state != "open":
            self._form.visible = False
            return
        if self._number != row.id:
            self._answer.value = ""
        self._number = int(row.id)
        self._question.object = f"<h3>{escape(row.student)}, {escape(row.exercise)}</h3><p>{escape(row.question)}</p>"
        self._form.visible = True

    def _close(self) -> None:
        number = self._number
        if number is None:
            return
        try:
            answer(self.source.engine, number, self._answer.value_input or self._answer.value or "", who())
        except RegradeError as problem:
            notify(str(problem))
        else:
            self._number, self._answer.value = None, ""
            notify(CLOSED.format(number))
        self.update()
