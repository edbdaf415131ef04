"""Written answers and their rubrics: what an answer fulfils is ticked, and becomes score and comment."""

from dataclasses import replace
from html import escape

import pandas as pd
import panel as pn

from ...core.results import exercise_name
from ...course.rubric import Rubric, RubricError, read_rubrics
from ...records.gradebook import GradebookError, open_gradebook
from ...records.manual import Answer, mark
from .. import read
from ..source import Source
from ..table import NUMBER, TEXT, Column, Table, without_unread
from ..url_state import UrlState
from .view import View, come_into_sight, notify, tiles, who

LONGEST = 4000
NO_RUBRIC = "This assignment has no rubric: grader_tests/{0}/rubrics/&lt;cell&gt;.toml is one, see docs/tas.md."
MISSING = "(no answer was found in autograded/)"


class AnswersView(View):
    """The written answers of one assignment that have a rubric."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._answer: Answer | None = None
        self._rubrics: dict[str, Rubric] = {}
        self._tiles = pn.pane.HTML(sizing_mode="stretch_width")
        self._table = Table(
            "answers",
            "Written answers",
            [
                Column("student", "student", TEXT, 120),
                Column("exercise", "answer", TEXT, 150),
                Column("state", "state", TEXT, 90),
                Column("points", "points", NUMBER, 80),
            ],
            choose=self._choose,
        )
        self._text = pn.pane.HTML(sizing_mode="stretch_width")
        come_into_sight(self._text)
        self._met = pn.widgets.CheckBoxGroup(options={})
        self._note = pn.widgets.TextAreaInput(label="Note", max_length=LONGEST, rows=3, sizing_mode="stretch_width")
        save = pn.widgets.Button(label="Save", color="primary", width=120)
        save.on_click(lambda _: self._save())
        self._form = pn.Column(self._text, self._met, self._note, save, visible=False, sizing_mode="stretch_width")
        self.layout = pn.Column(self._tiles, self._table.layout, self._form, sizing_mode="stretch_width")

    def update(self) -> None:
        """Read the answers, and the rubrics as they are in the course folder now."""
        assignment = self.url_state.assignment
        self._rubrics, wrong = read_rubrics(self.source.course, assignment)
        found = read.answers(self.source.engine, assignment, list(self._rubrics))
        found = found.assign(
            state=found.unread.map({True: "to read", False: "read"}), points=without_unread(found.points, found.unread)
        )
        said = "".join(f"<p>{escape(str(problem))}</p>" for problem in wrong)
        unread = int(found.unread.sum())
        if self._rubrics:
            said += tiles({"to read": unread, "read": len(found) - unread})
        self._tiles.object = said or f"<p>{NO_RUBRIC.format(escape(assignment))}</p>"
        self._found = found
        self._table.show(found)
        one = self._answer
        self._form.visible = one is not None and one.assignment == assignment and one.cell in self._rubrics

    def _choose(self, row: pd.Series) -> None:
        whole = self._found[(self._found.student == row.student) & (self._found.exercise == row.exercise)].iloc[0]
        self._answer = Answer(row.student, self.url_state.assignment, whole.notebook, row.exercise)
        rubric = self._rubrics[row.exercise]
        met, note = rubric.read(whole.comment or "")
        self._met.options = {f"{one.text} ({one.points:g})": n for n, one in enumerate(rubric.criteria)}
        self._met.value, self._note.value = sorted(met), note
        text = self.source.written(self._answer.student, self._answer.assignment, whole.notebook, row.exercise)
        heading = f"{escape(row.student)}, {escape(exercise_name(row.exercise))}"
        self._text.object = f"<h3>{heading}</h3><pre style='white-space:pre-wrap'>{escape(text or MISSING)}</pre>"
        self._form.visible = True

    def _save(self) -> None:
        if self._answer is None:
            return
        student = self.source.people.student(self._answer.student) or ""
        whose = replace(self._answer, student=student)
        try:
            with open_gradebook(self.source.course) as gradebook:
                rubric, met = self._rubrics[self._answer.cell], list(self._met.value)
                score = mark(gradebook, whose, rubric, met, self._note.value or "", how="dashboard", who=who())
        except (RubricError, GradebookError) as problem:
            notify(self.source.people.without_names(str(problem), student))
        else:
            notify(f"{self._answer.student}, {exercise_name(self._answer.cell)}: {score:g} points.")
            self._answer = None
        self.update()
