"""`syncpoint vet solutions --language`: in the notebooks of another language solutions come out the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from classroom import ROOT
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.translations.localize import course_in

SYNCPOINT = Path(sys.executable).parent / "syncpoint"
READS_CHINESE = """\
assert "等待" in open(pictures.__file__, encoding="utf-8").read()
assert any("引擎" in cell or "给你的作业评分时" in cell for cell in In)


def queue_work(x):
    return nd.dot(x, x).sum()
"""
WAITS = "def queue_work(x):\n    y = nd.dot(x, x).sum()\n    y.wait_to_read()\n    return y\n"


def test_the_copy_has_every_source_in_the_language_and_goes_in_the_end():
    with course_in(Course(ROOT), "pt_BR") as course:
        assert course.assignments() == Course(ROOT).assignments()
        for assignment in course.assignments():
            for notebook in set(course.source(assignment).exercises().values()):
                assert course.source(assignment).notebook(notebook).metadata["syncpoint_language"] == "pt_BR"
            assert course.source(assignment).exercises() == Course(ROOT).source(assignment).exercises()
    assert not course.root.exists()


@pytest.mark.parametrize("language", ["", "en"])
def test_the_language_of_the_source_needs_no_copy(language: str):
    with course_in(Course(ROOT), language) as course:
        assert course == Course(ROOT)


@pytest.mark.exhaustive
def test_solutions_are_judged_in_the_notebook_of_the_language(tmp_path: Path):
    bank, found = tmp_path / "bank" / "async" / "queue_work", tmp_path / "found.json"
    bank.mkdir(parents=True)
    (bank / "01_ok_reads.py").write_text(READS_CHINESE, encoding="utf-8")
    (bank / "11_bad_waits.py").write_text(WAITS, encoding="utf-8")
    command = [SYNCPOINT, "vet", "solutions", "--bank", tmp_path / "bank", "--language", "zh_CN", "--json", found]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    trials = {trial["solution"]: trial["complaint"] for trial in json.loads(found.read_text())["trials"]}
    assert trials == {"async/queue_work/01_ok_reads": "", "async/queue_work/11_bad_waits": ""}


@pytest.mark.parametrize(
    ("options", "output"),
    [
        (["--language", "xx"], "the course has no catalogues in xx: choose one of en, pt_BR, zh_CN."),
        (["--language", "zh_CN", "--journal", "kept.jsonl"], "--journal is only for the source notebooks"),
    ],
)
def test_what_cannot_be_done_is_said(options: list[str], output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    done = CliRunner().invoke(app, ["vet", "solutions", *options, "--course", str(ROOT)])
    assert done.exit_code != 0 and output in done.stderr
    assert list(tmp_path.iterdir()) == []
