"""The demo, run on a sample class of the small course."""

import csv
from pathlib import Path

import pytest
from classroom import SmallCourse
from small_class import CLASS, EARNED, add_class, syncpoint

pytestmark = [pytest.mark.engine, pytest.mark.sandbox, pytest.mark.slow]


def add_broken_class(course: SmallCourse) -> Path:
    """Write the class.toml of another assignment, which is not in order."""
    path = course.root / "tests" / "bank" / "broken" / "class.toml"
    path.parent.mkdir()
    path.write_text(CLASS.replace("seconds", "minutes", 1))
    return path


@pytest.fixture(scope="module")
def shown(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallCourse, str]:
    """The small course after the demo of one assignment, and what the demo said.  Read only."""
    course = released.copy(tmp_path_factory.mktemp("shown") / "course")
    add_class(course)
    add_broken_class(course)
    status, said, errors = syncpoint(course, "demo", "--assignment", "async")
    assert status == 0, said + errors
    return course, said


def test_every_student_gets_what_the_answers_earn(shown: tuple[SmallCourse, str]):
    assert shown[0].scores() == EARNED


def test_the_limits_of_the_class_are_used(shown: tuple[SmallCourse, str]):
    assert "--GradeSubmission.cell_seconds=9" in shown[1]


def test_the_table_shows_the_class(shown: tuple[SmallCourse, str]):
    assert "async: 4 students" in shown[1]


def test_the_page_to_look_at_is_there(shown: tuple[SmallCourse, str]):
    course, said = shown
    (place,) = [word for word in said.split() if word.startswith("feedback/")]
    assert (course.root / place).is_file()


def test_the_table_of_grades_holds_the_class(shown: tuple[SmallCourse, str]):
    with (shown[0].root / "grades.csv").open() as file:
        assert {row["student_id"] for row in csv.DictReader(file)} == set(EARNED)


def test_clean_takes_the_class_away_and_nobody_else(shown: tuple[SmallCourse, str], tmp_path: Path):
    course = shown[0].copy(tmp_path / "course")
    course.submit("ada", course.solved())
    assert course.nbgrader("autograde", "async", "--student", "ada").returncode == 0
    assert syncpoint(course, "demo", "--clean")[0] == 0
    assert course.scores() == {"ada": (4, 2)}
    folders = ("submitted", "autograded", "feedback")
    assert [path for folder in folders for path in (course.root / folder).glob("demo_*")] == []


def test_a_mistake_in_any_class_stops_the_demo_before_anything_is_written(course: SmallCourse):
    add_class(course)
    place = add_broken_class(course)
    status, _, errors = syncpoint(course, "demo")
    assert (status, errors) == (1, f"syncpoint: {place}: budget.minutes is not known; there are seconds, memory_mib.\n")
    assert not (course.root / "submitted").exists()
