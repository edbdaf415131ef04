"""Written answers and their rubrics: the selected criteria give the score and the comment."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import panel as pn
from nbgrader.api import Gradebook

from ...core.results import exercise_name
from ...course.answer_rubric import Rubric, read_rubrics
from ...course.errors import RubricError
from ...records.database import upgrade
from ...records.errors import GradebookError
from ...records.gradebook import open_gradebook
from ...records.manual import Answer, AnswerChanged, AnswerState, follow_rubric, keep, mark, outdated, see
from .. import queries
from ..alike import alike
from ..html import Html, render
from ..source import Source
from ..tabulator import NUMBER, TEXT, Column, Table, without_unread
from ..url_state import UrlState
from .view import Form, View, come_into_sight, next_button, notify, tiles, who

LONGEST = 4000
LOST = "Nothing was saved: the page was changing. Check the answer that is shown now, and press Save again."
REFUSED = "Nothing was saved: {0} Your ticks and your note are still here: check them, and press Save again."
OTHER_RUBRIC = "the rubric has changed since you opened the answer."
OTHER_MARKS = "Nothing was changed: the rubrics or the marks have changed since you opened the page. Press again."
MISSING = "(no answer was found in autograded/)"
EMPTY = "(nothing was written)"


@dataclass(frozen=True)
class OpenAnswer:
    """An answer as the form shows it."""

    answer: Answer
    seen: AnswerState
    rubric: Rubric | None  # the rubric for marking it; None if there is none
    alike: tuple["Alike", ...] = ()  # other unmarked answers


@dataclass(frozen=True)
class Alike:
    """An answer similar to the open one."""

    shown: str  # the student, as named on the page
    seen: AnswerState
    same: bool  # whether the words are the same, not just nearly the same

    @property
    def label(self) -> str:
        """The text next to its box."""
        return f"{self.shown} ({'the same words' if self.same else 'nearly the same: compare'})"


@dataclass(frozen=True)
class Outdated:
    """Marks from a time when a rubric's criteria had other points."""

    rubric: Rubric
    answers: tuple[Answer, ...]


class AnswersView(View):
    """The written answers of one assignment that have a rubric."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._open: OpenAnswer | None = None
        self._rubrics: dict[str, Rubric] = {}
        self._tiles = Html(sizing_mode="stretch_width")
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
        self._answer_text = Html(sizing_mode="stretch_width")
        come_into_sight(self._answer_text)
        self._criteria_boxes = pn.widgets.CheckBoxGroup(options={})
        self._alike_texts = Html(sizing_mode="stretch_width")
        self._alike_boxes = pn.widgets.CheckBoxGroup(options={})
        self._note = pn.widgets.TextAreaInput(label="Note", max_length=LONGEST, rows=3, sizing_mode="stretch_width")
        save_button = pn.widgets.Button(label="Save", color="primary", width=120)
        self._alert = Html(visible=False, sizing_mode="stretch_width")
        self._save_form = Form(
            save_button,
            {
                "met": (self._criteria_boxes, "active"),
                "alike": (self._alike_boxes, "active"),
                "note": (self._note, "value"),
            },
            self._save_mark,
        )
        keep_button = pn.widgets.Button(label="Keep the mark", width=160)
        self._keep_form = Form(keep_button, {}, self._keep)
        self._marking_parts, self._keeping_parts = [self._criteria_boxes, self._note, save_button], [keep_button]
        boxes = (self._criteria_boxes, self._note, self._alike_texts, self._alike_boxes)
        buttons = (self._alert, save_button, keep_button, *self._save_form.parts, *self._keep_form.parts)
        self._answer_form = pn.Column(self._answer_text, *boxes, *buttons, visible=False, sizing_mode="stretch_width")
        apply_button = pn.widgets.Button(label="Apply the new points", width=200)
        self._outdated = dict[str, Outdated]()
        self._outdated_text = Html(sizing_mode="stretch_width")
        self._apply_form = Form(apply_button, {}, self._apply)
        self._outdated_form = pn.Column(self._outdated_text, apply_button, *self._apply_form.parts, visible=False)
        self._next_answer = next_button("answer", self._next)
        body = (self._tiles, self._table.layout, self._answer_form, self._outdated_form, self._next_answer)
        self.layout = pn.Column(*body, sizing_mode="stretch_width")

    def update(self) -> None:
        """Read the answers, and the rubrics as they are in the course folder now."""
        upgrade(self.source.engine)  # instant if the command that serves has already done it
        assignment = self.url_state.assignment
        self._rubrics, problems = read_rubrics(self.source.course, assignment)
        cache, cells = self.source.cache, list(self._rubrics)
        found = cache.result(
            (_answers, assignment), tuple(cells), lambda: _answers(cache.rows(queries.marks, assignment), cells)
        )
        unread, any_found = int(found.unread.sum()), bool(self._rubrics or len(found))
        counts = tiles({"to read": unread, "read": len(found) - unread}) if any_found else ""
        self._tiles.object = render("rubrics.html", problems=problems, assignment=assignment, found=any_found) + counts
        self._found = found
        self._table.show(found)
        self._next_answer.visible = bool(unread)
        self._show_outdated(self._find_outdated())
        self._answer_form.visible = self._open is not None and self._open.answer.assignment == assignment

    def _find_outdated(self) -> dict[str, Outdated]:
        """Find marks with outdated points by cell, with the rubrics read last."""
        assignment = self.url_state.assignment
        with self.source.engine.connect() as connection:
            found = {cell: outdated(connection, assignment, cell, rubric) for cell, rubric in self._rubrics.items()}
        return {cell: Outdated(self._rubrics[cell], tuple(answers)) for cell, answers in found.items() if answers}

    def _show_outdated(self, found: dict[str, Outdated], problem: str = "") -> None:
        if found != self._outdated or problem:
            counts = {exercise_name(cell): len(marks.answers) for cell, marks in found.items()}
            self._outdated_text.object = render("outdated.html", counts=counts, problem=problem)
            self._outdated = found
            self._apply_form.show(found)
        self._outdated_form.visible = bool(found)

    def _apply(self, shown: dict[str, Outdated] | None, typed: dict[str, Any]) -> bool:
        """Update all marks with changed criteria to the current points."""
        self._rubrics = read_rubrics(self.source.course, self.url_state.assignment)[0]
        found = self._find_outdated()
        if shown is None or shown != found:
            self._show_outdated(found, OTHER_MARKS)
            return False
        try:
            with open_gradebook(self.source.course) as gradebook:
                for marks in found.values():
                    follow_rubric(gradebook, marks.rubric, marks.answers, how="dashboard", who=who())
        except (RubricError, GradebookError) as problem:
            self._show_outdated(self._find_outdated(), str(problem))
            return False
        notify(f"New points: {sum(len(marks.answers) for marks in found.values())} marks.")
        self.update()
        return True

    def _next(self) -> None:
        """Show the next unread answer in the table; after the last one, the first."""
        waiting = list(self._found.index[self._found.unread])
        answer = self._open.answer if self._open else None
        row = -1
        if answer is not None and answer.assignment == self.url_state.assignment:
            same = (self._found.student == answer.student) & (self._found.exercise == answer.cell)
            row = max(self._found.index[same], default=-1)
            waiting = [other for other in waiting if other != row]
        if waiting:
            self._choose(self._found.loc[next((other for other in waiting if other > row), waiting[0])])

    def _alike(self, seen: AnswerState, shown: str) -> tuple[Alike, ...]:
        """Return other unread answers similar to this one."""
        if seen.text is None:
            return ()
        answer = seen.answer
        texts = queries.waiting_texts(self.source.engine, answer.assignment, answer.notebook, answer.cell)
        others = {row.student: row.text for row in texts.itertuples() if row.student != shown}
        found = []
        for same, students in zip((True, False), alike(seen.text, others), strict=True):
            for student in students:
                theirs = replace(answer, student=self.source.people.student(student) or "")
                with self.source.engine.connect() as connection:
                    state = see(connection, theirs)
                if state.unread and state.text == others[student]:
                    found.append(Alike(student, state, same))
        return tuple(found)

    def _choose(self, row: pd.Series) -> None:
        answer = Answer(row.student, self.url_state.assignment, row.notebook, row.exercise)
        with self.source.engine.connect() as connection:
            seen = see(connection, replace(answer, student=self.source.people.student(row.student) or ""))
        self._show(answer, seen)

    def _show(self, answer: Answer, seen: AnswerState, typed: dict[str, Any] | None = None, refusal: str = "") -> None:
        """Show an answer; if it is already shown, keep the user's selection and text."""
        rubric, typed = self._rubrics.get(answer.cell), typed or {}
        met, note = rubric.read(seen.comment) if rubric else (set(), "")
        criteria = rubric.criteria if rubric else ()
        options = {f"{criterion.text} ({criterion.points:g})": n for n, criterion in enumerate(criteria)}
        met, note = {n for n in typed.get("met", met) if n < len(options)}, typed.get("note", note)
        others = self._alike(seen, answer.student) if rubric else ()
        # The students selected before, by name: the other answers may have changed.
        chosen = typed.get("students", {other.shown for other in others if other.same and seen.unread})
        ticked = [n for n, other in enumerate(others) if other.shown in chosen]
        differing = {other.shown: _shown(other.seen.text) for other in others if other.seen.text != seen.text}
        text = self._texts(answer, seen, refused=bool(refusal))
        # Everything that can fail is done: from here on the answer is only shown.
        for form in (self._save_form, self._keep_form):
            form.begin()
        for part in self._marking_parts:
            part.visible = rubric is not None
        for part in self._keeping_parts:
            part.visible = rubric is None
        self._criteria_boxes.options = options
        self._criteria_boxes.value = sorted(met)
        self._note.value, self._answer_text.object = note, text
        self._alike_boxes.options = {other.label: n for n, other in enumerate(others)}
        self._alike_boxes.value = ticked
        self._alike_boxes.visible = self._alike_texts.visible = bool(others)
        self._alike_texts.object = render("alike_answers.html", texts=differing)
        self._show_alert(refusal)
        self._open = OpenAnswer(answer, seen, rubric, others)
        for form in (self._save_form, self._keep_form):
            form.show(self._open)
        self._answer_form.visible = True

    def _texts(self, answer: Answer, seen: AnswerState, refused: bool) -> str:
        """Return the answer as HTML, next to the marked text if that differs."""
        text = seen.text
        if text is None:
            text = self.source.written(answer.student, answer.assignment, answer.notebook, answer.cell)
        return render(
            "answer.html",
            student=answer.student,
            exercise=exercise_name(answer.cell),
            text=_shown(text),
            marked=None if seen.marked_text is None else _shown(seen.marked_text),
            mark="none" if seen.points is None else f"{seen.points:g} points",
            comment=seen.comment,
            refused=refused,
        )

    def _keep(self, opened: OpenAnswer | None, typed: dict[str, Any]) -> bool:
        """Keep the mark, because a person has read the new text."""
        if opened is None:
            self._show_alert(LOST)
            return False
        seen = opened.seen

        def write(gradebook: Gradebook) -> str:
            keep(gradebook, seen)
            return "mark kept."

        return self._write(opened, {}, write)

    def _show_alert(self, sentence: str) -> None:
        self._alert.object = render("alert.html", sentence=sentence)
        self._alert.visible = bool(sentence)

    def _save_mark(self, opened: OpenAnswer | None, typed: dict[str, Any]) -> bool:
        if opened is None or opened.rubric is None:
            self._show_alert(LOST)
            return False
        seen, rubric = opened.seen, opened.rubric
        ticked = {int(n) for n in typed.get("alike", ())}
        others = [other for n, other in enumerate(opened.alike) if n in ticked]
        typed = {
            "met": [int(n) for n in typed["met"]],
            "note": str(typed["note"] or "")[:LONGEST],
            "students": {other.shown for other in others},
        }
        if read_rubrics(self.source.course, opened.answer.assignment)[0].get(opened.answer.cell) != rubric:
            self.update()
            self._show(opened.answer, seen, typed, REFUSED.format(OTHER_RUBRIC))
            return False

        def write(gradebook: Gradebook) -> str:
            met, note = set(typed["met"]), typed["note"]

            def save(state: AnswerState) -> float:
                return mark(gradebook, state.answer, rubric, met, note, how="dashboard", who=who(), seen=state)

            sentences, marked = [f"{save(seen):g} points."], []
            for other in others:
                try:
                    save(other.seen)
                    marked.append(other.shown)
                except (RubricError, GradebookError) as problem:
                    why = self.source.people.without_names(str(problem), other.seen.answer.student)
                    sentences.append(f"Nothing was saved for {other.shown}: {why}")
            if marked:
                sentences.insert(1, f"The same for {', '.join(marked)}.")
            return " ".join(sentences)

        return self._write(opened, typed, write)

    def _write(self, opened: OpenAnswer, typed: dict[str, Any], write: Callable[[Gradebook], str]) -> bool:
        """Save a decision about the answer that was shown; if that fails, show the answer again and say why."""
        try:
            with open_gradebook(self.source.course) as gradebook:
                saved = write(gradebook)
        except (RubricError, GradebookError) as problem:
            why, state = self.source.people.without_names(str(problem), opened.seen.answer.student), opened.seen
            refusal = f"Nothing was saved: {why}"
            if isinstance(problem, AnswerChanged):
                state, refusal = problem.now, REFUSED.format(why) if typed else refusal
                self.update()
            self._show(opened.answer, state, typed, refusal)
            return False
        notify(f"{opened.answer.student}, {exercise_name(opened.answer.cell)}: {saved}")
        if self._open is opened:
            self._open = None
        self.update()
        return True


def _shown(text: str | None) -> str:
    """Return the answer, or a note that there is none."""
    return MISSING if text is None else text if text.strip() else EMPTY


def _answers(marks: pd.DataFrame, cells: list[str]) -> pd.DataFrame:
    """Return the answers in these cells, unread ones first, and those changed since they were marked."""
    found = marks[marks.exercise.isin(cells) | marks.changed]
    found = found.astype(dict.fromkeys(["student", "exercise", "notebook"], object))
    found = found.sort_values(["unread", "exercise"], ascending=[False, True], kind="stable", ignore_index=True)
    state = found.unread.map({True: "to read", False: "read"}).mask(found.changed, "changed")
    return found.assign(state=state, points=without_unread(found.points, found.unread))
