"""Answers that read alike get one mark, each student once and nobody else; changed points reach all who have them."""

from collections.abc import Iterator

import pytest
from classroom import SmallCourse
from nbgrader.api import Gradebook
from seen import Seen
from written_answers import give_mark, with_rubric

from syncpoint.course.answer_rubric import read_rubrics
from syncpoint.course.errors import RubricError
from syncpoint.course.folder import Course
from syncpoint.dashboard.alike import alike
from syncpoint.dashboard.people import anonymous, people
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.answers import AnswersView
from syncpoint.records.database import upgrade
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.manual import Answer, follow_rubric, outdated
from syncpoint.records.mark_log import read_log
from syncpoint.records.pseudonyms import read_key
from syncpoint.records.tables import AnswerRecord

RUBRIC = '[[criteria]]\ntext = "names the wait"\npoints = {0}\n\n[[criteria]]\ntext = "more"\npoints = {1}\n'
WORDS = "The host waits in asnumpy, and so nothing else is enqueued in the meantime."
ANSWERS = {
    "ana": WORDS,
    "bjorn": WORDS.upper().replace(" ", "\n"),  # the same words
    "chen": WORDS.replace("nothing", "something"),  # nearly
    "dora": "It is slow because of Python.",
    "emil": WORDS,  # read already
    "fay": WORDS,  # marked for another text
}


@pytest.fixture
def six(course: SmallCourse) -> Iterator[tuple[Course, Gradebook]]:
    """Six students; emil is marked, and fay was marked for an answer that has changed."""
    whole = with_rubric(course, RUBRIC.format(1.5, 0.5))
    with open_gradebook(whole) as gradebook:
        upgrade(gradebook.engine)
        for student, text in ANSWERS.items():
            gradebook.update_or_create_student(student)
            gradebook.update_or_create_submission("async", student)
            row = AnswerRecord(student=student, assignment="async", notebook="work", cell="why", text=text, digest=text)
            if student in ("emil", "fay"):
                comment = "[x] names the wait (1.5 of 1.5)\n[ ] more (0 of 0.5)\nWell."
                give_mark(gradebook, student, 1.5, comment, unread=student == "fay")
            if student == "fay":
                row.marked_text = row.marked_digest = "before"
            gradebook.db.add(row)
        gradebook.db.commit()
        yield whole, gradebook


def opened(course: Course, gradebook: Gradebook) -> tuple[AnswersView, Seen]:
    view = AnswersView(Source(course, gradebook.engine, ""), UrlState(assignment="async"))
    view.update()
    return view, Seen(view)


def scores(gradebook: Gradebook) -> dict[str, float]:
    """The marks that there are."""
    gradebook.db.expire_all()
    marks = {name: gradebook.find_grade("why", "work", "async", name).manual_score for name in ANSWERS}
    return {name: mark for name, mark in marks.items() if mark is not None}


def test_the_same_words_are_alike_however_they_are_spaced():
    others = {"a": "It  WAITS.\n", "b": "It waits!", "c": "It does not wait at all."}
    assert alike("It waits.", others) == (["a"], [])
    assert alike("x" * 100 + "a", {"d": "x" * 100 + "b", "e": ""}) == ([], ["d"])
    cut = "x" * 100_001
    assert alike(cut, {"f": cut}) == ([], [])  # nobody knows the rest


def test_a_group_is_marked_once_and_each_change_is_in_the_log(six):
    course, gradebook = six
    _, seen = opened(course, gradebook)
    seen.click(student="ana")
    assert seen.ticked == [0], "bjorn, and chen only if somebody ticks the box"
    assert "NOTHING\nELSE" in seen.html and "something else" in seen.html and "of Python" not in seen.html
    assert seen.press("Save", met=[0, 1], alike=[0], note="Good.")
    assert scores(gradebook) == {"ana": 2.0, "bjorn": 2.0, "emil": 1.5, "fay": 1.5}
    assert gradebook.find_comment("why", "work", "async", "bjorn").manual_comment.endswith("Good.")
    assert [(one.student, one.how, one.after) for one in read_log(gradebook)][-2:] == [
        ("ana", "dashboard", 2.0),
        ("bjorn", "dashboard", 2.0),
    ]


def test_one_of_a_group_who_changed_or_was_marked_meanwhile_is_left_out(six):
    course, gradebook = six
    _, seen = opened(course, gradebook)
    seen.click(student="ana")
    record = gradebook.db.get(AnswerRecord, ("bjorn", "async", "work", "why"))
    record.text, record.digest = "Something else.", "other"
    grade = gradebook.find_grade("why", "work", "async", "chen")
    grade.manual_score, grade.needs_manual_grade = 0.5, False
    gradebook.db.commit()
    assert seen.press("Save", met=[0, 1], alike=[0, 1, 7], note="")
    assert scores(gradebook) == {"ana": 2.0, "chen": 0.5, "emil": 1.5, "fay": 1.5}
    table = seen.tables[0].set_index("student")
    assert (table.state["bjorn"], table.state["chen"]) == ("to read", "read")


def test_if_the_open_answer_changed_nobody_is_marked(six):
    course, gradebook = six
    _, seen = opened(course, gradebook)
    seen.click(student="ana")
    gradebook.db.get(AnswerRecord, ("ana", "async", "work", "why")).digest = "other"
    gradebook.db.commit()
    assert not seen.press("Save", met=[0], alike=[0, 1], note="")
    assert scores(gradebook) == {"emil": 1.5, "fay": 1.5}
    assert seen.ticked == [0, 0, 1]  # met, and both of the group: what was ticked stays


def test_the_group_is_that_of_the_answer_that_was_shown_though_another_row_was_chosen_meanwhile(six):
    course, gradebook = six
    _, seen = opened(course, gradebook)
    seen.click(student="ana")
    shown = seen.token("Save")
    seen.click(student="dora")
    assert seen.press("Save", shown, met=[0], alike=[0], note="")
    assert scores(gradebook) == {"ana": 1.5, "bjorn": 1.5, "emil": 1.5, "fay": 1.5}


def test_a_group_is_marked_under_pseudonyms(six):
    course, gradebook = six
    hidden = anonymous(gradebook.engine, read_key(course))
    view = AnswersView(Source(course, hidden, ""), UrlState(assignment="async"))
    view.update()
    seen = Seen(view)
    seen.click(student=people(hidden).shown_as("ana"))
    assert people(hidden).shown_as("bjorn") in seen.html and not any(name in seen.html for name in ANSWERS)
    assert seen.press("Save", met=[1], alike=[0], note="")
    assert scores(gradebook) == {"ana": 0.5, "bjorn": 0.5, "emil": 1.5, "fay": 1.5}


def test_the_next_answer_is_one_to_read_and_after_the_last_the_first(six):
    view, seen = opened(*six)
    shown = []
    for _ in range(6):
        view._next()
        shown.append(next(name for name in ANSWERS if f"<h3>{name}, " in seen.html))
    assert shown == ["ana", "bjorn", "chen", "dora", "fay", "ana"]


def test_points_that_change_change_for_all_who_have_them_and_for_nobody_else(six):
    course, gradebook = six
    view, seen = opened(course, gradebook)
    for student, met, note in (("ana", [0], "One."), ("dora", [1], ""), ("chen", [], "")):
        seen.click(student=student)
        assert seen.press("Save", met=met, note=note)
    grade = gradebook.find_grade("why", "work", "async", "dora")
    grade.manual_score = 0.7  # by hand, in formgrader
    gradebook.db.commit()
    assert not seen.offers("Apply the new points")
    (course.graders("async").folder / "rubrics" / "why.toml").write_text(RUBRIC.format(1.25, 0.75))
    view.update()
    assert "why: 3 marks were given" in seen.html
    before = len(read_log(gradebook))
    assert seen.press("Apply the new points")
    assert scores(gradebook) == {"ana": 1.25, "chen": 0, "dora": 0.7, "emil": 1.25, "fay": 1.5}
    comment = gradebook.find_comment("why", "work", "async", "ana").manual_comment
    assert comment == "[x] names the wait (1.25 of 1.25)\n[ ] more (0 of 0.75)\nOne."
    logged = [(one.student, one.why, one.before, one.after) for one in read_log(gradebook)[before:]]
    assert logged == [("ana", "rubric changed", 1.5, 1.25), ("emil", "rubric changed", 1.5, 1.25)]
    assert not seen.offers("Apply the new points")
    seen.click(student="emil")
    assert (seen.ticked, seen.typed) == ([0], "Well.")


def test_points_are_not_changed_if_the_page_showed_other_marks_or_another_rubric(six):
    course, gradebook = six
    path = course.graders("async").folder / "rubrics" / "why.toml"
    view, seen = opened(course, gradebook)
    path.write_text(RUBRIC.format(1.25, 0.75))
    view.update()
    path.write_text(RUBRIC.format(1, 1))
    seen.press("Apply the new points")
    assert scores(gradebook)["emil"] == 1.5 and "Nothing was changed" in seen.html
    path.write_text(RUBRIC.format(1, 2))  # the cell has 2 points
    view.update()
    seen.press("Apply the new points")
    assert scores(gradebook)["emil"] == 1.5 and "add up to 3 points" in seen.html
    path.write_text(RUBRIC.format(1, 1))
    rubric = read_rubrics(course, "async")[0]["why"]
    with gradebook.engine.connect() as connection:
        found = outdated(connection, "async", "why", rubric)
    assert found == [Answer("emil", "async", "work", "why")]
    with pytest.raises(RubricError, match="in the meantime"):
        follow_rubric(gradebook, rubric, [*found, Answer("ana", "async", "work", "why")], how="dashboard")
    assert scores(gradebook)["emil"] == 1.5
