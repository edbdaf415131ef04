"""What is ready is written in one transaction: whoever cuts it off, each submission is whole or not there."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from classroom import BIN, SmallCourse
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError
from steps import in_a_fork

from syncpoint.grading.write import Writer

pytestmark = [pytest.mark.engine, pytest.mark.sandbox]

STUDENTS = ["ada", "bob", "cleo", "dan", "finn", "gil"]
TABLES = {"student": "id", "submitted_assignment": "student_id", "syncpoint_notebooks": "student"}


@pytest.fixture
def course(course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """Nothing of this class has to be judged: what they handed in is no notebook."""
    monkeypatch.setattr("syncpoint.grading.write.HELD_SECONDS", 1000.0)  # nothing here hangs on a clock
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
    """Of whom there are rows, by table."""
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        return {
            table: [name for (name,) in gradebook.execute(f"SELECT {column} FROM {table} ORDER BY 1")]
            for table, column in TABLES.items()
        }


def written(course: SmallCourse) -> list[str]:
    """Of whom a notebook stands in autograded/."""
    return sorted(path.parts[-3] for path in (course.root / "autograded").glob("*/async/work.ipynb"))


def at(name: str, number: int, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have something happen when the writer begins with this step for the nth time."""
    real, calls = getattr(Writer, name), []

    def step(writer: Writer, *arguments: Any) -> Any:
        calls.append(None)
        if len(calls) == number:
            act()
        return real(writer, *arguments)

    monkeypatch.setattr(Writer, name, step)


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

    status, _, said = in_a_fork(course.root, count, {})
    assert (status, written(course)) == (0, STUDENTS), said
    assert "/".join(["BEGIN", *["INSERT"] * len(STUDENTS)]) in said, said


@pytest.mark.parametrize(("step", "entered", "there"), [("_convert", 0, 0), ("_put", 6, 2)])
def test_a_run_that_is_killed_leaves_whole_submissions_or_none(
    course: SmallCourse, step: str, entered: int, there: int, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patched:
        at(step, 3, lambda: os.kill(os.getpid(), signal.SIGKILL), patched)
        with pytest.raises(ValueError, match="unpack"):  # it could say nothing any more
            in_a_fork(course.root, grade, {})
    assert rows(course) == dict.fromkeys(TABLES, STUDENTS[:entered])
    assert written(course) == STUDENTS[:there]
    status, _, said = in_a_fork(course.root, grade, {})
    assert (status, rows(course), written(course)) == (0, dict.fromkeys(TABLES, STUDENTS), STUDENTS), said


@pytest.mark.exhaustive
def test_one_that_is_killed_in_the_middle_of_a_regrading_leaves_old_marks_with_nothing_new(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
):
    assert in_a_fork(course.root, grade, {})[0] == 0
    shutil.rmtree(course.root / ".syncpoint" / "submissions")
    with monkeypatch.context() as patched:
        at("_convert", 3, lambda: os.kill(os.getpid(), signal.SIGKILL), patched)
        with pytest.raises(ValueError, match="unpack"):
            in_a_fork(course.root, grade, {})
    assert rows(course) == dict.fromkeys(TABLES, STUDENTS)
    assert written(course) == STUDENTS[2:]  # those that it was at have no notebook, so the next run takes them up
    assert in_a_fork(course.root, grade, {})[0] == 0
    assert written(course) == STUDENTS


def test_a_submission_that_the_database_refuses_costs_no_other_one_anything(course: SmallCourse):
    def refuse(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("INSERT INTO syncpoint_notebooks") and "dan" in parameters:
            raise OperationalError(statement, parameters, sqlite3.OperationalError("database or disk is full"))

    def full() -> int:
        event.listen(Engine, "before_cursor_execute", refuse)
        return grade()

    status, _, said = in_a_fork(course.root, full, {})
    others = [student for student in STUDENTS if student != "dan"]
    assert (status, written(course)) == (1, others), said
    assert rows(course)["syncpoint_notebooks"] == others
    assert "there is no room left on the disk of the gradebook" in said
    assert "Traceback" not in said
    status, _, said = in_a_fork(course.root, grade, {})
    assert (status, written(course)) == (0, STUDENTS), said


def test_who_waits_for_the_gradebook_waits_for_a_moment(course: SmallCourse, monkeypatch: pytest.MonkeyPatch):
    """With no time at all to hold it, each submission has a transaction of its own, and all are written."""
    monkeypatch.setattr("syncpoint.grading.write.HELD_SECONDS", 0.0)
    status, _, said = in_a_fork(course.root, grade, {})
    assert (status, written(course)) == (0, STUDENTS), said


def test_without_the_last_word_of_the_database_no_notebook_is_there(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
):
    """The transaction of all fails as it ends: then each is written for itself."""
    folder = Path(course.root, "autograded")
    there: list[str] = []

    def fail_once(connection: Any) -> None:
        if not there and any(folder.glob("*/async/data.txt")):
            there.extend(["looked", *written(course)])
            raise OperationalError("COMMIT", {}, sqlite3.OperationalError("disk I/O error"))

    def struck() -> int:
        event.listen(Engine, "commit", fail_once)
        status = grade()
        print(there)
        return status

    status, _, said = in_a_fork(course.root, struck, {})
    assert "['looked']" in said
    assert (status, rows(course), written(course)) == (0, dict.fromkeys(TABLES, STUDENTS), STUDENTS), said
