"""The parts of recovery one by one: what counts as unfinished, whose folder it is, what people read."""

import errno
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from sqlalchemy.exc import OperationalError

from syncpoint.core.messages import Message
from syncpoint.judge.bounds import Fault
from syncpoint.judge.errors import DeadKernelError
from syncpoint.nbgrader_hooks.failures import FriendlyErrors, explain, stopped
from syncpoint.nbgrader_hooks.locks import Claims
from syncpoint.nbgrader_hooks.recovery import remove_unfinished
from syncpoint.nbgrader_hooks.timestamps import LinkedFolder, OddName, Submissions
from syncpoint.sandbox.folder import PrivateFolder, marker_of, sweep_folders
from syncpoint.sandbox.signals import held_back
from syncpoint.sandbox.spec import SandboxUnavailable

JUDGED, NOT_YET = json.dumps({"metadata": {}}), json.dumps({"metadata": {"syncpoint": {"notes": []}}})


# --- unfinished work ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "recorded", "unfinished"),
    [
        ({"a": JUDGED, "b": JUDGED}, "ab", False),
        ({"a": JUDGED, "b": NOT_YET}, "ab", True),
        ({"a": JUDGED, "b": JUDGED[:9]}, "ab", True),
        ({"a": JUDGED, "b": ""}, "ab", True),
        ({"a": JUDGED}, "ab", True),
        ({}, "ab", True),
        ({"a": JUDGED, "b": JUDGED}, "a", True),
        *(({"a": JUDGED, "b": odd}, "ab", True) for odd in ("{}", "[]", "5", '{"metadata": 5}', "[" * 10**5)),
    ],
    ids=[
        *("whole", "not judged yet", "torn", "empty", "one missing", "nothing", "no verdicts"),
        *("no metadata", "a list", "a number", "odd metadata", "deep"),
    ],
)
def test_a_submission_is_finished_when_every_notebook_is_judged_and_recorded(
    tmp_path: Path, files: dict[str, str], recorded: str, unfinished: bool
):
    folder = tmp_path / "async"
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.ipynb").write_text(text)
    assert remove_unfinished(folder, "ab", recorded, whole=True) == unfinished
    assert folder.exists() != unfinished


def test_of_one_notebook_alone_nothing_else_is_removed(tmp_path: Path):
    for name in "ab":
        (tmp_path / f"{name}.ipynb").write_text(NOT_YET)
    assert remove_unfinished(tmp_path, "a", "ab", whole=False)
    assert [path.name for path in tmp_path.iterdir()] == ["b.ipynb"]


@pytest.mark.parametrize("whole", [True, False])
def test_a_folder_or_a_link_in_the_place_of_a_notebook_is_removed(tmp_path: Path, whole: bool):
    folder = tmp_path / "async"
    (folder / "a.ipynb" / "inside").mkdir(parents=True)
    (folder / "b.ipynb").symlink_to("/nowhere")
    assert remove_unfinished(folder, "ab", "ab", whole)
    assert (folder.exists(), list(folder.glob("*"))) == (not whole, [])


def test_a_file_in_the_place_of_a_submission_is_removed(tmp_path: Path):
    (tmp_path / "async").touch()
    assert remove_unfinished(tmp_path / "async", "ab", "ab", whole=True)
    assert not (tmp_path / "async").exists()


def test_what_another_run_is_at_is_left_alone_until_that_run_ends(tmp_path: Path):
    hold = (
        "from pathlib import Path; from syncpoint.nbgrader_hooks.locks import Claims; "
        f"claims = Claims(Path({str(tmp_path)!r})); claims.take('ada/async'); print(); input()"
    )
    claims = Claims(tmp_path)
    with subprocess.Popen([sys.executable, "-c", hold], stdin=-1, stdout=-1) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert (claims.take_if_alone("ada/async"), claims.take_if_alone("bob/async")) == (False, True)
        other.kill()
        claims.take("ada/async")
    assert claims.take_if_alone("ada/async")


def test_claims_outlive_those_of_an_earlier_run_in_the_same_process(tmp_path: Path):
    earlier, claims, other = Claims(tmp_path), Claims(tmp_path), Claims(tmp_path)
    assert claims.take_if_alone("ada/async")
    earlier.close()
    assert not other.take_if_alone("ada/async")
    claims.close()
    assert other.take_if_alone("ada/async")


# --- folders of judges that are no more ---------------------------------------------------------------------------


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of this test's own."""
    with tempfile.TemporaryDirectory(prefix="sweep-", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_a_folder_in_use_stays(temporary: Path):
    folder = PrivateFolder()
    sweep_folders()
    assert folder.path.is_dir()
    folder.remove()
    assert list(temporary.iterdir()) == []


def test_a_folder_without_a_judge_goes_with_its_processes(temporary: Path):
    left = temporary / "sp-left"
    left.mkdir()
    (left / "grader_tests").mkdir()
    waits = "print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", waits, marker_of(left)], stdin=-1, stdout=-1) as kernel:
        assert kernel.stdout is not None
        kernel.stdout.readline()  # a process that has only just been made shows no command line yet
        sweep_folders()
        assert (left.exists(), psutil.pid_exists(kernel.pid)) == (False, False)


def test_a_folder_of_somebody_elses_stays(temporary: Path):
    (temporary / "sp-notes").mkdir()
    (temporary / "sp-notes" / "thesis.tex").touch()
    sweep_folders()
    assert (temporary / "sp-notes" / "thesis.tex").exists()


def test_the_lock_of_a_folder_ends_with_its_judge(temporary: Path):
    make = "from syncpoint.sandbox.folder import PrivateFolder; p = PrivateFolder(); print(p.path, flush=True); input()"
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, "-c", make], stdin=-1, stdout=-1, text=True, env=environment) as judge:
        assert judge.stdout is not None
        path = Path(judge.stdout.readline().strip())
        sweep_folders()
        assert path.is_dir()
        judge.kill()
    sweep_folders()
    assert not path.exists()


def test_signals_take_effect_after_the_block():
    reached = []
    with pytest.raises(KeyboardInterrupt), held_back():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        reached.append("the end")
    assert reached == ["the end"]


# --- what people read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (OSError(errno.ENOSPC, "no", "/x/work.ipynb"), "there is no room left on the disk (/x/work.ipynb)"),
        (OSError(errno.EROFS, "no", "/x"), "the file system is read only (/x)"),
        (PermissionError(errno.EACCES, "no", "/x"), "this user may not read or write there (/x)"),
        (OperationalError("", {}, sqlite3.OperationalError("database is locked")), "kept the gradebook for itself"),
        (OperationalError("", {}, sqlite3.OperationalError("database or disk is full")), "no room left on the disk of"),
        (DeadKernelError(Fault("killed", Message("killed"))), "the kernel was killed, before any line"),
        (SandboxUnavailable("no folder can be made."), "no folder can be made."),
        (OddName(Path("a\nb")), "'a\\nb' has a line break"),
        (LinkedFolder(Path("eve/async")), "eve/async is a link to another folder"),
        (IsADirectoryError(errno.EISDIR, "no", "/x"), "a folder stands where a file should be (/x)"),
    ],
    ids=str,
)
def test_a_trouble_of_the_machine_is_one_sentence_and_what_to_do(problem: Exception, words: str):
    sentence = explain(problem)
    assert sentence.startswith("Not graded: ")
    assert words in sentence and "run the same command again" in sentence


@pytest.mark.parametrize(
    ("problem", "student", "words"),
    [
        (KeyboardInterrupt("SIGTERM"), "k2", "Stopped by SIGTERM while grading k2; nothing is lost: "),
        (KeyboardInterrupt(), "", "Stopped by Ctrl-C before anybody was graded; nothing is lost: "),
    ],
)
def test_a_run_that_was_stopped_says_by_what_and_where(problem: KeyboardInterrupt, student: str, words: str):
    assert stopped(problem, student).startswith(words)


def record(message: str) -> logging.LogRecord:
    """An error that nbgrader logs."""
    return logging.LogRecord("nbgrader", logging.ERROR, "", 0, message, (), None)


def test_advice_to_see_the_traceback_stays_only_where_there_is_one():
    plainly, advice = FriendlyErrors(), record("Please see the the above traceback for details")
    for trouble, shown in ((OSError(errno.ENOSPC, "no", "/x"), False), (ValueError("x"), True)):
        try:
            raise trouble
        except (OSError, ValueError):
            assert plainly.filter(record("Traceback (most recent call last): ..."))
        assert plainly.filter(advice) == shown


@pytest.mark.parametrize("problem", [ValueError("x"), KeyError("x"), FileNotFoundError(errno.ENOENT, "no", "/x")])
def test_a_mistake_of_ours_keeps_its_traceback(problem: Exception):
    assert explain(problem) == ""


@pytest.mark.parametrize(
    "text", ["yesterday", "\0", "2026-13-45 00:00:00 UTC", "1" * 300, "99999999999999", "2026-01-02 03:04:05 CEST"]
)
def test_a_time_stamp_that_holds_no_time_is_none(tmp_path: Path, text: str):
    (tmp_path / "timestamp.txt").write_text(text)
    assert Submissions(root=str(tmp_path)).get_existing_timestamp(str(tmp_path)) is None


def test_an_offset_in_a_time_stamp_is_hours_and_not_seconds(tmp_path: Path):
    (tmp_path / "timestamp.txt").write_text("2026-01-02 03:04:05 +0100")
    assert str(Submissions(root=str(tmp_path)).get_existing_timestamp(str(tmp_path))) == "2026-01-02 02:04:05"


def test_a_time_stamp_is_read(tmp_path: Path):
    (tmp_path / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC\n")
    assert str(Submissions(root=str(tmp_path)).get_existing_timestamp(str(tmp_path))) == "2026-01-02 03:04:05"
