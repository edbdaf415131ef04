"""`syncpoint translations`: a language is begun and brought up to its sources, and what is missing is said."""

import re
from pathlib import Path

import pytest
from classroom import SmallCourse
from typer.testing import CliRunner

from syncpoint.cli import app


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """The small course, in no language but English; commands are typed in its folder."""
    course = SmallCourse.make(tmp_path / "course")
    monkeypatch.chdir(course.root)
    return course


def test_a_language_is_begun_with_all_its_catalogues(course: SmallCourse):
    done = CliRunner().invoke(app, ["translations", "extract", "--language", "es"])
    assert done.exit_code == 0, done.output
    made = sorted(path.name for path in (course.root / "locale" / "es").iterdir())
    assert sorted(done.stdout.splitlines()) == [f"changed  locale/es/{name}" for name in made]
    assert {"async.po", "report.po"} <= set(made)
    done = CliRunner().invoke(app, ["translations", "extract"])
    assert done.stdout == "Nothing has changed: each catalogue is of the sources as they are.\n"
    done = CliRunner().invoke(app, ["translations", "check"])
    assert done.exit_code == 0 and re.fullmatch(r"es  async: \d+ messages to go\n", done.stdout), done.output


def test_a_language_that_is_there_gets_an_assignment_by_name(course: SmallCourse):
    extract = CliRunner().invoke(app, ["translations", "extract", "--language", "es", "--catalogue", "report"])
    assert extract.stdout == "changed  locale/es/report.po\n"
    assert "Nothing has changed" in CliRunner().invoke(app, ["translations", "extract"]).stdout
    begun = CliRunner().invoke(app, ["translations", "extract", "--catalogue", "async"])
    assert begun.stdout == "changed  locale/es/async.po\n"
    wrong = CliRunner().invoke(app, ["translations", "extract", "--catalogue", "asink"])
    assert wrong.exit_code == 1 and "there is no catalogue asink; there are" in wrong.stderr
