"""Verdicts in the gradebook's database: complete, next to nbgrader's tables, and consistent with the scores."""

import json
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from classroom import BIN
from generated_class import Size, generate
from nbgrader.api import Gradebook
from results import result_of
from sqlalchemy import create_engine, func, inspect, select, text
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.core.language import Language, speaking
from syncpoint.core.messages import Message, message, words
from syncpoint.core.results import Cost, ExerciseResult, Incident, NotebookResult, SuspiciousAct, TestResult, Versions
from syncpoint.records.database import MIGRATIONS, VERSION_TABLE, newest, one_transaction, revision, upgrade
from syncpoint.records.errors import GradebookError
from syncpoint.records.forget import sweep
from syncpoint.records.read_results import notebook_result
from syncpoint.records.save_verdicts import save_verdicts
from syncpoint.records.tables import (
    ActRecord,
    Base,
    IncidentRecord,
    NotebookRecord,
    OutcomeRecord,
    TitleRecord,
    TryRecord,
    VerdictRecord,
)
from syncpoint.records.tries import Try, save_tries

JUDGED = NotebookResult(
    Versions("mxnet 1.9.1", "0123456789ab"),
    (
        ExerciseResult(
            "test_x",
            4.0,
            (
                result_of("test_a", "A title", "", 1.0, True, "", "", 0.25, core=True),
                result_of("test_b", "Another", "a hint", 3.0, False, "was seen", "detail", 0.5, "waits-inside"),
            ),
            (message("a note of {count}", count=2),),
        ),
    ),
    (Incident("timeout", Message.of("timeout", who=Message.of("cell", number=3), seconds=30.0)),),
    (SuspiciousAct("transformer", words("Cell 2 installed an AST transformer.")),),
    Cost(1.0, 2.0, 0.5, 4.0, 300.0),
)

STORED = {
    TestResult: OutcomeRecord,
    ExerciseResult: VerdictRecord,
    Incident: IncidentRecord,
    SuspiciousAct: ActRecord,
    Cost: NotebookRecord,
    Versions: NotebookRecord,
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook as nbgrader makes it."""
    path = tmp_path_factory.mktemp("empty") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(BIN), prepend=os.pathsep)  # nbgrader calls alembic as a program
        Gradebook(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def url(empty: Path, tmp_path: Path) -> str:
    """The address of a gradebook of nbgrader's, without tables of ours."""
    return f"sqlite:///{shutil.copy(empty, tmp_path)}"


@pytest.fixture
def gradebook(url: str):
    """A gradebook with a submission of ada's, and our tables."""
    with Gradebook(url) as gradebook:
        gradebook.add_assignment("async")
        gradebook.add_student("ada")
        gradebook.add_submission("async", "ada")
        upgrade(gradebook.engine)
        yield gradebook


def stored(gradebook: Gradebook) -> list[NotebookRecord]:
    return list(gradebook.db.scalars(select(NotebookRecord)))


def test_everything_comes_back(gradebook: Gradebook):
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
    gradebook.db.commit()
    assert [notebook_result(record) for record in stored(gradebook)] == [JUDGED]


def test_the_texts_of_a_try_are_compressed(gradebook: Gradebook):
    parts = {"work/test_a": (1.0, 2.0, "def f():\n    return 'ß \ud800'\n" * 100)}
    wanted = {name: list(part) for name, part in parts.items()}
    save_tries(gradebook.db(), "async", [Try("ada", "0", None, "", {}, parts, True)])
    gradebook.db.commit()
    kept = gradebook.db.execute(text("SELECT exercises FROM syncpoint_tries")).scalar_one()
    assert len(kept) < len(json.dumps(wanted)) / 10
    assert gradebook.db.scalars(select(TryRecord)).one().exercises == wanted


def test_only_a_failed_test_keeps_its_hint(gradebook: Gradebook):
    tests = [result_of(f"test_{passed}", "Title", "a hint", 1.0, passed, "", "", 0.5, "") for passed in (True, False)]
    result = replace(JUDGED, exercises=(replace(JUDGED.exercises[0], tests=tuple(tests)),))
    save_verdicts(gradebook.db(), "async", [("ada", "work", result, None)])
    gradebook.db.commit()
    assert list(gradebook.db.scalars(select(OutcomeRecord.hint).order_by(OutcomeRecord.id))) == ["", "a hint"]


def test_what_is_kept_is_shown_in_any_language(gradebook: Gradebook):
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
    (incident,) = notebook_result(stored(gradebook)[0]).incidents
    with speaking(Language("de", texts={"timeout": "{who:capital}: {seconds:.0f} s", "cell": "Zelle {number}"})):
        assert str(incident.message) == "Zelle 3: 30 s"


@pytest.mark.parametrize("sentence", ["A cell was missing.", '{"code": 3}', "[1]", "{"])
def test_a_sentence_that_was_written_as_plain_text_is_read_as_it_is(gradebook: Gradebook, sentence: str):
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
    gradebook.db.execute(text("UPDATE syncpoint_incidents SET message = :sentence"), {"sentence": sentence})
    gradebook.db.commit()
    (incident,) = notebook_result(stored(gradebook)[0]).incidents
    assert str(incident.message) == sentence


def test_all_that_a_result_holds_has_a_column():
    # What is not of the name of its field stands in save_verdicts.py and read.py; a timeline is drawn from the kept
    # result, and so are the sentences below cells.
    others = {TestResult: {"timeline", "words"}, ExerciseResult: {"name", "tests"}, Incident: {"cell"}}
    for kind, table in STORED.items():
        names = {field.name for field in fields(kind)} - others.get(kind, set())
        missing = names - set(inspect(table).column_attrs.keys())
        assert missing == set(), f"{table.__name__} in records/tables.py has no such column of {kind.__name__}"


def test_a_second_grading_replaces_the_first(gradebook: Gradebook):
    for _ in range(2):
        save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
        gradebook.db.commit()
    assert len(stored(gradebook)) == 1
    assert gradebook.db.scalar(select(func.count()).select_from(OutcomeRecord)) == 2


def test_a_title_is_stored_once_for_all_submissions(gradebook: Gradebook):
    for student in ("ada", "bob"):
        save_verdicts(gradebook.db(), "async", [(student, "work", JUDGED, None)])
    titles = gradebook.db.scalars(select(TitleRecord.text)).all()
    wanted = [test.title for test in JUDGED.exercises[0].tests]
    assert sorted(titles) == sorted(set(wanted))
    assert [row.title for row in gradebook.db.scalars(select(OutcomeRecord).order_by(OutcomeRecord.id))] == wanted * 2


def test_a_notebook_that_was_not_run_has_no_cost(gradebook: Gradebook):
    refused = NotebookResult(JUDGED.versions, (), (Incident("refused", words("is no notebook")),))
    save_verdicts(gradebook.db(), "async", [("ada", "work", refused, None)])
    assert [notebook_result(record) for record in stored(gradebook)] == [refused]


def test_text_that_a_database_refuses_is_mended(gradebook: Gradebook):
    odd = NotebookResult(JUDGED.versions, (), (Incident("raised", words("nul \0 and half a pair \ud800")),))
    save_verdicts(gradebook.db(), "async", [("ada", "work", odd, None)])
    gradebook.db.commit()
    assert [str(i.message) for i in notebook_result(stored(gradebook)[0]).incidents] == [
        "nul \N{REPLACEMENT CHARACTER} and half a pair \N{REPLACEMENT CHARACTER}"
    ]


def test_scores_and_verdicts_are_written_together_or_not_at_all(gradebook: Gradebook):
    with pytest.raises(ZeroDivisionError), one_transaction(gradebook) as session:  # noqa: PT012
        gradebook.add_student("bob")  # nbgrader commits here
        save_verdicts(session, "async", [("ada", "work", JUDGED, None)])
        raise ZeroDivisionError
    gradebook.db.remove()
    gradebook.db.configure(bind=gradebook.engine)
    assert ([student.id for student in gradebook.students], stored(gradebook)) == (["ada"], [])


def test_what_nbgrader_commits_is_written_at_the_end(gradebook: Gradebook):
    with one_transaction(gradebook) as session:
        gradebook.add_student("bob")
        save_verdicts(session, "async", [("ada", "work", JUDGED, None)])
        with create_engine(gradebook.engine.url).connect() as other:
            assert other.scalar(text("SELECT count(*) FROM student")) == 1
    with create_engine(gradebook.engine.url).connect() as other:
        assert other.scalar(text("SELECT count(*) FROM student")) == 2
        assert other.scalar(select(func.count()).select_from(NotebookRecord)) == 1


def test_records_of_a_removed_submission_are_swept_away(gradebook: Gradebook):
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
    save_verdicts(gradebook.db(), "async", [("bob", "work", JUDGED, None)])
    sweep(gradebook)
    assert [record.student for record in stored(gradebook)] == ["ada"]
    assert gradebook.db.scalar(select(func.count()).select_from(OutcomeRecord)) == 2


def test_the_migrations_make_the_tables_that_the_code_knows(url: str):
    with Gradebook(url) as gradebook:
        with sqlite3.connect(gradebook.engine.url.database) as older:  # as the first version made them
            older.executescript((Path(__file__).parent / "tables_0001.sql").read_text())
        upgrade(gradebook.engine)
        with gradebook.engine.connect() as connection:
            ours = MigrationContext.configure(
                connection,
                opts={
                    "version_table": VERSION_TABLE,
                    "include_name": lambda name, kind, _: kind != "table" or name.startswith("syncpoint_"),
                },
            )
            differ = compare_metadata(ours, Base.metadata)
            assert revision(connection, VERSION_TABLE) == newest()
    assert differ == [], "records/migrations/versions/ lacks a migration for what records/tables.py says"


def test_the_key_of_a_result_is_kept(gradebook: Gradebook):
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, "0" * 64)])
    assert [record.result_key for record in stored(gradebook)] == ["0" * 64]


def test_the_tables_of_nbgrader_stay_as_they_are(url: str):
    with Gradebook(url) as gradebook:
        before = schema(gradebook)
        upgrade(gradebook.engine)
        after = schema(gradebook)
    assert {name: sql for name, sql in after.items() if not name.startswith(("syncpoint_", "ix_syncpoint_"))} == before


def schema(gradebook: Gradebook) -> dict[str, str]:
    with gradebook.engine.connect() as connection:
        rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        return {row.name: row.sql for row in rows}


def test_several_may_make_the_tables_at_once(url: str):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: upgrade(create_engine(url)), range(8)))
    assert set(Base.metadata.tables) < set(inspect(create_engine(url)).get_table_names())


def test_tables_of_a_newer_version_are_left_alone(gradebook: Gradebook):
    with gradebook.engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(GradebookError, match="update Syncpoint"):
        upgrade(gradebook.engine)


@pytest.mark.parametrize("command", ["why", "dashboard"])
def test_a_command_says_in_one_line_that_the_tables_are_newer(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(generate(tmp_path / "course", Size(1)))
    with create_engine("sqlite:///gradebook.db").begin() as connection:
        student = connection.scalar(select(NotebookRecord.student))
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    done = CliRunner().invoke(app, {"why": ["why", student, "async"], "dashboard": ["dashboard"]}[command])
    assert (done.exit_code, done.stderr) == (
        1,
        "syncpoint: the gradebook was written by a newer Syncpoint (tables 9999): update Syncpoint.\n",
    )


def test_the_newest_revision_is_that_of_alembic():
    assert newest() == ScriptDirectory(str(MIGRATIONS)).get_current_head()
