"""PostgreSQL as gradebook is one setting: everything works on it as on a file, and a server that is away is named."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest
from benchmarks.postgresql import Server
from classroom import BIN, SmallCourse
from nbgrader.api import Gradebook
from same_rows import differences
from sqlalchemy import create_engine, func, inspect, select, text

from syncpoint.core.messages import words
from syncpoint.core.results import Incident, NotebookResult, Versions
from syncpoint.course.folder import Course
from syncpoint.records.database import one_transaction, upgrade
from syncpoint.records.errors import GradebookError, NoGradebook
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.read_results import read_graded
from syncpoint.records.save_verdicts import save_verdicts
from syncpoint.records.tables import Base, NotebookRecord

pytestmark = pytest.mark.slow
ODD = "nul \0 and half a pair \ud800"
JUDGED = NotebookResult(Versions("mxnet 1.9.1", "0123456789ab"), (), (Incident("raised", words(ODD)),))


@pytest.fixture
def url(server: Server, request: pytest.FixtureRequest) -> str:
    """The address of an empty database of this test's own."""
    return server.create(request.node.name)


@pytest.fixture
def gradebook(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gradebook]:
    """A gradebook with a submission of ada's."""
    monkeypatch.setenv("PATH", str(BIN), prepend=os.pathsep)  # nbgrader calls alembic as a program
    with Gradebook(url) as gradebook:
        gradebook.add_assignment("async")
        gradebook.add_student("ada")
        gradebook.add_submission("async", "ada")
        yield gradebook


def succeed(course: SmallCourse, *command: str) -> str:
    """Run a command that has to succeed; return its output."""
    done = course.must_run(*command)
    return done.stdout


@pytest.fixture(scope="module")
def graded(server: Server, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The small course on PostgreSQL: released, with a roster, ada and bob graded.  Bob waits.  Read only."""
    course = SmallCourse.make(tmp_path_factory.mktemp("postgresql") / "course")
    course.configure(f'\nc.CourseDirectory.db_url = "{server.create("graded")}"\n')
    (course.root / "roster.csv").write_text("id,last name,LMS id\nada,Lovelace,1\nbob,Ünal,2\n")
    succeed(course, "nbgrader", "generate_assignment", "async")
    succeed(course, "syncpoint", "roster", "roster.csv")
    course.submit("ada", course.solved())
    course.submit("bob", course.solved(queue_work="def queue_work(x):\n    return nd.dot(x, x).sum().asscalar()"))
    succeed(course, "nbgrader", "autograde", "async")
    succeed(course, "nbgrader", "autograde", "async", "--force", "--student=bob")
    return course


SCORES = {"ada": {"test_queue_work": 4.0, "test_double": 2.0}, "bob": {"test_queue_work": 1.0, "test_double": 2.0}}


def test_a_class_is_graded_and_a_second_grading_replaces_the_first(graded: SmallCourse):
    stored = {student: read_graded(Course(graded.root), student, "async") for student in SCORES}
    assert {
        student: {exercise.name: exercise.points for (book,) in [books] for exercise in book.notebook_result.exercises}
        for student, books in stored.items()
    } == SCORES


def test_the_commands_read_it(graded: SmallCourse):
    table = succeed(graded, "syncpoint", "scores", "async")
    assert [line.split()[:4] for line in table.splitlines() if line.strip().startswith("bob")] == [
        ["bob", "1", "2", "0"]
    ]
    assert "TITLE-OF-WAITING" in succeed(graded, "syncpoint", "why", "bob", "async", "queue_work")


def test_exports_write_it(graded: SmallCourse):
    for name in ("CanvasExport", "OutcomesParquetExport"):
        succeed(graded, "nbgrader", "export", f"--exporter=syncpoint.exports.{name}")
    with (graded.root / "canvas.csv").open(newline="") as file:
        assert [row[:2] + row[5:] for row in csv.reader(file)][2:] == [["Lovelace", "1", "6"], ["Ünal", "2", "3"]]
    table = pandas.read_parquet(graded.root / "outcomes.parquet")
    assert table.groupby(["student", "exercise"])["points"].sum().unstack().T.to_dict() == SCORES


@pytest.mark.exhaustive
def test_the_rows_are_those_of_a_file(course: SmallCourse, url: str, tmp_path: Path):
    course.submit("ada", course.solved())
    course.submit("bob", "no notebook")
    (course.folder("bob") / "timestamp.txt").write_text("2026-03-02 13:00:00 UTC")
    other = course.copy(tmp_path / "other")
    other.must_run("syncpoint", "move-gradebook", url)
    for _ in range(2):  # rows are new, and then changed
        for each in (course, other):
            each.must_run("syncpoint", "grade", "async", "--workers", "1")
            results = Path(".syncpoint", "results")
            shutil.copytree(course.root / results, other.root / results, dirs_exist_ok=True)
            shutil.rmtree(each.root / ".syncpoint" / "submissions")
    found = differences(course.root, other.root, of_b=url)
    assert [line for line in found if not line.startswith("syncpoint_owner")] == []


UPGRADE = """
import sys
from sqlalchemy import create_engine
from syncpoint.records.bootstrap import prepare
from syncpoint.records.database import upgrade
prepare(sys.argv[1], "course")  # our triggers stand on nbgrader's tables
upgrade(create_engine(sys.argv[1]))
"""


def test_several_processes_may_make_the_tables_at_once(url: str):
    at_once = [subprocess.Popen([sys.executable, "-c", UPGRADE, url]) for _ in range(4)]
    assert [process.wait() for process in at_once] == [0] * 4
    assert set(Base.metadata.tables) < set(inspect(create_engine(url)).get_table_names())


def test_scores_and_verdicts_are_written_together_or_not_at_all(gradebook: Gradebook):
    upgrade(gradebook.engine)
    with pytest.raises(ZeroDivisionError), one_transaction(gradebook) as session:  # noqa: PT012
        gradebook.add_student("bob")  # nbgrader commits here
        save_verdicts(session, "async", [("ada", "work", JUDGED, None)])
        raise ZeroDivisionError
    with create_engine(gradebook.engine.url).connect() as other:
        assert other.scalars(text("SELECT id FROM student")).all() == ["ada"]
        assert other.scalar(select(func.count()).select_from(NotebookRecord)) == 0


def test_text_that_a_database_refuses_is_mended(gradebook: Gradebook):
    upgrade(gradebook.engine)
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
    gradebook.db.commit()
    (record,) = gradebook.db.scalars(select(NotebookRecord))
    assert [str(incident.message) for incident in record.incidents] == [
        "nul \N{REPLACEMENT CHARACTER} and half a pair \N{REPLACEMENT CHARACTER}"
    ]


def course_on(url: str, root: Path) -> Course:
    (root / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.db_url = {url!r}\n")
    return Course(root)


def test_an_empty_database_is_no_gradebook_and_stays_empty(url: str, tmp_path: Path):
    with pytest.raises(NoGradebook, match="run `nbgrader generate_assignment <assignment>` to create it"):
        open_gradebook(course_on(url, tmp_path))
    assert inspect(create_engine(url)).get_table_names() == []


def test_a_server_that_is_away_is_one_line_and_tells_no_password(server: Server, tmp_path: Path):
    away = server.url("any").replace("syncpoint@", "syncpoint:SECRET@").replace(str(server.folder), str(tmp_path))
    with pytest.raises(GradebookError) as refused:
        open_gradebook(course_on(away, tmp_path))
    output = str(refused.value)
    assert "does not open (connection is bad" in output and "is the server running" in output
    assert "\n" not in output and "SECRET" not in output


def test_a_database_that_is_not_there_is_named(server: Server, tmp_path: Path):
    with pytest.raises(GradebookError, match='database "nowhere" does not exist'):
        open_gradebook(course_on(server.url("nowhere"), tmp_path))


def test_another_driver_says_which_one_to_write(server: Server, tmp_path: Path):
    with pytest.raises(GradebookError, match=r"write postgresql\+psycopg:// in c\.CourseDirectory\.db_url"):
        open_gradebook(course_on(server.url("any").replace("+psycopg", "+psycopg2"), tmp_path))


def test_the_commands_say_it_in_one_line(tmp_path: Path):
    away = SmallCourse(tmp_path)
    course_on(f"postgresql+psycopg:///any?host={tmp_path}", tmp_path)
    done = away.run("syncpoint", "scores", "async")
    assert done.returncode == 1
    assert done.stderr.startswith("syncpoint: postgresql+psycopg:///any") and done.stderr.count("\n") == 1
