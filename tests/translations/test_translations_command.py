"""`syncpoint translations`: starts a language, updates it from the sources, and reports what is missing."""

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
    assert done.stdout == "Nothing has changed: each catalogue is up to date.\n"
    done = CliRunner().invoke(app, ["translations", "check"])
    assert done.exit_code == 0 and re.fullmatch(r"es  async: \d+ messages to go\n", done.stdout), done.output


def test_a_language_that_is_there_gets_an_assignment_by_name(course: SmallCourse):
    extract = CliRunner().invoke(app, ["translations", "extract", "--language", "es", "--catalogue", "report"])
    assert extract.stdout == "changed  locale/es/report.po\n"
    assert "Nothing has changed" in CliRunner().invoke(app, ["translations", "extract"]).stdout
    begun = CliRunner().invoke(app, ["translations", "extract", "--catalogue", "async"])
    assert begun.stdout == "changed  locale/es/async.po\n"
    wrong = CliRunner().invoke(app, ["translations", "extract", "--catalogue", "asink"])
    assert wrong.exit_code == 1 and "there is no catalogue asink: choose one of" in wrong.stderr


def test_a_reworded_text_keeps_its_translation(course: SmallCourse):
    assert CliRunner().invoke(app, ["translations", "extract", "--language", "es"]).exit_code == 0
    path = course.root / "locale" / "es" / "report.po"
    old, text = "the kernel was killed", path.read_text()
    assert f'msgid "{old}"\nmsgstr ""' in text
    path.write_text(text.replace(f'msgid "{old}"\nmsgstr ""', f'msgid "{old}"\nmsgstr "muerto"'))
    done = CliRunner().invoke(app, ["translations", "reword", old, "somebody killed the kernel"])
    assert (done.exit_code, done.stdout) == (0, "changed  locale/es/report.po\n")
    after = path.read_text()
    assert 'msgctxt "killed"\nmsgid "somebody killed the kernel"\nmsgstr "muerto"' in after
    assert f'msgid "{old}"' not in after
    done = CliRunner().invoke(app, ["translations", "reword", old, "again"])
    assert done.exit_code == 1 and "no catalogue has this text" in done.stderr
