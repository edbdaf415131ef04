"""Excuses and time factors: they count in every due date and export, and can be taken back, without a new run."""

from datetime import timedelta
from pathlib import Path

import pytest
from classroom import SmallCourse
from test_late import penalties, submit_late

from syncpoint.course.assignment import read_assignment
from syncpoint.platforms.canvas import CanvasExport
from syncpoint.records.grades import ExportSelection, read_grades

OPENS = "opens = 2030-02-19T12:00:00Z\n"  # ten days before it is due


@pytest.fixture(scope="module")
def made(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """ada submitted four days late, bob has not submitted; a day costs a quarter.  Copy it."""
    course = released.copy(tmp_path_factory.mktemp("late") / "course")
    (course.root / "grader_tests" / "async" / "assignment.toml").write_text(OPENS)
    submit_late(course, "2030-03-05 12:00:00 UTC")
    assert penalties(course)["ada"] == (3, 0)
    return course


@pytest.fixture
def late_course(made: SmallCourse, tmp_path: Path) -> SmallCourse:
    return made.copy(tmp_path / "course")


def extension(course: SmallCourse, student: str) -> timedelta | None:
    with course.gradebook() as gradebook:
        return gradebook.find_submission("async", student).extension


def say(course: SmallCourse, *arguments: str) -> str:
    done = course.must_run("syncpoint", *arguments)
    return done.stdout


@pytest.mark.slow
def test_a_time_factor_moves_every_due_date_and_leaves_what_a_person_gave(late_course: SmallCourse):
    say(late_course, "late", "async")
    assert penalties(late_course)["ada"] == (3, 3)
    assert "ada: async is due 2030-03-06 12:00 UTC." in say(late_course, "time-factor", "ada", "1.5")
    assert penalties(late_course)["ada"] == (3, 0)
    # The later one of two counts, and 0 hours take back what a person gave, not what the factor gives.
    assert "ada: async is due 2030-03-06 12:00 UTC." in say(late_course, "extend", "ada", "async", "--hours", "24")
    say(late_course, "extend", "ada", "async", "--hours", "200")
    assert extension(late_course, "ada") == timedelta(hours=200)
    say(late_course, "extend", "ada", "async", "--hours", "24")
    assert extension(late_course, "ada") == timedelta(hours=120)
    assert say(late_course, "late", "async") == "No late penalty has changed.\n"
    assert "late penalty 0 -> 2.25 points" in say(late_course, "time-factor", "ada", "1")
    assert extension(late_course, "ada") == timedelta(hours=24)


@pytest.mark.slow
def test_time_without_end_is_refused_and_stops_no_grading(late_course: SmallCourse):
    for typed in ("extend ada async --hours 1e12", "extend ada async --hours inf", "time-factor ada inf"):
        done = late_course.run("syncpoint", *typed.split())
        assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    say(late_course, "late", "async")
    assert penalties(late_course)["ada"] == (3, 3)


@pytest.mark.exhaustive
def test_a_new_due_date_and_an_extension_by_another_program_are_noticed(late_course: SmallCourse):
    say(late_course, "time-factor", "ada", "1.5")
    late_course.nbgrader("db", "assignment", "add", "async", "--duedate=2030-02-21 12:00:00 UTC")
    assert "late penalty 0 -> 3 points" in say(late_course, "late", "async")
    assert extension(late_course, "ada") == timedelta(hours=24)
    with late_course.gradebook() as gradebook:
        gradebook.grant_extension("async", "ada", days=30)
    say(late_course, "late", "async")
    assert extension(late_course, "ada") == timedelta(days=30)
    say(late_course, "time-factor", "ada", "1")
    assert extension(late_course, "ada") == timedelta(days=30)


@pytest.mark.slow
def test_without_a_beginning_nothing_is_guessed(late_course: SmallCourse):
    (late_course.root / "grader_tests" / "async" / "assignment.toml").write_text("")
    output = say(late_course, "time-factor", "ada", "2")
    assert "ada: async does not say when it opens: write opens = 2026-02-15T12:00:00Z into" in output
    assert extension(late_course, "ada") is None


@pytest.mark.parametrize("text", ['opens = "2030-02-19"', "opens = 2030-02-19T12:00:00", "opens = 5"])
def test_a_beginning_without_a_zone_is_refused(tmp_path, text: str):
    (tmp_path / "assignment.toml").write_text(text)
    with pytest.raises(ValueError, match="opens must be a time with its zone"):
        read_assignment(tmp_path / "assignment.toml")


@pytest.mark.slow
def test_an_excused_assignment_costs_nothing_and_counts_nowhere(late_course: SmallCourse):
    assert late_course.run("syncpoint", "excuse", "ada", "async").returncode == 2, "without a reason"
    say(late_course, "late", "async")
    output = say(late_course, "excuse", "ada", "async", "--because", "was ill")
    assert "ada: async does not count.\n" in output and "late penalty 3 -> 0 points" in output
    say(late_course, "late", "async")
    assert penalties(late_course)["ada"] == (3, 0)
    assert "ada excused" in say(late_course, "scores", "async")
    with late_course.gradebook() as gradebook:
        ada, bob = read_grades(gradebook, ExportSelection(("async",), ("ada", "bob")))
    assert (ada.points, ada.excused, bob.excused) == ({}, {"async"}, set())
    assert [row[-1] for row in CanvasExport().rows([ada, bob], {"async": 8.0})] == ["async", "8", "EX", ""]

    assert "ada: async counts.\n" in say(late_course, "excuse", "ada", "async", "--undo")
    assert penalties(late_course)["ada"] == (3, 3)
    assert "(unchanged)" in say(late_course, "excuse", "ada", "async", "--undo")


@pytest.mark.exhaustive
def test_grading_itself_knows_factor_and_excuse(late_course: SmallCourse):
    say(late_course, "time-factor", "ada", "1.5")
    say(late_course, "excuse", "bob", "async", "--because", "was ill")
    for student in ("ada", "bob", "cy"):
        late_course.submit(student, late_course.solved())
        (late_course.folder(student) / "timestamp.txt").write_text("2030-03-05 12:00 UTC")
    late_course.must_run("nbgrader", "autograde", "async", "--create")
    assert penalties(late_course) == {"ada": (6, 0), "bob": (6, 0), "cy": (6, 6)}
