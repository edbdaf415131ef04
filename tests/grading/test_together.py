"""Finished submissions are written in one transaction: after an interruption each is complete or absent."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from classroom import BIN, SmallCourse
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError
from steps import in_a_fork

from syncpoint.grading.commit import Committer

STUDENTS = ["ada", "bob", "cleo", "dan", "finn", "gil"]
TABLES = {"student": "id", "submitted_assignment": "student_id", "syncpoint_notebooks": "student"}


@pytest.fixture
def course(course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """Nothing of this class has to be judged: what they handed in is no notebook."""
    monkeypatch.setenv("PATH", f"{BIN}:{os.environ['PATH']}")
    for student in STUDENTS:
        course.submit(student, "no notebook")
        (course.folder(student) / "data.txt").write_text(student)
    return course


def grade() -> int:
    """``syncpoint grade async``."""
    from syncpoint.cli import app

    return app(["grade", "async", "--workers", "1"], standalone_mode=False)


def rows(course: SmallCourse) -> dict[str, list[str]]:
    """Return the students with rows, by table."""
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        return {
            table: [name for (name,) in gradebook.execute(f"SELECT {column} FROM {table} ORDER BY 1")]
            for table, column in TABLES.items()
        }


def written(course: SmallCourse) -> list[str]:
    """Return the students with a notebook in autograded/."""
    return sorted(path.parts[-3] for path in (course.root / "autograded").glob("*/async/work.ipynb"))


def at(name: str, number: int, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have something happen when the committer begins with this step for the nth time."""
    real, calls = getattr(Committer, name), []

    def step(committer: Committer, *arguments: Any) -> Any:
        calls.append(None)
        if len(calls) == number:
            act()
        return real(committer, *arguments)

    monkeypatch.setattr(Committer, name, step)


def test_a_class_is_written_in_one_transaction(course: SmallCourse):
    def count() -> int:
        began = []

        def look(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
            if statement == "BEGIN IMMEDIATE" or statement.startswith("INSERT INTO student "):
                began.append(statement.split()[0])

        event.listen(Engine, "before_cursor_execute", look)
        status = grade()
        print("/".join(began))
        return status

    status, _, output = in_a_fork(course.root, count, {})
    assert (status, written(course)) == (0, STUDENTS), output
    assert "BEGIN/INSERT" in output and output.count("INSERT") == 1, output


@pytest.mark.sample(1)
@pytest.mark.parametrize(("step", "entered", "there"), [("_add_marks", 0, 0), ("_remove", 0, 0), ("_write", 6, 2)])
def test_a_run_that_is_killed_leaves_whole_submissions_or_none(
    course: SmallCourse, step: str, entered: int, there: int, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patched:
        at(step, 3, lambda: os.kill(os.getpid(), signal.SIGKILL), patched)
        with pytest.raises(ValueError, match="unpack"):  # it could say nothing any more
            in_a_fork(course.root, grade, {})
    assert rows(course) == dict.fromkeys(TABLES, STUDENTS[:entered])
    assert written(course) == STUDENTS[:there]
    status, _, output = in_a_fork(course.root, grade, {})
    assert (status, rows(course), written(course)) == (0, dict.fromkeys(TABLES, STUDENTS), STUDENTS), output


@pytest.mark.exhaustive
def test_one_that_is_killed_in_the_middle_of_a_regrading_leaves_old_marks_with_nothing_new(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
):
    assert in_a_fork(course.root, grade, {})[0] == 0
    shutil.rmtree(course.root / ".syncpoint" / "submissions")
    with monkeypatch.context() as patched:
        at("_remove", 3, lambda: os.kill(os.getpid(), signal.SIGKILL), patched)
        with pytest.raises(ValueError, match="unpack"):
            in_a_fork(course.root, grade, {})
    assert rows(course) == dict.fromkeys(TABLES, STUDENTS)
    assert written(course) == STUDENTS[2:]  # those that it was at have no notebook, so the next run takes them up
    assert in_a_fork(course.root, grade, {})[0] == 0
    assert written(course) == STUDENTS


@pytest.mark.exhaustive
def test_a_submission_that_the_database_refuses_costs_no_other_one_anything(course: SmallCourse):
    def refuse(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("INSERT INTO syncpoint_notebooks") and "dan" in str(parameters):
            raise OperationalError(statement, parameters, sqlite3.OperationalError("database or disk is full"))

    def full() -> int:
        event.listen(Engine, "before_cursor_execute", refuse)
        return grade()

    status, _, output = in_a_fork(course.root, full, {})
    others = [student for student in STUDENTS if student != "dan"]
    assert (status, written(course)) == (1, others), output
    assert rows(course)["syncpoint_notebooks"] == others
    assert "there is no room left on the disk of the gradebook" in output
    assert "Traceback" not in output
    status, _, output = in_a_fork(course.root, grade, {})
    assert (status, written(course)) == (0, STUDENTS), output


@pytest.mark.exhaustive
def test_without_the_last_word_of_the_database_no_notebook_is_there(course: SmallCourse):
    """The transaction of all fails as it ends: then each is written for itself."""
    entered: list[str] = []
    there: list[str] = []

    def look(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        entered.extend(["student"] if statement.startswith("INSERT INTO student ") else [])

    def fail_once(connection: Any) -> None:
        if not there and entered:
            there.extend(["looked", *written(course)])
            raise OperationalError("COMMIT", {}, sqlite3.OperationalError("disk I/O error"))

    def struck() -> int:
        event.listen(Engine, "before_cursor_execute", look)
        event.listen(Engine, "commit", fail_once)
        status = grade()
        print(there)
        return status

    status, _, output = in_a_fork(course.root, struck, {})
    assert "['looked']" in output
    assert (status, rows(course), written(course)) == (0, dict.fromkeys(TABLES, STUDENTS), STUDENTS), output


def test_a_release_that_changes_in_the_middle_of_a_run_stops_it_in_a_sentence(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
):
    def release_again() -> None:
        with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
            gradebook.execute("UPDATE grade_cells SET max_score = 5")
            gradebook.commit()

    at("commit", 1, release_again, monkeypatch)
    status, _, output = in_a_fork(course.root, grade, {})
    assert (status, rows(course), written(course)) == (1, {key: [] for key in TABLES}, []), output
    assert output.count("is not graded: the assignment was released again") == len(STUDENTS)
    assert "Traceback" not in output


@pytest.mark.exhaustive
def test_who_may_not_be_added_to_the_gradebook_stops_nobody_else(course: SmallCourse):
    with course.gradebook() as gradebook:
        gradebook.add_student("ada")
        gradebook.add_student("bob")
    course.configure("c.Autograde.create_student = False\n")
    status, _, output = in_a_fork(course.root, grade, {})
    assert (status, written(course)) == (1, ["ada", "bob"]), output
    assert "No student with ID 'cleo' exists" in output


@pytest.mark.exhaustive
def test_the_hooks_of_the_configuration_are_called_for_each_submission(course: SmallCourse):
    course.configure(
        "def hook(step):\n"
        "    def call(assignment, student, notebooks):\n"
        "        (__import__('pathlib').Path(c.CourseDirectory.root) / 'hooks').open('a').write(\n"
        "            f'{step} {assignment} {[name.split(\"/\")[-3] for name in notebooks]}\\n')\n"
        "    return call\n"
        "c.Autograde.pre_convert_hook, c.Autograde.post_convert_hook = hook('before'), hook('after')\n"
    )
    assert in_a_fork(course.root, grade, {})[0] == 0
    lines = (course.root / "hooks").read_text().splitlines()
    assert lines == [f"{step} async ['{student}']" for student in STUDENTS for step in ("before", "after")]
