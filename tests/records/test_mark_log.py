"""The log of marks: it has each change by anyone, and nobody can change the log."""

import csv
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.postgresql import Server
from classroom import SmallCourse
from generated_class import Size, generate
from how_to import commands, shell
from nbgrader.api import Grade, Gradebook
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from syncpoint.exports.mark_log import HEADS, lines, write
from syncpoint.records.database import one_transaction, upgrade
from syncpoint.records.mark_log import acting, read_log, repair_log, unix_user
from syncpoint.records.triggers import installed


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("log") / "course", Size(2)) / "gradebook.db"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=(pytest.mark.slow, pytest.mark.exhaustive))])
def gradebook(request: pytest.FixtureRequest, made: Path, tmp_path: Path) -> Iterator[Gradebook]:
    """A gradebook with two graded students, on both databases."""
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copy(made, tmp_path)}"
    else:
        url = request.getfixturevalue("server").create(request.node.name)
        generate(tmp_path / "course", Size(2), url)
    with Gradebook(url) as gradebook:
        yield gradebook


def some_grade(gradebook: Gradebook) -> Grade:
    return gradebook.db.query(Grade).filter(Grade.auto_score.isnot(None), Grade.manual_score.is_(None)).first()


def reported(gradebook: Gradebook) -> list[tuple[str, str, str, float | None, float | None]]:
    gradebook.db.rollback()
    return [(one.how, one.why, one.mark, one.before, one.after) for one in read_log(gradebook)]


def test_what_formgrader_does_is_noted_with_all_names(gradebook: Gradebook):
    grade = some_grade(gradebook)
    grade.manual_score, grade.extra_credit = 1.5, 0.25  # as its handler does it
    gradebook.db.commit()
    grade.manual_score = None
    gradebook.db.commit()
    expected = [
        ("", "", "manual score", None, 1.5), ("", "", "extra credit", None, 0.25), ("", "", "manual score", 1.5, None),
    ]  # fmt: skip
    assert sorted(reported(gradebook), key=str) == sorted(expected, key=str)
    (first, *_) = read_log(gradebook)
    names = (grade.student.id, grade.assignment.name, grade.notebook.name, grade.name)
    assert (first.student, first.assignment, first.notebook, first.exercise) == names
    assert first.who == ("" if gradebook.engine.dialect.name == "sqlite" else gradebook.engine.url.username)
    assert "by " in next(lines([first]))


def test_who_says_so_is_named_and_the_next_one_is_not(gradebook: Gradebook):
    grade = some_grade(gradebook)
    before = grade.auto_score
    identity = grade.id
    with one_transaction(gradebook) as session, acting(session, "dashboard", "asked again", "grace"):
        session.get(Grade, identity).auto_score = before + 1
    (one,) = read_log(gradebook)
    assert (one.who, one.how, one.why, one.before, one.after) == (
        "grace",
        "dashboard",
        "asked again",
        before,
        before + 1,
    )
    gradebook.db.rollback()
    some = gradebook.db.get(Grade, identity)
    some.auto_score = before
    gradebook.db.commit()
    assert reported(gradebook)[-1] == ("", "", "auto score", before + 1, before)


def test_a_change_that_is_rolled_back_is_not_in_the_log(gradebook: Gradebook):
    identity = some_grade(gradebook).id

    def fail() -> None:
        with one_transaction(gradebook) as session, acting(session, "dashboard"):
            session.get(Grade, identity).manual_score = 3.0
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert reported(gradebook) == []


def test_a_removed_submission_leaves_its_marks_in_the_log(gradebook: Gradebook):
    grade = some_grade(gradebook)
    assignment, student = grade.assignment.name, grade.student.id
    grade.notebook.late_submission_penalty = 0.5
    gradebook.db.commit()
    gradebook.remove_submission(assignment, student)
    _, *gone = read_log(gradebook, assignment, student)
    assert {(one.student, one.notebook, one.after) for one in gone} == {(student, "work", None)}
    assert {("auto score", grade.auto_score), ("late penalty", 0.5)} <= {(one.mark, one.before) for one in gone}


@pytest.mark.parametrize(
    "statement", ["UPDATE syncpoint_mark_changes SET who = 'eve'", "DELETE FROM syncpoint_mark_changes"]
)
def test_the_log_cannot_be_changed(gradebook: Gradebook, statement: str):
    some_grade(gradebook).manual_score = 1.0
    gradebook.db.commit()
    with pytest.raises(DBAPIError, match="the log of marks cannot be changed"), gradebook.engine.begin() as connection:
        connection.execute(text(statement))
    assert len(reported(gradebook)) == 1


@pytest.fixture
def ta(server: Server, tmp_path: Path) -> Iterator[tuple[Gradebook, Gradebook]]:
    """A gradebook as its owner opens it, and as mary does, a TA with the rights that docs/how-to/install.md gives."""
    url = server.create("ta")
    generate(tmp_path / "course", Size(2), url)
    with Gradebook(url) as gradebook:
        upgrade(gradebook.engine)
        done = shell(commands("install.md", "Use PostgreSQL", 1, DATABASE="ta", TA="mary"), **server.variables)
        assert done.returncode == 0, done.stderr
        with Gradebook(url.replace("syncpoint@", "mary@")) as hers:
            yield gradebook, hers


@pytest.mark.slow
def test_a_role_of_a_tas_own_marks_and_cannot_touch_the_log(ta: tuple[Gradebook, Gradebook]):
    gradebook, hers = ta
    grade = some_grade(hers)
    with hers.engine.begin() as connection:  # what stands before our tables where she looks, and who she would be
        for table in ("syncpoint_mark_changes", "syncpoint_actor"):
            connection.execute(text(f"CREATE TEMPORARY TABLE {table} (LIKE public.{table})"))
        connection.execute(text("INSERT INTO syncpoint_actor VALUES (1, 'grace', 'dashboard', '')"))
        connection.execute(text("UPDATE grade SET manual_score = 2.5 WHERE id = :id"), {"id": grade.id})
    grade.manual_score = 1.5  # as formgrader does it
    grade.notebook.flagged = True
    hers.db.execute(text("UPDATE comment SET manual_comment = 'Half of it.'"))
    hers.db.commit()
    noted = [("mary", None, 2.5), ("mary", 2.5, 1.5)]
    assert [(one.who, one.before, one.after) for one in read_log(gradebook)] == noted
    hers.engine.dispose()  # with new connections: her own tables of these names are gone
    upgrade(hers.engine)  # as opening it does
    assert [(one.who, one.before, one.after) for one in read_log(hers)] == noted

    refused = [
        "UPDATE syncpoint_mark_changes SET who = 'eve'",
        "DELETE FROM syncpoint_mark_changes",
        "TRUNCATE syncpoint_mark_changes",
        "INSERT INTO syncpoint_mark_changes SELECT * FROM syncpoint_mark_changes",
        "INSERT INTO syncpoint_actor VALUES (1, 'grace', '', '')",
        "DROP TABLE syncpoint_mark_changes",
        "DROP TRIGGER syncpoint_log_stays ON syncpoint_mark_changes",
        "DROP TRIGGER syncpoint_grade_updated ON grade",
        "ALTER TABLE syncpoint_mark_changes DISABLE TRIGGER syncpoint_log_stays",
        "ALTER TABLE grade DISABLE TRIGGER ALL",
        "DROP FUNCTION syncpoint_grade_updated() CASCADE",
        "CREATE OR REPLACE FUNCTION syncpoint_grade_updated() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN RETURN NULL; END $$",
        "SELECT syncpoint_note('', '', 'manual score', 1, 2)",
        "SET session_replication_role = replica",
    ]
    for statement in refused:
        # With a connection of its own: her own tables of these names are gone.
        hers.db.close()
        hers.engine.dispose()
        with (
            pytest.raises(ProgrammingError, match=r"permission denied|must be owner of"),
            hers.engine.begin() as connection,
        ):
            connection.execute(text(statement))
    assert [(one.who, one.before, one.after) for one in read_log(gradebook)] == noted
    with gradebook.engine.connect() as connection:
        assert installed(connection)


def test_triggers_that_were_taken_away_come_back_and_are_missed(gradebook: Gradebook):
    assert not repair_log(gradebook)
    name = (
        "syncpoint_manual_score_updated"
        if gradebook.engine.dialect.name == "sqlite"
        else "syncpoint_grade_updated ON grade"
    )
    with gradebook.engine.begin() as connection:
        connection.execute(text(f"DROP TRIGGER {name}"))
    assert repair_log(gradebook) and not repair_log(gradebook)
    some_grade(gradebook).manual_score = 1.0
    gradebook.db.commit()
    assert len(reported(gradebook)) == 1


def test_an_excuse_is_noted_and_so_is_that_it_is_taken_back(gradebook: Gradebook):
    from syncpoint.records.accommodations import excuse

    (one, other) = sorted(student.id for student in gradebook.students)
    with one_transaction(gradebook) as session:
        for student, reason in ((one, "was ill"), (other, "moved"), (one, "was ill")):
            excuse(session, student, "async", reason)
            session.flush()
    with one_transaction(gradebook) as session:
        assert excuse(session, one, "async", "") and not excuse(session, "nobody", "async", "")
    noted = [(e.student, e.assignment, e.who, e.how, e.mark, e.why) for e in read_log(gradebook)]
    assert noted == [
        (one, "async", unix_user(), "excuse", "excused", "was ill"),
        (other, "async", unix_user(), "excuse", "excused", "moved"),
        (one, "async", unix_user(), "excuse", "no longer excused", ""),
    ]
    assert f"{one}  async: excused, by {unix_user()} (excuse): was ill" in next(lines(read_log(gradebook)))


def test_the_csv_file_runs_no_formula(gradebook: Gradebook, tmp_path: Path):
    identity = some_grade(gradebook).id
    with one_transaction(gradebook) as session, acting(session, "dashboard", "=HYPERLINK(1)", "grace"):
        session.get(Grade, identity).manual_score = 2.0
    write(tmp_path / "log.csv", read_log(gradebook))
    head, row = csv.reader((tmp_path / "log.csv").read_text().splitlines())
    assert tuple(head) == HEADS and row[1:4] == ["grace", "dashboard", "'=HYPERLINK(1)"] and row[-2:] == ["", "2"]


@pytest.mark.exhaustive
def test_the_log_survives_grading_again_and_tells_of_it(course: SmallCourse):
    course.submit("ada", course.solved())
    course.must_run("nbgrader", "autograde", "async")
    assert course.run("syncpoint", "log").stdout == "No mark was changed.\n"
    with course.gradebook() as gradebook:
        gradebook.find_grade("test_queue_work", "work", "async", "ada").manual_score = 1.0
        gradebook.db.commit()
    course.submit("ada", course.solved(double="def double(x):\n    return x"))
    course.must_run("syncpoint", "grade", "async", "--force")
    done = course.run("syncpoint", "log", "async", "--student", "ada", "--to", "log.csv")
    assert done.stdout == "log.csv: 2 changes.\n", done.stderr
    rows = list(csv.DictReader((course.root / "log.csv").read_text().splitlines()))
    stored = [(row["who"], row["how"], row["exercise"], row["mark"], row["before"], row["after"]) for row in rows]
    assert stored == [
        ("", "", "test_queue_work", "manual score", "", "1"),
        (unix_user(), "grading", "test_double", "auto score", "2", "0"),
    ]


def test_the_unix_user_is_the_systems_word(monkeypatch: pytest.MonkeyPatch):
    for name in ("LOGNAME", "USER", "USERNAME", "LNAME"):
        monkeypatch.setenv(name, "somebody-else")
    assert unix_user() != "somebody-else" and unix_user() and os.getuid() >= 0
