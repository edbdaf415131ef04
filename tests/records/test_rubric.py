"""Rubrics: ticked criteria become nbgrader's score and comment, and nothing else does."""

import html
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from classroom import SmallCourse
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from seen import Seen
from written_answers import with_rubric, write_answer

from syncpoint.course.answer_rubric import Criterion, Rubric, check_rubrics, read_rubrics
from syncpoint.course.errors import RubricError
from syncpoint.course.folder import Course
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.answers import AnswersView
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.manual import Answer, mark
from syncpoint.records.mark_log import read_log, unix_user
from syncpoint.report.readable import MAX_FORMATTED_CHARACTERS, ORIGINAL, KeepReadable

RUBRIC = """\
[[criteria]]
text = "names the wait"
points = 1.5

[[criteria]]
text = "says what is queued"
points = 0.5
"""
WHY = Answer("ada", "async", "work", "why")


@pytest.fixture
def answered(course: SmallCourse) -> Course:
    """ada has answered; the rubric has the points of the cell."""
    whole = with_rubric(course, RUBRIC)
    with course.gradebook() as gradebook:
        write_answer(whole, gradebook, "ada", "Since it <b>waits</b>.")
    return whole


def state(course: Course) -> tuple[float | None, bool, str | None]:
    """Of ada's answer: manual score, unread, comment."""
    with open_gradebook(course) as gradebook:
        grade = gradebook.find_grade("why", "work", "async", "ada")
        comment = gradebook.find_comment("why", "work", "async", "ada")
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


def test_what_is_ticked_becomes_score_and_comment_and_is_found_again(answered: Course):
    rubric = read_rubrics(answered, "async")[0]["why"]
    with open_gradebook(answered) as gradebook:
        assert mark(gradebook, WHY, rubric, {0}, "Nearly.", how="dashboard", who="grace") == 1.5
    score, unread, comment = state(answered)
    assert (score, unread) == (1.5, False)
    assert comment == "[x] names the wait (1.5 of 1.5)\n[ ] says what is queued (0 of 0.5)\nNearly."
    assert rubric.read(comment) == ({0}, "Nearly.")
    with open_gradebook(answered) as gradebook:
        (noted,) = read_log(gradebook)
        assert (noted.who, noted.how, noted.why, noted.mark, noted.after) == (
            "grace", "dashboard", "rubric", "manual score", 1.5,
        )  # fmt: skip


def test_a_rubric_of_other_points_and_an_answer_that_there_is_not_change_nothing(answered: Course):
    rubric = Rubric((Criterion("all", 3.0),))
    with open_gradebook(answered) as gradebook:
        with pytest.raises(RubricError, match="add up to 3 points, but the cell has 2"):
            mark(gradebook, WHY, rubric, {0}, "", how="dashboard")
        with pytest.raises(RubricError, match="there is nothing to mark"):
            mark(gradebook, Answer("bob", "async", "work", "why"), rubric, {0}, "", how="dashboard")
    assert state(answered)[0] is None


def test_the_dashboard_shows_the_answer_as_text_and_writes_what_is_ticked(answered: Course):
    with open_gradebook(answered) as gradebook:
        view = AnswersView(Source(answered, gradebook.engine, ""), UrlState(assignment="async"))
        view.update()
        seen = Seen(view)
        (row,) = seen.tables[0].itertuples()
        assert (row.student, row.exercise, row.state) == ("ada", "why", "to read")
        seen.click(student="ada")
        assert "Since it &lt;b&gt;waits" in seen.html
        assert seen.press("Save", met=[0, 1], note="")
    assert state(answered)[:2] == (2.0, False)
    assert list(seen.tables[0].state) == ["read"] and not seen.offers("Save")
    seen.click(student="ada")
    assert seen.ticked == [0, 1]
    with open_gradebook(answered) as gradebook:
        assert [one.who for one in read_log(gradebook)] == [f"{unix_user()} (token)"]


@pytest.mark.parametrize("new", [new_markdown_cell, new_code_cell])
@pytest.mark.parametrize("times", [1, MAX_FORMATTED_CHARACTERS])
def test_the_dashboard_shows_an_answer_that_was_made_readable_as_it_was_written(
    answered: Course, new: Callable[..., NotebookNode], times: int
):
    wrote = "if a < b & `c > d`: *wait* &lt;b&gt; &not &amp;lt; <!-- c --> \u202ereversed " * times
    path = answered.root / "autograded" / "ada" / "async" / "work.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (place,) = (n for n, c in enumerate(notebook.cells) if c.metadata.get("nbgrader", {}).get("grade_id") == "why")
    marks = {"nbgrader": notebook.cells[place].metadata.nbgrader, ORIGINAL: "forged"}
    notebook.cells[place] = new(wrote, metadata=marks)
    notebook, _ = KeepReadable().preprocess(notebook, {})
    nbformat.write(notebook, path)
    with open_gradebook(answered) as gradebook:
        view = AnswersView(Source(answered, gradebook.engine, ""), UrlState(assignment="async"))
        view.update()
        Seen(view).click(student="ada")
    page = Seen(view).html
    assert "<b>" not in page and "\u202e" not in page and page.count("</pre>") == 1
    read = html.unescape(page)
    assert wrote[:80].replace("\u202e", "\N{REPLACEMENT CHARACTER}") in read and "forged" not in read
    long = times == MAX_FORMATTED_CHARACTERS and new is new_markdown_cell  # below code it is an output
    assert ("is longer than" in read) is long


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("x =", "cannot be read"),
        ("", "must contain"),
        ("criteria = []", "must contain"),
        (RUBRIC + "[more]\n", "must contain"),
        (RUBRIC.replace("text", "words", 1), "criterion 1 must have text and points"),
        (RUBRIC.replace("0.5", "-1"), "criterion 2: points must be a number above 0"),
        (RUBRIC.replace("0.5", "nan"), "criterion 2: points must be a number above 0"),
        (RUBRIC.replace("0.5", "true"), "criterion 2: points must be a number above 0"),
        (RUBRIC.replace("says what is queued", "names the wait"), "two criteria have the same text"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_named(tmp_path: Path, text: str, output: str):
    folder = tmp_path / "grader_tests" / "async" / "rubrics"
    folder.mkdir(parents=True)
    (folder / "why.toml").write_text(text)
    (folder / "how.toml").write_text(RUBRIC)
    found, (wrong,) = read_rubrics(Course(tmp_path), "async")
    assert [*found] == ["how"] and re.search(rf"why\.toml.*{output}", str(wrong))


def test_the_dashboard_names_a_rubric_that_cannot_be_used_and_shows_the_others(answered: Course):
    (answered.graders("async").folder / "rubrics" / "<b>.toml").write_text("x =")
    with open_gradebook(answered) as gradebook:
        view = AnswersView(Source(answered, gradebook.engine, ""), UrlState(assignment="async"))
        view.update()
    seen = Seen(view)
    assert "&lt;b&gt;.toml cannot be read" in seen.html and "to read" in seen.html
    assert list(seen.tables[0].exercise) == ["why"]


def test_a_rubric_without_a_written_answer_or_with_other_points_is_named(answered: Course):
    folder = answered.graders("async").folder / "rubrics"
    assert check_rubrics(answered, "async") == read_rubrics(answered, "async")
    (folder / "test_double.toml").write_text(RUBRIC)  # a cell, but nobody writes in it what is read
    (folder / "why.toml").write_text(RUBRIC.replace("0.5", "1.5"))
    found, (no_answer, other_points) = check_rubrics(answered, "async")
    assert not found
    assert str(no_answer) == (f"{folder}/test_double.toml: source/async has no written answer test_double: it has why.")
    assert f"{folder}/why.toml: the criteria of why add up to 3 points, but the cell has 2" in str(other_points)
