"""`syncpoint forget`: no data of the student is left, nobody else loses anything, and the log records it."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import pytest
from classroom import SmallCourse
from generated_class import Size, generate
from graded_class import grade, stored
from nbgrader.api import Gradebook
from sqlalchemy import MetaData, select
from sqlalchemy.exc import DBAPIError
from typer.testing import CliRunner

from syncpoint.check.status import SECRET, note_name
from syncpoint.check.viva import ABOUT
from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.exports.mark_log import lines
from syncpoint.grading.claims import Claims
from syncpoint.grading.submission_cache import CachedSubmission, SubmissionCache
from syncpoint.records.accommodations import excuse
from syncpoint.records.database import one_transaction
from syncpoint.records.errors import GradebookError
from syncpoint.records.forget import clear_free_pages
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.mark_log import acting, read_log, unix_user
from syncpoint.records.queue import enter
from syncpoint.records.regrade import ask
from syncpoint.records.sent_marks import begin
from syncpoint.records.student_details import set_student_id
from syncpoint.records.tables import ExtensionRecord, MarkChange, TimeFactorRecord
from syncpoint.upkeep.forget import find
from syncpoint.upkeep.forget import forget as forget_now

FOLDERS = ("submitted", "autograded", "feedback", ".syncpoint/replaced", ".syncpoint/collected", ".syncpoint/tries")
Rows = dict[str, list[str]]


# For the tests that ask a database for what only a database does; all others meet PostgreSQL in `make test-all`.
on_both = pytest.mark.parametrize(
    "course", ["sqlite", pytest.param("postgresql", marks=(pytest.mark.slow, pytest.mark.exhaustive))], indirect=True
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return made_in(tmp_path_factory.mktemp("class") / "course")


def made_in(folder: Path, url: str = "") -> Course:
    """A generated class of 12, in which two have everything that a student can have."""
    course = Course(generate(folder, Size(12, exercises=2, tests=2), url))
    with open_gradebook(course) as gradebook:
        for student in two_of(gradebook):
            give_everything(course, gradebook, student)
    return course


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=(pytest.mark.slow, pytest.mark.exhaustive))])
def course(request: pytest.FixtureRequest, made: Course, tmp_path: Path) -> Course:
    if request.param == "sqlite":
        return Course(Path(shutil.copytree(made.root, tmp_path / "course")))
    return made_in(tmp_path / "course", request.getfixturevalue("server").create(uuid4().hex))


def two_of(gradebook: Gradebook) -> list[str]:
    """The first two who have handed in; the first one is to be forgotten."""
    return sorted(one.student.id for one in gradebook.assignment_submissions("async"))[:2]


def give_everything(course: Course, gradebook: Gradebook, student: str) -> None:
    with one_transaction(gradebook) as session:
        excuse(session, student, "async", f"{student} was ill")
        session.add(TimeFactorRecord(student=student, factor=1.5))
        session.add(ExtensionRecord(student=student, assignment="async", given=1.0, written=2.0))
        set_student_id(session, student, "github", f"{student}-at-github")
        enter(session, student, "async", f"the work of {student}", "a digest", datetime(2026, 10, 1))
        with acting(session, "dashboard", f"{student} asked"):
            gradebook.find_submission("async", student).notebooks[0].grades[0].manual_score = 3.5
    begin(gradebook, student, "async", "https://lms.school.example/columns/1", 3.5, "3.5 of 8 points")
    ask(gradebook, student, "async", "test_benchmark", f"I am {student}. Why?")
    for folder in FOLDERS:
        path = course.root / folder / student / "async"
        path.mkdir(parents=True)
        (path / "work.ipynb").write_text(student)
    compared = course.root / ".syncpoint" / "similarity" / "async"
    (compared / "files" / student).mkdir(parents=True)
    (compared / "report").mkdir(exist_ok=True)
    SubmissionCache.of(course.root / ".syncpoint", "async").put(student, CachedSubmission("", {}, {}))
    course.postponed.add(f"{student}/async")


@pytest.fixture
def exchange(course: Course) -> Path:
    """nbgrader's exchange, in which the two have handed in, and somebody whose name begins with theirs."""
    root = course.root.parent / "exchange"
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.Exchange.root = {str(root)!r}\n")
    with open_gradebook(course) as gradebook:
        students = two_of(gradebook)
    for student in (*students, f"{students[0]}+x"):
        (root / course.id / "inbound" / f"{student}+async+2026-10-01 10:00:00 UTC+abcd" / "deep").mkdir(parents=True)
    (root / course.id / "feedback").mkdir()
    for name in ("a digest", "another"):
        (root / course.id / "feedback" / name).write_text("{}")
    return root / course.id


def test_what_was_handed_in_by_the_exchange_goes_and_is_not_collected_again(course: Course, exchange: Path):
    with open_gradebook(course) as gradebook:
        gone, other = two_of(gradebook)
    (folder,) = (exchange / "inbound").glob(f"{gone}+async+*")
    (folder / SECRET).write_text("secret")
    (exchange / "feedback" / note_name("secret", f"async{ABOUT}")).write_text("questions")
    status, printed = forget(course, gone, "--yes")
    assert status == 0, printed
    left = sorted(path.name.split("+async+")[0] for path in (exchange / "inbound").iterdir())
    assert left == sorted([other, f"{gone}+x"])
    assert [path.name for path in (exchange / "feedback").iterdir()] == ["another"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_an_unreadable_exchange_stops_the_forgetting(course: Course, exchange: Path):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    before = rows(course)
    (exchange / "inbound").chmod(0o333)
    status, printed = forget(course, gone, "--yes")
    (exchange / "inbound").chmod(0o733)
    assert status == 1 and "would be collected again" in printed and rows(course) == before


def nameless() -> MarkChange:
    """A line of the log that names nobody, as it stands there after somebody was forgotten."""
    nobody = dict.fromkeys(("who", "how", "why", "student", "assignment", "notebook", "exercise", "mark"), "")
    return MarkChange(at=datetime(2026, 1, 2), **nobody)


def rows(course: Course) -> Rows:
    """Every row of every table, as it is there."""
    found = MetaData()
    with open_gradebook(course) as gradebook, gradebook.engine.connect() as connection:
        found.reflect(connection)
        return {name: sorted(map(repr, connection.execute(select(t)))) for name, t in found.tables.items()}


def files(course: Course) -> set[str]:
    return {str(path.relative_to(course.root)) for path in course.root.rglob("*") if path.name != ".runs"}


def forget(course: Course, student: str, *options: str, answer: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(app, ["forget", student, "--course", str(course.root), *options], input=answer)
    return done.exit_code, done.output


@on_both
def test_nothing_of_the_student_is_left_and_nobody_else_loses_anything(course: Course):
    with open_gradebook(course) as gradebook:
        gone, other = two_of(gradebook)
    before, files_before = rows(course), files(course)
    assert any(gone in repr(some) for some in before.values())
    status, printed = forget(course, gone, "--yes", "--why", "asked to be")
    assert status == 0, printed
    after = rows(course)
    assert [name for name, some in after.items() if gone in repr(some)] == []
    assert [path for path in files(course) if gone in path] == []
    for name, some in after.items():
        lost = set(before[name]) - set(some)
        assert [row for row in lost if other in row] == [], name
        new = set(some) - set(before[name])
        assert not new or name == "syncpoint_mark_changes", name
    assert {path for path in files_before if other in path and "similarity" not in path} <= files(course)
    assert len(after["student"]) == len(before["student"]) - 1


def test_the_log_says_who_did_it_and_why_and_not_whom(course: Course):
    with open_gradebook(course) as gradebook:
        gone, other = two_of(gradebook)
        stored_lines = [one.id for one in read_log(gradebook, student=other)]
    assert forget(course, gone, "--yes", "--why", "asked to be")[0] == 0
    with open_gradebook(course) as gradebook:
        *rest, last = read_log(gradebook)
        assert [one.id for one in rest] == stored_lines
        assert (last.who, last.how, last.why, last.mark) == (
            unix_user(),
            "forget",
            "asked to be",
            "a student was removed",
        )
        assert {last.student, last.assignment, last.notebook, last.exercise} == {""}
        assert list(lines([last])) == [
            f"{last.at:%Y-%m-%d %H:%M:%S} UTC  a student was removed, by {unix_user()} (forget): asked to be"
        ]


@on_both
def test_the_log_refuses_changes_as_before(course: Course):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    assert forget(course, gone, "--yes")[0] == 0
    for statement in ("UPDATE syncpoint_mark_changes SET who = 'eve'", "DELETE FROM syncpoint_mark_changes"):
        with (
            pytest.raises((GradebookError, DBAPIError), match="the log of marks cannot be changed"),
            open_gradebook(course) as gradebook,
            gradebook.engine.begin() as connection,
        ):
            connection.exec_driver_sql(statement)


def test_the_file_itself_holds_the_name_no_more(course: Course):
    path = course.root / "gradebook.db"
    if not path.exists():
        pytest.skip("a server cleans its files itself")
    with open_gradebook(course) as gradebook:
        gone, other = two_of(gradebook)
    with closing(sqlite3.connect(path)) as earlier:  # what was deleted before, and not overwritten
        for line in ("PRAGMA secure_delete = OFF", "CREATE TABLE x (y)", f"INSERT INTO x VALUES ('{gone * 2000}')"):
            earlier.execute(line)
        earlier.execute("DROP TABLE x")
        earlier.commit()
    assert gone.encode() * 100 in path.read_bytes()
    assert forget(course, gone, "--yes")[0] == 0
    assert gone.encode() not in path.read_bytes() and other.encode() in path.read_bytes()


def test_a_file_in_use_is_cleaned_later_and_this_is_reported(course: Course):
    path = course.root / "gradebook.db"
    if not path.exists():
        pytest.skip("a server cleans its files itself")
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)

    def beside_a_reader(gradebook: Gradebook) -> bool:
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM grade").fetchone()
            return clear_free_pages(gradebook)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("syncpoint.upkeep.forget.clear_free_pages", beside_a_reader)
        status, printed = forget(course, gone, "--yes")
    assert status == 0 and '`sqlite3 gradebook.db "VACUUM"`' in printed


def test_every_copy_of_the_gradebook_and_every_export_is_named(course: Course, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "theirs.db").touch()
    (course.root / "linked").symlink_to(tmp_path / "elsewhere")  # no way out of the course
    with open_gradebook(course) as gradebook:
        gone, other = two_of(gradebook)
    (course.root / "backups" / "20261123T033000Z").mkdir(parents=True)
    copies = ["backups/20261123T033000Z/gradebook.db", "gradebook-before.db", "gradebook.db.2026-10-01"]
    for name in (*copies, "before.csv", "all.zip", f"submitted/{other}/async/data.db"):
        (course.root / name).write_text(gone)
    own = course.root / "gradebook.db"
    if not own.exists():
        own.touch()  # of before the class moved to a server
        copies.append("gradebook.db")
    status, printed = forget(course, gone, "--yes")
    assert status == 0, printed
    assert f"copies of the gradebook with {gone}'s data; remove them: {', '.join(sorted(copies))}.\n" in printed
    assert "remove them or make them again: all.zip, before.csv" in printed


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_without_a_yes_nothing_goes(course: Course, answer: str):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    before = rows(course), files(course)
    status, printed = forget(course, gone, answer=answer)
    assert status == 1 and f"Data of {gone}:" in printed
    assert (rows(course), files(course)) == before


def test_a_yes_is_enough(course: Course):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    assert forget(course, gone, answer="y\n")[0] == 0
    assert gone not in repr(rows(course))


def test_somebody_unknown_is_named_and_perhaps_meant(course: Course):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    status, printed = forget(course, gone + "x", "--yes")
    assert status == 1 and f"did you mean '{gone}'?" in printed


@pytest.mark.parametrize("name", ["", ".", "..", "../submitted", ".runs", "a/b"])
def test_a_name_that_is_no_folder_removes_no_folder(course: Course, name: str):
    with open_gradebook(course) as gradebook, one_transaction(gradebook) as session:
        session.add(nameless())
    before = rows(course), files(course)
    status, printed = forget(course, name, "--yes")
    assert status == 1 and ("there is no data of" if name else "the id is empty") in printed
    assert (rows(course), files(course)) == before


def test_a_link_goes_and_what_is_behind_it_stays(course: Course, tmp_path: Path):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    other_place = tmp_path / "elsewhere"
    shutil.move(course.root / "submitted" / gone, other_place)
    (course.root / "submitted" / gone).symlink_to(other_place)
    assert forget(course, gone, "--yes")[0] == 0
    assert not (course.root / "submitted" / gone).is_symlink() and (other_place / "async" / "work.ipynb").exists()


def test_work_that_is_being_graded_is_not_removed(course: Course):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    claims = Claims(course.root / "autograded")
    assert claims.take_if_alone(f"{gone}/async")
    before = rows(course), files(course)
    status, printed = forget(course, gone, "--yes")
    claims.close()
    assert status == 1 and "is being graded now, so nothing was removed" in printed
    assert (rows(course), files(course)) == before


def test_what_a_run_wrote_while_the_command_asked_is_removed_as_well(course: Course):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
        kept = course.root / ".syncpoint" / "tries" / gone
        shutil.rmtree(kept)
        traces = find(course, gradebook, gone)
        (kept / "0.async").mkdir(parents=True)
        (kept / "0.async.tar.xz").write_text(gone)
        forget_now(course, gradebook, traces, "")
    assert not kept.exists()


@pytest.mark.parametrize("step", ["_remove", "prune"])
def test_what_was_cut_off_is_taken_up_by_the_same_command(course: Course, step: str):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
    before = rows(course)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"syncpoint.upkeep.forget.{step}", lambda *_, **__: 1 / 0)
        assert forget(course, gone, "--yes")[0] == 1
    assert rows(course) == before
    assert forget(course, gone, "--yes")[0] == 0
    assert gone not in repr(rows(course)) and not [path for path in files(course) if gone in path]


@on_both
def test_who_may_not_change_the_log_removes_no_file_either(course: Course):
    with open_gradebook(course) as gradebook:
        gone, _ = two_of(gradebook)
        if gradebook.engine.dialect.name == "sqlite":
            pytest.skip("who may write a file may do all to it")
        with gradebook.engine.begin() as connection:
            for line in ("CREATE ROLE someone LOGIN", "GRANT ALL ON ALL TABLES IN SCHEMA public TO someone"):
                connection.exec_driver_sql(line)
            connection.exec_driver_sql("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO someone")
        url = str(gradebook.engine.url).replace("syncpoint@", "someone@")
    before = rows(course), files(course)
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.CourseDirectory.db_url = {url!r}\n")
    status, printed = forget(course, gone, "--yes")
    assert status == 1 and "must be owner of" in printed
    assert (rows(course), files(course)) == before


@pytest.mark.exhaustive
@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_results_of_all_that_the_student_handed_in_go_and_those_of_others_stay(released: SmallCourse, tmp_path: Path):
    course = released.copy(tmp_path / "small")
    own = "def double(x):\n    return x + x  # {}"
    course.submit("ada", course.solved(double=own.format("first")))
    course.submit("bob", course.solved())
    grade(course)
    course.submit("ada", course.solved(double=own.format("second")))
    assert grade(course) == {"ada": "graded", "bob": "unchanged"}
    assert len(stored(course)) == 3
    assert forget(Course(course.root), "ada", "--yes")[0] == 0
    assert len(stored(course)) == 1
    assert course.scores() == {"bob": (4.0, 2.0)}
    assert grade(course) == {"bob": "unchanged"}
