"""A person's mark stays as long as the answer's own text is the same, whatever grades it."""

import pytest
from classroom import SmallCourse

from syncpoint.records.manual import Answer, see

pytestmark = pytest.mark.slow
STUDENTS = ("ana", "bjorn", "chen", "dora")
WRONG = "def double(x):\n    return x"
OTHER = "def double(x):\n    return x + 0"


def hand_in(course: SmallCourse, student: str, why: str, double: str = WRONG) -> None:
    course.submit(student, course.solved(why=why, double=double))


def give(course: SmallCourse, student: str, cell: str, **marks: float) -> None:
    """As formgrader's handler does it."""
    with course.gradebook() as gradebook:
        grade = gradebook.find_grade(cell, "work", "async", student)
        for name, points in marks.items():
            setattr(grade, name, points)
        grade.needs_manual_grade = grade.manual_score is None and grade.auto_score is None
        gradebook.db.commit()


def state(course: SmallCourse, cell: str) -> dict[str, tuple[float, bool]]:
    with course.gradebook() as gradebook:
        grades = {name: gradebook.find_grade(cell, "work", "async", name) for name in STUDENTS}
        return {name: (grade.score, grade.needs_manual_grade) for name, grade in grades.items()}


@pytest.mark.exhaustive
def test_marks_stay_after_a_regrade_and_a_changed_answer_is_to_be_read_again(course: SmallCourse):
    def grade() -> None:
        course.must_run("syncpoint", "grade", "async", "--force")

    for student in STUDENTS:
        hand_in(course, student, f"Since it waits, says {student}.")
    grade()
    assert state(course, "why") == dict.fromkeys(STUDENTS, (0.0, True))
    give(course, "ana", "why", manual_score=2.0)
    give(course, "bjorn", "why", manual_score=0.0)
    give(course, "chen", "why", manual_score=1.0, extra_credit=0.5)
    give(course, "ana", "test_double", manual_score=1.0)
    give(course, "bjorn", "test_double", extra_credit=0.25)
    marked = {"ana": (2.0, False), "bjorn": (0.0, False), "chen": (1.5, False), "dora": (0.0, True)}
    assert state(course, "why") == marked
    doubles = state(course, "test_double")
    grade()
    assert state(course, "why") == marked and state(course, "test_double") == doubles
    assert doubles["ana"] == (1.0, False) and doubles["bjorn"] == (0.25, False)

    # The same texts, but for ends of lines and spaces; another exercise of bjorn's; chen's answer and ana's code.
    hand_in(course, "ana", "Since it waits, says ana.  \r\n", double=OTHER)
    hand_in(course, "bjorn", "Since it waits, says bjorn.\n")
    hand_in(course, "chen", "It does not wait.")
    grade()
    assert state(course, "why") == {**marked, "chen": (1.5, True)}
    assert state(course, "test_double") == {**doubles, "ana": (1.0, True)}
    with course.gradebook() as gradebook:
        from syncpoint.records.graded_answers import answer_records

        stored = answer_records(gradebook.db(), "async", ["chen"])["chen", "work", "why"]
        assert (stored.marked_text, stored.text) == ("Since it waits, says chen.", "It does not wait.")
        double = see(gradebook.db(), Answer("ana", "async", "work", "test_double"))
        assert (OTHER in double.text, OTHER in double.marked_text, WRONG in double.marked_text) == (True, False, True)
    grade()
    assert state(course, "why")["chen"] == (1.5, True)
    (course.folder("chen") / "work.ipynb").unlink()
    grade()
    assert state(course, "why")["chen"][1]
    hand_in(course, "chen", "It does not wait.")
    grade()
    assert state(course, "why")["chen"] == (1.5, True)
    hand_in(course, "chen", "Since it waits, says chen.")
    grade()
    assert state(course, "why") == marked
