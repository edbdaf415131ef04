"""The parts of recovery one by one: owners of submissions and folders, and messages for people."""

import errno
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
from syncpoint.course.submission_folder import LinkedFolder, OddName, time_of, why_no_time
from syncpoint.course.times import WITHOUT_ZONE
from syncpoint.grading.claims import Claims
from syncpoint.grading.failures import explain, stopped
from syncpoint.judge.faults import Fault
from syncpoint.judge.kernel import DeadKernelError
from syncpoint.sandbox.folder import PrivateFolder, marker_of, sweep_folders
from syncpoint.sandbox.signals import held_back
from syncpoint.sandbox.spec import SandboxUnavailable

# --- whose submission it is ----------------------------------------------------------------------------------------


def test_what_another_run_is_at_is_left_alone_until_that_run_ends(tmp_path: Path):
    hold = (
        "from pathlib import Path; from syncpoint.grading.claims import Claims; "
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
        (OperationalError("", {}, sqlite3.OperationalError("database is locked")), "has locked the gradebook"),
        (OperationalError("", {}, sqlite3.OperationalError("database or disk is full")), "no room left on the disk of"),
        (DeadKernelError(Fault("killed", Message("killed"))), "the kernel was killed, before any of the"),
        (SandboxUnavailable("no folder can be made."), "no folder can be made."),
        (OddName(Path("a\nb")), "'a\\nb' has a line break"),
        (LinkedFolder(Path("eve/async")), "eve/async is a link to another folder"),
        (IsADirectoryError(errno.EISDIR, "no", "/x"), "there is a folder where a file should be (/x)"),
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
        (KeyboardInterrupt("SIGTERM"), "k2", "Stopped by SIGTERM after grading k2; nothing is lost: "),
        (KeyboardInterrupt(), "", "Stopped by Ctrl-C before anybody was graded; nothing is lost: "),
    ],
)
def test_a_run_that_was_stopped_says_by_what_and_where(problem: KeyboardInterrupt, student: str, words: str):
    assert stopped(problem, student).startswith(words)


@pytest.mark.parametrize("problem", [ValueError("x"), KeyError("x"), FileNotFoundError(errno.ENOENT, "no", "/x")])
def test_a_mistake_of_ours_is_no_trouble_of_the_machine(problem: Exception):
    assert explain(problem) == ""


@pytest.mark.parametrize(
    "text", ["yesterday", "\0", "2026-13-45 00:00:00 UTC", "1" * 300, "99999999999999", "2026-01-02 03:04:05 CEST"]
)
def test_an_invalid_time_stamp_counts_as_missing(tmp_path: Path, text: str):
    (tmp_path / "timestamp.txt").write_text(text)
    assert why_no_time(tmp_path, WITHOUT_ZONE)


def test_an_offset_in_a_time_stamp_is_hours_and_not_seconds(tmp_path: Path):
    (tmp_path / "timestamp.txt").write_text("2026-01-02 03:04:05 +0100")
    assert str(time_of(tmp_path, WITHOUT_ZONE)) == "2026-01-02 02:04:05"


def test_a_time_stamp_is_read(tmp_path: Path):
    (tmp_path / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC\n")
    assert str(time_of(tmp_path, WITHOUT_ZONE)) == "2026-01-02 03:04:05"
