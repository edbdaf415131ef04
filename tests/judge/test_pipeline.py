"""The stock nbgrader command line on a class in which everything goes wrong that can."""

import csv
import json
import re

import pytest
from bad_class import CASES, GradedClass, submit_class
from classroom import SmallCourse

from syncpoint.course.folder import Course
from syncpoint.records.read_results import read_graded

pytestmark = pytest.mark.slow

STUDENTS = sorted(CASES)


@pytest.fixture(scope="module")
def graded(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> GradedClass:
    """The class after one autograde, generate_feedback and export.  Read only."""
    return submit_class(released.copy(tmp_path_factory.mktemp("graded") / "course"))


def test_autograde_ends_well_whatever_students_hand_in(graded: GradedClass):
    assert graded.autograde.returncode == 0, graded.autograde.stderr


def test_feedback_is_made_for_all(graded: GradedClass):
    assert graded.feedback.returncode == 0, graded.feedback.stderr
    assert {path.name for path in (graded.course.root / "feedback").iterdir()} == set(STUDENTS)


def test_points_are_what_the_notebook_earned(graded: GradedClass):
    assert graded.course.scores() == {student: case.points for student, case in CASES.items()}


@pytest.mark.parametrize("student", [student for student in STUDENTS if CASES[student].words])
def test_feedback_gives_the_reason(graded: GradedClass, student: str):
    page = graded.course.feedback_text(student).lower()
    assert [words for words in CASES[student].words if words.lower() not in page] == []


def test_feedback_begins_with_the_points_of_the_assignment_and_the_exercises_by_name(graded: GradedClass):
    head, _, _ = graded.course.feedback("aaron_is_right").partition('<div class="panel-body">')
    earned = sum(CASES["aaron_is_right"].points)
    assert f"<strong>{earned:g} of 8 points for the whole assignment</strong>" in head
    assert '<a href="#test_queue_work"><code>queue_work</code></a>' in head
    assert "What to do next" in head
    assert "Test cell" not in head


def test_maximum_is_the_instructors_for_everybody(graded: GradedClass):
    rows = _grades(graded)
    assert {row["student_id"]: float(row["max_score"]) for row in rows} == dict.fromkeys(STUDENTS, 8.0)


def test_export_holds_the_whole_class(graded: GradedClass):
    exported = {row["student_id"]: float(row["raw_score"]) for row in _grades(graded)}
    assert exported == {student: sum(case.points) for student, case in CASES.items()}


def _grades(graded: GradedClass) -> list[dict[str, str]]:
    assert graded.export.returncode == 0, graded.export.stderr
    with (graded.course.root / "grades.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("student", STUDENTS)
def test_feedback_holds_nothing_hidden(graded: GradedClass, student: str):
    page = graded.course.feedback(student)
    hidden = ("HIDDEN-DETAIL", "assert_allclose", "rng.normal", "returned_while_gated", "BEGIN HIDDEN", "not judged")
    assert [word for word in hidden if word in page] == []


def test_feedback_runs_no_script_of_a_student(graded: GradedClass):
    page = graded.course.feedback("prints_markup")
    assert "&lt;script&gt;alert(1)" in page
    # The source of the cell is shown too, highlighted and escaped; nothing of it is an element of the page.
    assert not re.search(r"<script[^>]*>\s*alert\(", page)
    assert not re.search(r"<script[^>]*>[^<]*alert\(\d\)", page)


def test_linked_files_stay_outside_the_sandbox(graded: GradedClass):
    notebook = json.loads((graded.course.root / "autograded" / "lists_files" / "async" / "work.ipynb").read_text())
    printed = "".join(
        "".join(output.get("text", "")) for cell in notebook["cells"] for output in cell.get("outputs", ())
    )
    listed = re.search(r"FILES (\[.*\])", printed)
    assert listed is not None
    assert listed[1] == "['mine.txt']"


def test_a_grade_cell_shows_the_report_and_nothing_else(graded: GradedClass):
    path = graded.course.root / "autograded" / "forge_outputs" / "async" / "work.ipynb"
    notebook = json.loads(path.read_text())
    cells = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in notebook["cells"]}
    outputs = cells["test_queue_work"]["outputs"]
    assert [output["data"]["text/plain"] for output in outputs] == ["0.0"]


def test_hidden_source_is_in_no_notebook_a_student_gets_back(graded: GradedClass):
    pages = (graded.course.root / "autograded").rglob("*.ipynb")
    assert [str(path) for path in pages if "not judged" in path.read_text()] == []


def test_verdicts_keep_the_detail_for_instructors(graded: GradedClass):
    (notebook,) = read_graded(Course(graded.course.root), "waits", "async")
    outcomes = notebook.notebook_result.exercises[0].tests
    assert ["HIDDEN-DETAIL" in outcome.detail for outcome in outcomes] == [False, True]


def test_progress_is_plain_lines_where_there_is_no_terminal(graded: GradedClass):
    lines = [line for line in graded.autograde.stderr.splitlines() if line.startswith("grading async: ")]
    count = len(STUDENTS)
    matches = [re.match(r"grading async: (\w+) [a-z ]+ \((\d+) of (\d+)", line) for line in lines]
    ended = [match.groups() for match in matches if match]
    assert [(number, all_of_them) for _, number, all_of_them in ended] == [
        (str(number), str(count)) for number in range(1, count + 1)
    ]
    assert sorted(student for student, *_ in ended) == STUDENTS
    assert "\x1b" not in graded.autograde.stderr


@pytest.mark.exhaustive
def test_grading_twice_gives_the_same_scores(graded: GradedClass, tmp_path):
    course = graded.course.copy(tmp_path / "again")
    done = course.must_run("nbgrader", "autograde", "async", "--force", "--student", "*its")
    assert re.findall(r"grading async: ([a-z]+) graded", done.stderr) == ["exits", "waits"]
    assert course.scores() == graded.course.scores()
