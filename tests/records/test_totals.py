"""The course total from a real gradebook: in the table, the export, the dashboard and the feedback."""

import csv
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from plain_class import WRONG, PlainCourse
from sqlalchemy import create_engine

from syncpoint.course.folder import Course
from syncpoint.dashboard.source import Source

RULES = 'c.CourseTotal.weights = {"async": 1, "multi": 3}\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, plain_engine: Path) -> PlainCourse:
    """Of six points ada has five and an answer that nobody has read; bob lost two; cy submitted nothing."""
    course = PlainCourse.make(tmp_path_factory.mktemp("totals") / "course")
    course.submit("ada", course.solved(why="Because."))
    course.submit("bob", course.solved(double=WRONG["double"]))
    course.syncpoint("grade", "async")
    with course.gradebook() as gradebook:
        gradebook.add_student("cy", first_name="=1+1")
        gradebook.add_assignment("multi")
        gradebook.add_notebook("work", "multi")
        gradebook.add_grade_cell("test_sum", "work", "multi", max_score=4, cell_type="code")
        gradebook.add_submission("multi", "bob")
        gradebook.find_grade("test_sum", "work", "multi", "bob").auto_score = 4
        gradebook.find_grade("test_sum", "work", "multi", "bob").needs_manual_grade = False
        gradebook.db.commit()
    return course


@pytest.fixture
def course(made: PlainCourse, tmp_path: Path) -> PlainCourse:
    return made.copy(tmp_path / "course")


def exported(course: PlainCourse) -> dict[str, list[str]]:
    course.must_run("nbgrader", "export", "--exporter=syncpoint.exports.TotalsCsvExport")
    with (course.root / "totals.csv").open(newline="") as file:
        return {row["student"]: [row[name] for name in list(row)[5:]] for row in csv.DictReader(file)}


def test_a_total_is_a_range_while_something_is_open_and_is_shown_everywhere(course: PlainCourse):
    course.configure(RULES)
    assert exported(course) == {
        "ada": ["20.83", "100", "83.33", "0"],  # (5/6 + 3 x 0) / 4, and with all that is open
        "bob": ["87.5", "87.5", "50", "100"],
        "cy": ["0", "100", "0", "0"],
    }
    assert "'=1+1" in (course.root / "totals.csv").read_text()
    output = course.syncpoint("scores")
    assert "20.8 to 100%" in output and "87.5%" in output and "83.3+" in output
    source = Source(Course(course.root), create_engine(f"sqlite:///{course.root}/gradebook.db"), "")
    totals = source.totals()
    assert totals is not None and totals.to_dict() == {"ada": "20.8 to 100%", "bob": "87.5%", "cy": "0 to 100%"}
    course.syncpoint("feedback", "--all", "async")
    assert "The whole course so far: 20.8 to 100%, depending on what is not marked yet." in course.feedback_text("ada")
    assert "The whole course so far: 87.5%." in course.feedback_text("bob")
    course.syncpoint("excuse", "ada", "multi", "--because", "ill")
    assert "Kept the pages of 1 submission ('bob')" in course.syncpoint("feedback", "--all", "async")
    assert "The whole course so far: 83.3 to 100%" in course.feedback_text("ada")


def test_what_is_due_and_was_not_submitted_has_no_points(course: PlainCourse):
    course.configure(RULES)
    with course.gradebook() as gradebook:
        for name in ("async", "multi"):
            gradebook.find_assignment(name).duedate = datetime.utcnow() - timedelta(hours=2)
        gradebook.db.commit()
    (course.root / "submitted" / "cy" / "async").mkdir(parents=True)  # which is not graded yet
    course.syncpoint("extend", "ada", "multi", "--hours", "9")
    assert [row[:2] for row in exported(course).values()] == [["20.83", "100"], ["87.5", "87.5"], ["0", "25"]]


def test_rules_drop_and_count_once(course: PlainCourse):
    course.configure(RULES + 'c.CourseTotal.once = [["async", "multi"]]\n')
    assert "100%" in course.syncpoint("scores")
    course.configure('c.CourseTotal.once = []\nc.CourseTotal.drop_lowest = 1\nc.CourseTotal.bonus = ["async"]\n')
    assert exported(course)["bob"][:2] == ["116.67", "116.67"]


def test_a_platforms_file_has_the_totals_that_are_final(course: PlainCourse):
    course.configure(RULES)
    (course.root / "roster.csv").write_text("id,LMS id\nada,1\nbob,2\ncy,3\n")
    course.syncpoint("roster", "roster.csv")
    course.configure('c.CanvasExport.total = "All exercises (7)"\nc.MoodleExport.total = "All exercises"\n')
    for name, empty in (("Canvas", ""), ("Moodle", "-")):
        done = course.nbgrader("export", f"--exporter=syncpoint.exports.{name}Export")
        assert "empty for ada, cy, whose total is not final" in done.stdout, done.stderr
        with (course.root / f"{name.lower()}.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0][-3:-1] == ["async", "multi"] and rows[0][-1].startswith("All exercises")
        assert [row[-1] for row in rows[-3:]] == [empty, "87.5", empty]
    for title, why in (("async", "is that of an assignment"), ("Course total", "is a name that the platform reserves")):
        done = course.nbgrader("export", "--exporter=syncpoint.exports.MoodleExport", f"--MoodleExport.total={title}")
        assert done.returncode == 1 and f"MoodleExport.total: the title '{title}' {why}" in " ".join(
            done.stderr.split()
        )


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("", "there is no course total: set c.CourseTotal"),
        ('c.CourseTotal.weights = {"asink": 1}', "c.CourseTotal.weights names asink: the course has async, multi"),
        ('c.CourseTotal.weights = {"async": 0}', "must be above 0"),
        ('c.CourseTotal.once = [["async"], ["async"]]', "names an assignment twice"),
        ('c.CourseTotal.weights = {"multi": 1}\nc.CourseTotal.once = [["async", "multi"]]', "has no weight for async"),
        ('c.CourseTotal.drop_lowest = "one"', "c.CourseTotal in nbgrader_config.py"),
    ],
)
def test_rules_that_cannot_be_used_are_one_line(course: PlainCourse, lines: str, why: str):
    course.configure(f"{lines}\n")
    output = course.syncpoint("scores", status=1)
    assert why in output and "Traceback" not in output
