"""Several answers and several readers: a mark goes to the answer that was shown, as it was shown, or nowhere."""

from collections.abc import Iterator

import pytest
from classroom import SmallCourse
from nbgrader.api import Gradebook
from seen import Seen
from written_answers import give_mark, leave_empty, with_rubric, write_answer

from syncpoint.course.folder import Course
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.answers import AnswersView
from syncpoint.records.database import upgrade
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.tables import AnswerRecord

RUBRIC = '[[criteria]]\ntext = "names the wait"\npoints = 1.5\n\n[[criteria]]\ntext = "more"\npoints = 0.5\n'
STUDENTS = ("ana", "bjorn", "chen", "dora", "emil")  # every other one is read; one handed in nothing


@pytest.fixture
def five(course: SmallCourse) -> Iterator[tuple[Course, Gradebook]]:
    """Five students; ana and chen are marked, dora's comment is nbgrader's own."""
    whole = with_rubric(course, RUBRIC)
    with open_gradebook(whole) as gradebook:
        for student in STUDENTS:
            write_answer(whole, gradebook, student, f"The answer of {student}.")
        for student in ("ana", "chen"):
            give_mark(gradebook, student, 1.5, "[x] names the wait (1.5 of 1.5)\n[ ] more (0 of 0.5)\nWell.")
        leave_empty(gradebook, "dora")
        gradebook.db.commit()
        yield whole, gradebook


def opened(course: Course, gradebook: Gradebook) -> AnswersView:
    view = AnswersView(Source(course, gradebook.engine, ""), UrlState(assignment="async"))
    view.update()
    return view


def choose(view: AnswersView, student: str) -> None:
    Seen(view).click(student=student)


def scores(gradebook: Gradebook) -> dict[str, float | None]:
    gradebook.db.expire_all()
    return {name: gradebook.find_grade("why", "work", "async", name).manual_score for name in STUDENTS}


def test_read_and_unread_answers_in_turn_each_show_their_own_text_ticks_and_note(five):
    view = opened(*five)
    for student in [*STUDENTS, *reversed(STUDENTS)]:
        choose(view, student)
        seen = Seen(view)
        assert f"The answer of {student}." in seen.html and f"<h3>{student}, " in seen.html
        assert seen.ticked == ([0] if student in ("ana", "chen") else [])
        assert seen.typed == {"ana": "Well.", "chen": "Well.", "dora": "No response."}.get(student, "")


def test_what_was_shown_is_marked_though_another_row_was_chosen_meanwhile(five):
    course, gradebook = five
    view = opened(course, gradebook)
    choose(view, "bjorn")
    shown = Seen(view).token("Save")
    choose(view, "ana")
    assert Seen(view).press("Save", shown, met=[1], note="")
    assert scores(gradebook) == {"ana": 1.5, "bjorn": 0.5, "chen": 1.5, "dora": None, "emil": None}
    assert "<h3>ana, " in Seen(view).html and Seen(view).offers("Save")


def test_the_second_of_two_readers_is_told_and_loses_nothing(five):
    course, gradebook = five
    first, second = opened(course, gradebook), opened(course, gradebook)
    for view in (first, second):
        choose(view, "emil")
    assert Seen(first).press("Save", met=[0, 1], note="Good.")
    seen = Seen(second)
    assert not seen.press("Save", met=[1], note="Short.")
    assert scores(gradebook)["emil"] == 2.0
    assert "changed its mark" in seen.html and "2 points" in seen.html
    assert (seen.ticked, seen.typed, seen.offers("Save")) == ([1], "Short.", True)
    assert seen.press("Save", met=[1], note="Short.")  # now it is seen
    assert scores(gradebook)["emil"] == 0.5


def test_a_rubric_that_was_changed_meanwhile_is_shown_before_it_counts(five):
    course, gradebook = five
    view = opened(course, gradebook)
    choose(view, "emil")
    turned = "\n\n".join(reversed(RUBRIC.strip().split("\n\n")))
    (course.graders("async").folder / "rubrics" / "why.toml").write_text(turned)
    assert not Seen(view).press("Save", met=[0], note="x")
    assert scores(gradebook)["emil"] is None and "rubric has changed" in Seen(view).html


def test_what_the_page_did_not_show_is_not_saved(five):
    course, gradebook = five
    view, before = opened(course, gradebook), scores(five[1])
    choose(view, "emil")
    assert not Seen(view).press("Save", "of no page", met=[0], note="")
    assert scores(gradebook) == before


@pytest.mark.parametrize("cell", ["why", "test_double"])
def test_an_answer_that_changed_since_it_was_marked_is_shown_next_to_the_marked_one(five, cell: str):
    course, gradebook = five
    upgrade(gradebook.engine)
    for student in ("ana", "chen"):
        grade = gradebook.find_grade(cell, "work", "async", student)
        grade.manual_score, grade.needs_manual_grade = 1.5, student == "ana"
        old = ("<old>", "1") if student == "ana" else (None, None)
        row = AnswerRecord(student=student, assignment="async", notebook="work", cell=cell, text="new", digest="2")
        row.marked_text, row.marked_digest = old
        gradebook.db.add(row)
    gradebook.db.commit()
    view, other = opened(course, gradebook), opened(course, gradebook)
    one, second = Seen(view), Seen(other)
    (row,) = (row for row in one.tables[0].itertuples() if row.state == "changed")
    assert (row.student, row.exercise, row.points) == ("ana", cell, 1.5)
    for seen in (one, second):
        seen.click(state="changed")
        assert all(part in seen.html for part in ("&lt;old&gt;", "new", "1.5 points"))
        assert seen.offers("Save") == (cell == "why") != seen.offers("Keep the mark")
    assert one.press("Keep the mark") if cell != "why" else one.press("Save", met=[0], note="")
    assert not (second.press("Keep the mark") if cell != "why" else second.press("Save", met=[0], note=""))
    gradebook.db.expire_all()
    grade = gradebook.find_grade(cell, "work", "async", "ana")
    assert (grade.manual_score, grade.needs_manual_grade) == (1.5, False)
    view.update()
    assert "changed" not in set(one.tables[0].state)
