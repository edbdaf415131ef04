"""`syncpoint move-gradebook`: every row goes over, and what comes after has a place."""

import shutil
from pathlib import Path

import pytest
from benchmarks.postgresql import Server
from generated_class import Size, generate
from how_to import commands, shell
from nbgrader.api import Base as NbgraderBase
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, inspect, select, text
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.records.database import one_transaction
from syncpoint.records.gradebook import database, open_gradebook
from syncpoint.records.mark_log import acting, read_log
from syncpoint.records.regrade import ask
from syncpoint.records.tables import Base, OwnerRecord

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = generate(tmp_path_factory.mktemp("move") / "course", Size(1100, exercises=2, tests=1))
    with open_gradebook(Course(root)) as gradebook:
        change_a_mark(gradebook)
        ask(gradebook, a_student(gradebook), "async", "test_benchmark", "Why?")
    return root


@pytest.fixture
def course(made: Path, tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(made, tmp_path / "course")))


def a_student(gradebook: Gradebook) -> str:
    return gradebook.assignment_submissions("async")[0].student.id


def change_a_mark(gradebook: Gradebook) -> None:
    with one_transaction(gradebook) as session, acting(session, "dashboard", "asked again", "grace"):
        grade = gradebook.find_submission("async", a_student(gradebook)).notebooks[0].grades[0]
        grade.manual_score = (grade.manual_score or 0) + 1


def move(course: Course, url: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["move-gradebook", url, "--course", str(course.root)])
    return done.exit_code, done.output


def rows(url: str) -> dict[str, list[str]]:
    """Every row of every table."""
    engine = create_engine(url)
    with engine.connect() as connection:
        tables = [*NbgraderBase.metadata.sorted_tables, *Base.metadata.sorted_tables]
        found = {table.name: sorted(map(repr, connection.execute(select(table)))) for table in tables}
    engine.dispose()
    return found


def test_every_row_goes_over_and_the_old_gradebook_stays(
    course: Course, server: Server, request: pytest.FixtureRequest
):
    url, old = server.create(request.node.name), f"sqlite:///{course.root}/gradebook.db"
    before = rows(old)
    assert len(before["student"]) > 1000 and before["syncpoint_mark_changes"] and before["syncpoint_regrade_requests"]
    status, printed = move(course, url)
    assert status == 0, printed
    owner = OwnerRecord.__tablename__
    assert {**rows(url), owner: []} == {**before, owner: []} == {**rows(old), owner: []}
    assert f"to {url}, and nbgrader_config.py now names it." in printed
    assert database(course) == url


@pytest.mark.exhaustive
def test_the_commands_of_the_page_move_it(course: Course, server: Server):
    lines = f"cd '{course.root}'\n" + commands("install.md", "Use PostgreSQL", DATABASE="typed")
    done = shell(lines, **server.variables)
    assert done.returncode == 0, done.stderr
    moved, old = rows(server.url("typed")), rows(f"sqlite:///{course.root}/gradebook.db")
    assert len(moved.pop(OwnerRecord.__tablename__)) == 1 and not old.pop(OwnerRecord.__tablename__)
    assert moved == old


def test_what_comes_after_is_numbered_on_and_noted(course: Course, server: Server, request: pytest.FixtureRequest):
    url = server.create(request.node.name)
    assert move(course, url)[0] == 0
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write("# its last line\n")
    with open_gradebook(course) as gradebook:
        before = len(read_log(gradebook))
        change_a_mark(gradebook)
        assert ask(gradebook, a_student(gradebook), "async", "test_benchmark", "And why?") == 2
        assert len(read_log(gradebook)) == before + 1


def test_a_database_that_holds_a_course_is_left_alone(course: Course, server: Server, request: pytest.FixtureRequest):
    url = server.create(request.node.name)
    generate(course.root.parent / "other", Size(2), url)
    before = rows(url)
    status, printed = move(course, url)
    assert status == 1 and "already contains a gradebook" in printed
    assert {**rows(url), "course": before["course"]} == before  # every command of ours adds nbgrader's default course


def test_a_row_that_is_refused_moves_nothing(course: Course, server: Server, request: pytest.FixtureRequest):
    url = server.create(request.node.name)
    with create_engine(f"sqlite:///{course.root}/gradebook.db").begin() as connection:
        connection.execute(text("UPDATE syncpoint_regrade_requests SET question = 'nul ' || char(0)"))
    status, printed = move(course, url)
    assert status == 1 and "nothing was moved" in printed
    assert rows(url)["student"] == []


@pytest.mark.parametrize("url", ["nonsense", "postgresql+psycopg:///nowhere?host=/nowhere"])
def test_an_address_that_leads_nowhere_is_one_line(course: Course, url: str):
    status, printed = move(course, url)
    assert status == 1 and printed.startswith("syncpoint: ") and printed.count("\n") == 1


def test_the_new_database_has_the_triggers(course: Course, server: Server, request: pytest.FixtureRequest):
    url = server.create(request.node.name)
    assert move(course, url)[0] == 0
    assert inspect(create_engine(url)).has_table("syncpoint_version")
    with pytest.raises(Exception, match="the log of marks cannot be changed"), create_engine(url).begin() as connection:
        connection.execute(text("DELETE FROM syncpoint_mark_changes"))
