"""`nbgrader autograde` and formgrader's button from nbgrader's side: the request, the output, the exit status."""

import json
import subprocess
import sys
from typing import Any

import pytest
from classroom import SmallCourse, environment

from syncpoint.grading.claims import Claims

pytestmark = pytest.mark.slow

BUTTON = """
import json, sys
from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI
app = NbGrader()
app.load_config_file()
api = NbGraderAPI(config=app.config)
print(json.dumps([api.autograde("async", student) for student in sys.argv[1:]]))
"""


def press(course: SmallCourse, *students: str) -> list[dict[str, Any]]:
    """What formgrader's button gives for each of these, in one server."""
    words = [sys.executable, "-c", BUTTON, *students]
    done = subprocess.run(words, cwd=course.root, env=environment(), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("option", ["--notebook=work", "--no-execute"])
def test_what_is_not_done_here_is_refused_in_a_sentence(course: SmallCourse, option: str):
    course.submit("ada", course.solved())
    done = course.nbgrader("autograde", "async", option)
    assert (done.returncode, len(done.stderr.splitlines()), course.scores()) == (1, 1, {})
    assert f"nothing was graded: {'a submission' if 'work' in option else 'student code'} " in done.stderr
    assert f"Leave out {option.partition('=')[0]}." in done.stderr


def test_without_our_exporter_nobody_gets_a_point(course: SmallCourse):
    course.submit("ada", course.solved())
    stock = "--Autograde.exporter_class=nbconvert.exporters.NotebookExporter"
    done = course.nbgrader("autograde", "async", stock)
    assert (done.returncode, course.scores()) == (1, {"ada": (0, 0)})
    assert "c.Autograde.exporter_class in nbgrader_config.py does not name" in done.stderr
    assert not list((course.root / "autograded").glob("*/async"))


@pytest.mark.exhaustive
def test_whom_the_configuration_leaves_out_is_said(course: SmallCourse):
    for student in ("ada", "bob"):
        course.submit(student, "no notebook")
    done = course.nbgrader("autograde", "async", "--CourseDirectory.student_id_exclude=bob")
    assert (done.returncode, list(course.scores())) == (0, ["ada"])
    assert "Excluded by student_id_exclude: bob." in done.stderr


@pytest.mark.exhaustive
def test_what_another_run_is_at_is_left_to_it(course: SmallCourse):
    for student in ("ada", "bob"):
        course.submit(student, "no notebook")
    other = Claims(course.root / "autograded")
    assert other.take_if_alone("ada/async")
    done = course.nbgrader("autograde", "async")
    assert (done.returncode, list(course.scores())) == (0, ["bob"])
    assert "Skipped, because another run is grading them now: ada." in done.stderr


@pytest.mark.exhaustive
def test_every_assignment_that_fits_is_graded_and_one_that_cannot_be_stops_no_other(course: SmallCourse):
    course.submit("ada", "no notebook")
    (course.root / "submitted" / "ada" / "zzz").mkdir()
    (course.root / "submitted" / "ada" / "zzz" / "work.ipynb").write_text("no notebook")
    done = course.nbgrader("autograde", "*")
    assert (done.returncode, list(course.scores())) == (1, ["ada"])
    assert "the course has no assignment 'zzz': it has async." in done.stderr


def test_formgraders_button_grades_again_and_says_in_its_log_why_somebody_is_not_graded(course: SmallCourse):
    for student in ("ada", "bob"):
        course.submit(student, "no notebook")
    (course.root / "submitted" / "eve").symlink_to(course.root / "submitted" / "ada")
    first, second, linked = press(course, "ada", "ada", "eve")
    assert (first["success"], second["success"]) == (True, True)
    assert not linked["success"] and "NbGraderException: Some students were not graded" in linked["error"]
    assert "[ERROR] async: eve is not graded: " in linked["log"] and "is a link to another folder" in linked["log"]
    assert list(course.scores()) == ["ada"]
    with course.gradebook() as gradebook:
        assert [student.id for student in gradebook.students] == ["ada"]
