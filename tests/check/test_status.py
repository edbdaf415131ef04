"""``%syncpoint status``: a student sees the status of their own submission and nothing else."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from classroom import BIN, ROOT

from syncpoint.check.magic import print_or_show
from syncpoint.check.status import SECRET, Exchange, note_name, status
from syncpoint.check.visible_tests import Visible
from syncpoint.core.language import speaking
from syncpoint.core.messages import Message, to_data
from syncpoint.course.folder import Course
from syncpoint.translations.catalogue import spoken

CONFIG = """c = get_config()
c.Exchange.root = {root!r}
c.Exchange.cache = {cache!r}
c.CourseDirectory.course_id = "autumn"
"""


@pytest.fixture
def exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Exchange:
    """An exchange that nbgrader's configuration names, as on a hub."""
    found = Exchange(tmp_path / "exchange", tmp_path / "cache")
    for name in ("inbound", "outbound/async", "feedback"):
        (found.root / "autumn" / name).mkdir(parents=True)
    (tmp_path / "jupyter").mkdir()
    config = CONFIG.format(root=str(found.root), cache=str(found.cache))
    (tmp_path / "jupyter" / "nbgrader_config.py").write_text(config)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path / "jupyter"))
    monkeypatch.chdir(tmp_path)
    return found


def cached(exchange: Exchange, course: str, time: str, secret: str) -> None:
    folder = exchange.cache / course / f"ada+async+{time}"
    folder.mkdir(parents=True)
    (folder / SECRET).write_text(secret)


def tell(exchange: Exchange, course: str, secret: str, *output: Message, reports: tuple[str, ...] = ()) -> None:
    folder = exchange.root / course / "feedback"
    folder.mkdir(parents=True, exist_ok=True)
    note = json.dumps({"said": list(map(to_data, output)), "reports": reports})
    (folder / note_name(secret, "async")).write_text(note)


@pytest.mark.exhaustive
def test_what_nbgrader_leaves_of_a_hand_in_leads_to_the_note(exchange: Exchange, tmp_path: Path):
    work = tmp_path / "async"
    work.mkdir()
    (work / "work.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    subprocess.run([BIN / "nbgrader", "submit", "async"], cwd=tmp_path, check=True, capture_output=True)
    (folder,) = (exchange.root / "autumn" / "inbound").iterdir()
    tell(exchange, "autumn", (folder / SECRET).read_text(), Message("status_queued", {"place": 3, "all": 7}))
    assert status(work) == ("Your submission is number 3 of 7 in the queue.", [])


def test_the_newest_hand_in_of_this_course_counts(exchange: Exchange):
    cached(exchange, "autumn", "2026-10-01 10:00:00.000000 UTC", "first")
    cached(exchange, "autumn", "2026-10-02 10:00:00.000000 UTC", "second")
    cached(exchange, "spring", "2026-10-03 10:00:00.000000 UTC", "another course")
    tell(exchange, "autumn", "first", Message("status_released"), reports=("<p>old</p>",))
    tell(exchange, "spring", "another course", Message("status_judging"))
    assert status(Path("autumn", "async"))[0].startswith("No status for async")
    tell(exchange, "autumn", "second", Message("status_released"), reports=("<p>new</p>",))
    assert status(Path("autumn", "async"))[1] == ["<p>new</p>"]
    assert status(Path("spring", "async"))[0] == "Your submission is being graded now."


def test_a_time_is_shown_in_local_time(exchange: Exchange):
    cached(exchange, "autumn", "2026-10-01 10:00:00.000000 UTC", "mine")
    at = datetime(2026, 10, 1, 12, 30, tzinfo=UTC)
    tell(exchange, "autumn", "mine", Message("status_graded_at", {"at": at.isoformat()}))
    assert f"it will be graded at {at.astimezone():%Y-%m-%d %H:%M}." in status(Path("async"))[0]


def test_a_student_of_another_language_in_the_roster_reads_that_one(exchange: Exchange):
    cached(exchange, "autumn", "2026-10-01 10:00:00.000000 UTC", "mine")
    known = spoken(Course(ROOT), "pt_BR", "async").only(["status_queued"])
    output = to_data(Message("status_queued", {"place": 3, "all": 7}))
    note = json.dumps({"said": [output], "reports": [], "language": known.to_data()})
    (exchange.root / "autumn" / "feedback" / note_name("mine", "async")).write_text(note)
    assert len(note) < 500  # one sentence, and not the catalogue
    with speaking(spoken(Course(ROOT), "zh_CN", "async")):  # the notebook's
        assert status(Path("async")) == ("Seu trabalho é o número 3 de 7 na fila.", [])
        assert status(Path("hybridize"))[0].startswith("没有")


def test_whatever_is_wrong_here_is_no_traceback(
    exchange: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    cached(exchange, "autumn", "2026-10-01 10:00:00.000000 UTC", "mine")
    (exchange.root / "autumn" / "feedback" / note_name("mine", "async")).write_text("[no note")
    print_or_show(Visible(tmp_path / "async" / "visible"), "status", {})
    (tmp_path / "jupyter" / "nbgrader_config.py").write_text("raise KeyError('JUPYTERHUB_USER')")
    print_or_show(Visible(tmp_path / "async" / "visible"), "status", {})
    assert capsys.readouterr().out.count("No status for async") == 2


def test_who_does_not_know_the_secret_does_not_know_the_name():
    assert note_name("mine", "async") != note_name("other", "async") != note_name("other", "hybridize")
    assert len(note_name("mine", "async")) == 64 + len(".json")
