"""A gradebook belongs to one course folder: a copied or restored course does not write into the live one."""

import shutil
import subprocess
from pathlib import Path

import pytest
from benchmarks.postgresql import Server
from classroom import BIN, environment
from generated_class import Size, generate
from sqlalchemy import create_engine, make_url, text
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.course.gradebook_setting import with_gradebook
from syncpoint.records.errors import GradebookError
from syncpoint.records.gradebook import database, open_gradebook
from syncpoint.records.owner import shown

REFUSED = "belongs to the course in {owner}, not to {here}, so nothing was written"


@pytest.fixture
def live(server: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Course:
    """A course whose gradebook is in PostgreSQL, used once by its own folder."""
    url = server.create(f"own-{abs(hash(request.node.name))}")
    course = Course(generate(tmp_path / "live", Size(4, exercises=2, tests=1), url))
    assert run(course, "scores", "async")[0] == 0
    return course


@pytest.fixture
def copied(live: Course) -> Course:
    """The folder, as a backup that was unpacked elsewhere has it."""
    return Course(Path(shutil.copytree(live.root, live.root.parent / "copy")))


def run(course: Course, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, [*arguments, "--course", str(course.root)])
    return done.exit_code, " ".join(done.output.split())


def nbgrader(course: Course, *arguments: str) -> tuple[int, str]:
    command = [str(BIN / "nbgrader"), *arguments]
    done = subprocess.run(command, cwd=course.root, env=environment(), capture_output=True, text=True)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def rows(url: str) -> dict[str, list[str]]:
    engine = create_engine(url)
    with engine.connect() as connection:
        names = connection.scalars(
            text("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        )
        found = {name: sorted(map(repr, connection.execute(text(f'SELECT * FROM "{name}"')))) for name in names}
    engine.dispose()
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "command",
    [
        ("extend", "student-1", "async", "--hours", "5"),
        ("excuse", "student-1", "async", "--because", "ill"),
        ("time-factor", "student-1", "2"),
        ("late", "async"),
        ("forget", "student-1", "--yes"),
        ("restart", "async", "--yes"),
        ("prune", "--older-than", "1"),
        ("scores", "async"),
        ("nbgrader", "db", "student", "add", "eve"),
        ("nbgrader", "db", "assignment", "add", "async", "--duedate", "2030-01-01 12:00 UTC"),
        ("nbgrader", "export"),
    ],
    ids=" ".join,
)
def test_a_copy_is_refused_whatever_it_does(live: Course, copied: Course, command: tuple[str, ...]):
    before = rows(database(live))
    program, *rest = command
    status, printed = nbgrader(copied, *rest) if program == "nbgrader" else run(copied, *command)
    assert status != 0 and REFUSED.format(owner=live.root, here=copied.root) in printed, printed
    assert "syncpoint move-gradebook" in printed and "syncpoint adopt-gradebook" in printed
    assert "Traceback" not in printed
    assert rows(database(live)) == before
    assert run(live, "scores", "async")[0] == 0


def test_the_doctor_names_the_database_and_says_what_is_wrong(live: Course, copied: Course):
    name = shown(database(live))
    assert name in run(live, "doctor")[1]
    printed = run(copied, "doctor")[1]
    assert REFUSED.format(owner=live.root, here=copied.root) in printed


def test_a_folder_that_moved_is_the_same_one(live: Course):
    moved = Course(live.root.rename(live.root.parent / "moved"))
    assert run(moved, "extend", "nobody", "async", "--hours", "1")[1].count("belongs to") == 0
    assert run(moved, "scores", "async")[0] == 0
    assert nbgrader(moved, "db", "student", "add", "eve")[0] == 0


def test_a_copy_gets_a_gradebook_of_its_own(live: Course, copied: Course, server: Server):
    before, url = rows(database(live)), server.create("second")
    settings = (copied.root / "nbgrader_config.py").read_text()
    status, printed = run(copied, "move-gradebook", url)
    assert status == 0 and "nbgrader_config.py now names it" in printed
    assert database(copied) == url
    stored = set((copied.root / "nbgrader_config.py").read_text().splitlines())
    assert {line for line in settings.splitlines() if line not in stored} == {
        line for line in settings.splitlines() if line.startswith("c.CourseDirectory.db_url")
    }
    assert nbgrader(copied, "db", "student", "add", "eve")[0] == 0
    assert rows(database(live)) == before
    assert "('eve'," in str(rows(url)["student"]) and run(live, "scores", "async")[0] == 0


def test_a_course_that_was_restored_in_another_folder_takes_over_its_gradebook(live: Course, copied: Course):
    assert run(copied, "adopt-gradebook")[0] == 0
    assert run(copied, "scores", "async")[0] == 0
    assert REFUSED.format(owner=copied.root, here=live.root) in run(live, "scores", "async")[1]


def test_a_copy_of_the_database_still_says_whose_it_is(live: Course, copied: Course, server: Server):
    source, engine = database(live), create_engine(server.url("postgres"), isolation_level="AUTOCOMMIT")
    name = make_url(source).database
    with engine.connect() as connection:  # as a dump that was loaded into another database
        connection.execute(text(f'CREATE DATABASE "restored" TEMPLATE "{name}"'))
    engine.dispose()
    path = copied.root / "nbgrader_config.py"
    path.write_text(with_gradebook(path.read_text(), server.url("restored")))
    assert REFUSED.format(owner=live.root, here=copied.root) in run(copied, "scores", "async")[1]
    assert run(copied, "adopt-gradebook")[0] == 0
    assert run(copied, "scores", "async")[0] == run(live, "scores", "async")[0] == 0


def test_a_program_that_runs_already_is_refused_from_then_on(live: Course, copied: Course):
    with open_gradebook(live):
        pass
    assert run(copied, "adopt-gradebook")[0] == 0
    with pytest.raises(GradebookError, match="belongs to the course in"), open_gradebook(live):
        pass


def test_a_file_in_the_folder_is_copied_with_it(tmp_path: Path):
    one = Course(generate(tmp_path / "one", Size(3, exercises=2, tests=1)))
    assert run(one, "scores", "async")[0] == 0
    two = Course(Path(shutil.copytree(one.root, tmp_path / "two")))
    assert run(two, "scores", "async")[0] == 0
    assert nbgrader(two, "db", "student", "add", "eve")[0] == 0


@pytest.mark.parametrize("name", ["../shared.db", "gradebook.db"])
def test_another_courses_file_is_refused(tmp_path: Path, name: str):
    one = Course(generate(tmp_path / "one", Size(3, exercises=2, tests=1)))
    shared = (one.root / "gradebook.db").rename(one.root / name)
    path = one.root / "nbgrader_config.py"
    path.write_text(with_gradebook(path.read_text(), f"sqlite:///{shared.resolve()}?timeout=60"))
    assert run(one, "scores", "async")[0] == 0
    two = Course(Path(shutil.copytree(one.root, tmp_path / "two")))
    before = shared.read_bytes()
    assert REFUSED.format(owner=one.root, here=two.root) in run(two, "extend", "student-1", "async", "--hours", "1")[1]
    assert REFUSED.format(owner=one.root, here=two.root) in nbgrader(two, "db", "student", "add", "eve")[1]
    assert shared.read_bytes() == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("c = get_config()\n", 'c = get_config()\n\nc.CourseDirectory.db_url = "x://y"\n'),
        ("c.CourseDirectory.db_url = 'a'\nb = 1\n", 'c.CourseDirectory.db_url = "x://y"\nb = 1\n'),
        ("c.CourseDirectory.db_url = (\n  'a'\n  'b')\nb = 1\n", 'c.CourseDirectory.db_url = "x://y"\nb = 1\n'),
        ("c.CourseDirectory.db_url = 'a'\r\n# c.CourseDirectory.db_url = 'c'\r\nc.CourseDirectory.db_url = 'b'",
         'c.CourseDirectory.db_url = "x://y"\r\n# c.CourseDirectory.db_url = \'c\'\r\n'),
    ],
)  # fmt: skip
def test_one_line_names_the_gradebook(before: str, after: str):
    assert with_gradebook(before, "x://y") == after


def test_a_configuration_that_names_it_in_another_way_is_not_touched(
    live: Course, server: Server, request: pytest.FixtureRequest
):
    path, url = live.root / "nbgrader_config.py", database(live)
    odd = path.read_text() + f"\nif True:\n    c.CourseDirectory.db_url = {url!r}\n"
    path.write_text(odd)
    status, printed = run(live, "move-gradebook", server.create("third"))
    assert status == 1 and "cannot be changed" in printed
    assert (path.read_text(), database(live)) == (odd, url)


def test_no_password_is_shown():
    assert shown("postgresql+psycopg://ada:secret@host/db") == "postgresql+psycopg://ada:***@host/db"
    assert "secret" not in shown("secret")
