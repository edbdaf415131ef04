"""The small course with something missing, switched off or done by hand: each command says so and nothing scores."""

import json
import re
import shutil

import pytest
from classroom import SmallCourse
from sqlalchemy import create_engine, text

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.records.database import VERSION_TABLE

pytestmark = pytest.mark.slow

GENERATE, GRADE = ("generate_assignment", "async", "--force"), ("autograde", "async", "--student", "ada")


def _hand_in(course: SmallCourse) -> None:
    course.submit("ada", course.solved())


def test_a_cell_without_a_module_and_a_module_without_a_cell_are_errors_that_name_both(course: SmallCourse):
    _hand_in(course)
    double, triple = course.grader("test_double"), course.grader("test_triple")
    double.rename(triple)
    for command in (GENERATE, GRADE):
        done = course.nbgrader(*command)
        assert done.returncode != 0
        assert f"the grade cell test_double of work.ipynb has no grader module {double}" in done.stderr
    shutil.copy(triple, double)
    for command in (GENERATE, GRADE):
        done = course.nbgrader(*command)
        assert done.returncode != 0
        assert f"the grader module {triple} has no grade cell test_triple" in done.stderr


def test_a_module_without_tests_stops_a_release_gives_no_points_and_is_named_when_grading(course: SmallCourse):
    _hand_in(course)
    course.grader("test_double").write_text('"""Nothing here."""\n')
    done = course.nbgrader(*GENERATE)
    assert done.returncode != 0
    assert f"{course.grader('test_double')} contains no test" in done.stderr
    done = course.nbgrader(*GRADE)
    assert "async: ada: grader_tests/async/test_double.py contains no test" in done.stderr
    assert course.scores() == {"ada": (4, 0)}


def test_grading_without_a_release_says_what_to_run(course: SmallCourse):
    _hand_in(course)
    shutil.rmtree(course.root / "release")
    done = course.nbgrader(*GRADE)
    assert done.returncode != 0
    assert "run `nbgrader generate_assignment async`" in done.stderr


def test_grading_into_tables_of_a_newer_version_says_so_in_one_line(course: SmallCourse):
    _hand_in(course)
    with create_engine(f"sqlite:///{course.root}/gradebook.db").begin() as connection:
        connection.execute(text(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text(f"INSERT INTO {VERSION_TABLE} VALUES ('9999')"))
    done = course.nbgrader(*GRADE)
    assert (done.returncode, "(tables 9999): update Syncpoint." in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr


def test_without_the_judge_every_grade_cell_fails_with_its_hidden_part_and_nothing_scores(course: SmallCourse):
    _hand_in(course)
    # Only what nbgrader itself needs; its own preprocessors run the notebook in the tools' Python.
    stock = "c = get_config()\nc.CourseDirectory.course_id = 'syncpoint'\n"
    (course.root / "nbgrader_config.py").write_text(stock)
    course.must_run("nbgrader", *GRADE)
    assert course.scores() == {"ada": (0, 0)}
    notebook = json.loads((course.root / "autograded" / "ada" / "async" / "work.ipynb").read_text())
    graded = [
        cell
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("grade")
    ]
    # The released check runs first and may pass; then the hidden part raises whatever the student did.
    assert [[output["output_type"] for output in cell["outputs"]].count("error") for cell in graded] == [1, 1]
    assert ["raise RuntimeError" in "".join(cell["source"]).split("_validate(")[-1] for cell in graded] == [True, True]


def test_without_its_engine_nobody_is_graded(course: SmallCourse):
    _hand_in(course)
    (course.root / ".venv-mxnet").unlink()
    done = course.nbgrader(*GRADE)
    assert done.returncode != 0
    assert "the engine's environment is missing" in done.stderr
    assert course.scores() == {}


def test_without_a_sandbox_every_report_says_so_and_the_scores_are_the_same(course: SmallCourse):
    course.configure('c.GradeSubmission.isolation = "none"\n')
    _hand_in(course)
    course.must_run("nbgrader", *GRADE)
    course.must_run("nbgrader", "generate_feedback", "async")
    assert course.feedback("ada").count("Graded without a sandbox: the operator turned it off") == 2
    assert course.scores() == {"ada": (4, 2)}


def _pytest(course: SmallCourse, *arguments: str) -> tuple[int, str]:
    done = course.run("pytest", "grader_tests/async", "-p", "no:cacheprovider", "-q", *arguments)
    return done.returncode, done.stdout


def test_plain_pytest_grades_the_reference(course: SmallCourse):
    code, output = _pytest(course)
    assert (code, re.findall(r"\d+ \w+ in", output)) == (0, ["4 passed in"])


@pytest.mark.exhaustive
def test_plain_pytest_grades_the_given_notebook(course: SmallCourse, tmp_path):
    notebook = course.solved(double="def double(x):\n    return x")
    (tmp_path / "work.ipynb").write_text(json.dumps(notebook))
    code, output = _pytest(course, "--submission", str(tmp_path / "work.ipynb"))
    assert code == 1
    assert sorted(re.findall(r"^FAILED \S+::(\w+)", output, re.MULTILINE)) == ["test_large", "test_small"]


@pytest.mark.exhaustive
def test_plain_pytest_runs_student_code_in_the_sandbox(course: SmallCourse, tmp_path):
    canary = tmp_path / "canary"
    lines = (
        "import pathlib",
        f"path = pathlib.Path({str(canary)!r})",
        "path.parent.mkdir(parents=True, exist_ok=True)",
        "path.touch()",
        "return x * 2",
    )
    notebook = course.solved(double="def double(x):\n" + "\n".join(f"    {line}" for line in lines))
    (tmp_path / "work.ipynb").write_text(json.dumps(notebook))
    code, output = _pytest(course, "--submission", str(tmp_path / "work.ipynb"))
    assert code == 0, output
    # The code wrote it, but into the folder of that name that only the sandbox has.
    assert not canary.exists()


@pytest.mark.exhaustive
def test_plain_pytest_takes_a_module_alone(course: SmallCourse):
    done = course.run("pytest", "grader_tests/async/test_double.py", "-p", "no:cacheprovider", "-q")
    assert "2 passed" in done.stdout


OWN = """
def test_own(student):
    assert student.call("double", 3).returned == 6
"""


@pytest.fixture
def sharing(course: SmallCourse) -> SmallCourse:
    """A course in which the assignment `second` has the graders of `async`, and one of its own in place of theirs."""
    shutil.copytree(course.root / "source" / "async", course.root / "source" / "second")
    folder = course.root / "grader_tests" / "second"
    folder.mkdir()
    (folder / "assignment.toml").write_text('graders = "async"\n')
    (folder / "test_double.py").write_text(OWN)
    return course


@pytest.mark.exhaustive
def test_plain_pytest_takes_the_graders_that_an_assignment_shares(sharing: SmallCourse):
    done = sharing.run("pytest", "grader_tests/second", "-p", "no:cacheprovider", "-q", "-rA")
    passed = re.findall(r"^PASSED (\S+)", done.stdout, re.MULTILINE)
    assert passed == [
        "grader_tests/second/test_queue_work.py::test_value",
        "grader_tests/second/test_queue_work.py::test_does_not_wait",
        "grader_tests/second/test_double.py::test_own",
    ]


def test_the_judge_gets_shared_graders_as_the_assignments_own(sharing: SmallCourse):
    course = Course(sharing.root)
    spec, other = dict(course.spec("second").graders), dict(course.spec("async").graders)
    assert set(spec) == {"grader_tests/second/test_queue_work.py", "grader_tests/second/test_double.py"}
    assert spec["grader_tests/second/test_double.py"].decode() == OWN
    assert spec["grader_tests/second/test_queue_work.py"] == other["grader_tests/async/test_queue_work.py"]
    course.graders("second").check(course.source("second"))


@pytest.mark.exhaustive
def test_graders_of_an_assignment_that_is_not_there_are_refused(sharing: SmallCourse):
    file = sharing.root / "grader_tests" / "second" / "assignment.toml"
    file.write_text('graders = "asinc"\n')
    with pytest.raises(CourseError, match=r"assignment.toml: graders: there is no .*asinc"):
        Course(sharing.root).spec("second")
    assert "graders: there is no" in sharing.run("pytest", "grader_tests/second", "-q").stderr


def test_plain_pytest_outside_a_course_says_where_to_go(course: SmallCourse, tmp_path):
    shutil.copytree(course.root / "grader_tests", tmp_path / "elsewhere" / "grader_tests")
    done = SmallCourse(tmp_path / "elsewhere").run("pytest", "grader_tests/async", "-q")
    assert done.returncode != 0
    assert "Change to your course folder" in done.stdout + done.stderr
