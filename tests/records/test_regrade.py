"""Questions about marks: asked once, answered once, closed, and shown to the student as text."""

from pathlib import Path

import pytest
from classroom import SmallCourse
from generated_class import Size, generate
from nbgrader.api import Gradebook
from seen import Seen
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.questions import QuestionsView
from syncpoint.nbgrader_hooks.feedback_questions import ShowAnswers
from syncpoint.records.errors import RegradeError
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.mark_log import unix_user
from syncpoint.records.regrade import LONGEST, answer, ask, questions

EVIL = "Why?\n\n</p><script>alert(1)</script> **bold** [x](javascript:alert(2)) $x$"


@pytest.fixture
def gradebook(tmp_path: Path):
    with open_gradebook(Course(generate(tmp_path / "course", Size(2)))) as gradebook:
        yield gradebook


@pytest.fixture
def student(gradebook: Gradebook) -> str:
    return gradebook.students[0].id


def test_a_question_is_open_until_one_person_answers(gradebook: Gradebook, student: str):
    first = ask(gradebook, student, "async", "train_sync", "Why no points?")
    second = ask(gradebook, student, "async", "test_loops", "And here?")
    answer(gradebook.engine, first, "A wait is missing.", "grace")
    with pytest.raises(RegradeError, match="grace has already answered it"):
        answer(gradebook.engine, first, "No.", "eve")
    gradebook.db.rollback()
    asked = questions(gradebook.db(), "async")
    assert [(one.id, one.exercise, one.answer, one.answered_by) for one in asked] == [
        (second, "test_loops", None, None),
        (first, "test_train_sync", "A wait is missing.", "grace"),
    ]


def test_what_nobody_can_answer_is_refused(gradebook: Gradebook, student: str):
    for exercise, question, printed in (
        ("nothing", "Why?", "async has no exercise 'nothing': it has "),
        ("loops", "  \n", "the question is empty"),
        ("loops", "x" * (LONGEST + 1), f"more than {LONGEST} characters"),
    ):
        with pytest.raises(RegradeError, match=printed):
            ask(gradebook, student, "async", exercise, question)
    with pytest.raises(RegradeError, match="nothing of nobody in async is graded"):
        ask(gradebook, "nobody", "async", "loops", "Why?")
    with pytest.raises(RegradeError, match="there is no question 7"):
        answer(gradebook.engine, 7, "No.", "grace")
    assert questions(gradebook.db()) == []


def test_the_commands(gradebook: Gradebook, student: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path / "course")
    runner = CliRunner()
    assert runner.invoke(app, ["questions"]).output == "There are no questions.\n"
    assert runner.invoke(app, ["ask", student, "async", "loops", "Why?"]).output == "Question 1 is open.\n"
    assert "    open\n" in runner.invoke(app, ["questions", "async"]).output
    output = runner.invoke(app, ["answer", "1", "So."]).output
    assert output.startswith("Question 1 is closed.")
    assert f"`nbgrader generate_feedback async --student={student}`, then `nbgrader release_feedback async" in output
    assert f"answered by {unix_user()}: So." in runner.invoke(app, ["questions"]).output
    assert runner.invoke(app, ["answer", "1", "So."]).exit_code == 1


def test_the_dashboard_shows_the_queue_and_answers_in_the_name_of_who_is_there(gradebook: Gradebook, student: str):
    ask(gradebook, student, "async", "loops", EVIL)
    view = QuestionsView(
        Source(Course(Path(gradebook.engine.url.database).parent), gradebook.engine, ""), UrlState(assignment="async")
    )
    view.update()
    seen = Seen(view)
    (row,) = seen.tables[0].itertuples()
    assert (row.student, row.state, row.exercise) == (student, "open", "loops")
    assert not seen.offers("Answer and close")
    seen.click(student=student)
    assert "&lt;script&gt;" in seen.html and "<script>" not in seen.html
    assert not seen.press("Answer and close", answer="")
    assert questions(gradebook.db())[0].answer is None
    assert seen.press("Answer and close", answer="Since it waits twice.")
    gradebook.db.rollback()
    (asked,) = questions(gradebook.db())
    assert (asked.answer, asked.answered_by) == ("Since it waits twice.", f"{unix_user()} (token)")
    assert not seen.offers("Answer and close") and list(seen.tables[0].state) == ["answered"]


def test_an_answer_is_text_in_the_page(gradebook: Gradebook, student: str):
    from nbformat.v4 import new_code_cell, new_notebook

    number = ask(gradebook, student, "async", "loops", EVIL)
    ask(gradebook, student, "async", "loops", "not answered")
    answer(gradebook.engine, number, "<b>No</b>", "grace")
    cell = new_code_cell("", metadata={"nbgrader": {"grade_id": "test_loops"}})
    names = {"db_url": str(gradebook.engine.url), "assignment": "async", "student": student}
    notebook, _ = ShowAnswers().preprocess(new_notebook(cells=[cell, new_code_cell("")]), {"nbgrader": names})
    assert [one.cell_type for one in notebook.cells] == ["code", "markdown", "code"]
    shown = notebook.cells[1].source
    assert not {"<script", "**", "](", "$", "\n", "<b>No"} & {
        part for part in ("<script", "**", "](", "$", "\n", "<b>No") if part in shown
    }


@pytest.mark.exhaustive
def test_the_answer_stands_in_the_feedback(course: SmallCourse):
    course.submit("ada", course.solved())
    course.must_run("nbgrader", "autograde", "async")
    course.must_run("syncpoint", "ask", "ada", "async", "double", EVIL)
    course.must_run("syncpoint", "answer", "1", "Your double is right: look again.")
    course.must_run("nbgrader", "generate_feedback", "async")
    page = course.feedback("ada")
    assert "You asked:" in page and "<script>alert(1)" not in page and "<strong>bold" not in page
    assert page.index("TITLE-OF-SMALL") < page.index("You asked:")
