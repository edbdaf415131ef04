"""The rule on what reports show before the due date, for every page (see ``c.GenerateFeedback.preprocessors``)."""

from dataclasses import replace
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import select
from sqlalchemy.orm import Session

from ..core.explanations_of_tests import Explanation
from ..core.language import speaking
from ..core.messages import say
from ..core.results import ExerciseResult, TestResult
from ..course.folder import Course
from ..course.on_submission import Level
from ..judge.cells import is_autograded
from ..judge.result_store import Store
from ..records.accommodations import due_of
from ..records.gradebook import gradebook_at
from ..records.late import opening
from ..records.read_results import notebook_result
from ..records.tables import NotebookRecord, utc_now
from ..records.totals import read_totals
from ..records.tries import tries_of
from ..report.background import Background
from ..report.html import NOTHING, Html
from ..report.notebook import put_report
from ..report.tries import history
from .feedback_questions import language_of

HERE = f"{__name__}.LimitFeedback"


def level_of(course: Course, session: Session, student: str, assignment: str, now: datetime) -> Level:
    """Return how much this student sees now; the time is UTC."""
    return course.rules(assignment).shown(due_of(session, student, assignment, opening(course)), now)


class LimitFeedback(NbGraderPreprocessor):
    """Puts shorter reports into a notebook that becomes a page."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        names, course = resources["nbgrader"], Course(Path.cwd())
        with gradebook_at(names["db_url"]) as gradebook, speaking(language_of(course, nb, resources)):
            shorten(course, gradebook.db(), nb, names["student"], names["assignment"], names["notebook"])
        return nb, resources


def shorten(course: Course, session: Session, nb: NotebookNode, student: str, assignment: str, notebook: str) -> None:
    """Shorten the reports in a graded notebook to what its student may see now."""
    level = level_of(course, session, student, assignment, utc_now())
    if level == "all":
        return
    found = _results(course, session, student, assignment, notebook)
    for cell in filter(is_autograded, nb.cells):
        exercise = found.get(cell.metadata.nbgrader.grade_id)
        if level == "nothing" or exercise is None:
            cell.outputs = [new_output("display_data", {"text/html": f"<p>{escape(say('shown_when_due'))}</p>"})]
        else:
            put_report(cell, _shortened(exercise, level), Background())


def tries_shown(course: Course, session: Session, student: str, assignment: str) -> Html:
    if level_of(course, session, student, assignment, utc_now()) == "nothing":
        return NOTHING
    return history(tries_of(session, assignment, [student]).get(student, []), course.clock.show)


def total_shown(course: Course, session: Session, student: str, assignment: str) -> str:
    """Return a student's course total in a sentence; "" if the course has none, or if points are not shown yet."""
    if level_of(course, session, student, assignment, utc_now()) == "nothing":
        return ""
    total = (read_totals(course, session, [student]) or {}).get(student)
    if total is None:
        return ""
    low, high = round(100 * total.low, 1), round(100 * total.high, 1)
    return say("page_total", percent=low) if low == high else say("page_total_range", low=low, high=high)


def _results(
    course: Course, session: Session, student: str, assignment: str, notebook: str
) -> dict[str, ExerciseResult]:
    """Return the results from the gradebook, with the timelines, which only the store has."""
    names = {"student": student, "assignment": assignment, "notebook": notebook}
    record = session.scalar(select(NotebookRecord).filter_by(**names))
    if record is None:
        return {}
    stored = Store(course.results).get(record.result_key) if record.result_key else None
    drawn = {
        (exercise.name, test.name): test.timeline
        for exercise in (stored.notebook_result.exercises if stored else ())
        for test in exercise.tests
    }
    return {
        exercise.name: replace(
            exercise,
            tests=tuple(replace(test, timeline=drawn.get((exercise.name, test.name))) for test in exercise.tests),
        )
        for exercise in notebook_result(record).exercises
    }


def _shortened(exercise: ExerciseResult, level: Level) -> ExerciseResult:
    def shorter(test: TestResult) -> TestResult:
        bare = replace(test, words=Explanation(test.title, "", ""))
        return bare if level == "no hints" else replace(bare, message=None, timeline=None, detail="")

    return replace(exercise, tests=tuple(map(shorter, exercise.tests)))
