"""`syncpoint vet solutions --journal FILE`: a vetting that is cut off goes on, and counts only trials that hold."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.vet.bank import read_bank
from syncpoint.vet.journal import Journal, key
from syncpoint.vet.trial import Trial

ROOT = Path(__file__).resolve().parents[2]
SYNCPOINT = Path(sys.executable).parent / "syncpoint"
RIGHT = "def queue_work(x):\n    return nd.dot(x, x).sum()\n"
WAITS = "# kills: test_does_not_wait, test_does_not_wait_for_large_matrices\n" + RIGHT.replace(
    "return", "x.wait_to_read()\n    return"
)


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    folder = tmp_path / "bank" / "async" / "queue_work"
    folder.mkdir(parents=True)
    (folder / "01_ok_plain.py").write_text(RIGHT)
    (folder / "11_bad_waits.py").write_text(WAITS)
    return tmp_path / "bank"


@pytest.fixture
def trial(bank: Path) -> Trial:
    solution, _ = read_bank(bank, Course(ROOT))
    return Trial(solution, 2.0, 2.0, {"test_a": True}, (), (), 0.5, frozenset({"x"}), (), frozenset({"test_a"}))


def test_a_trial_comes_back_as_it_was(tmp_path, trial):
    journal = Journal(tmp_path / "kept.jsonl")
    with journal.open() as found:
        assert not found
        journal.add("one", trial)
        journal.add("other", replace(trial, score=1.0, tests={"test_a": False}))
    with journal.open() as found:
        assert found["one"] == [trial]
        assert [line.score for line in found["other"]] == [1.0]


def test_a_trial_that_was_cut_off_is_lost_and_no_other(tmp_path, trial):
    journal = Journal(tmp_path / "kept.jsonl")
    with journal.open():
        journal.add("one", trial)
        journal.add("one", trial)
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-7])
    with journal.open() as found:
        assert len(found["one"]) == 1
        journal.add("one", trial)
    assert journal.path.read_bytes() == whole


def test_a_line_that_is_no_trial_is_named(tmp_path):
    path = tmp_path / "kept.jsonl"
    path.write_text('{"key": "one"}\n')
    with pytest.raises(CourseError, match=r"kept.jsonl, line 1: .*; name another file"), Journal(path).open():
        pass
    assert path.read_text() == '{"key": "one"}\n'


def test_two_do_not_add_to_one_file(tmp_path):
    journal = Journal(tmp_path / "kept.jsonl")
    with (
        journal.open(),
        pytest.raises(CourseError, match="another `syncpoint vet solutions` is writing to"),
        journal.open(),
    ):
        pass


def test_a_file_that_cannot_be_written_is_named():
    with pytest.raises(CourseError, match="cannot be written"), Journal(Path("/proc/kept.jsonl")).open():
        pass


def test_a_key_changes_with_the_solution_its_grader_and_what_the_graders_share(bank):
    spec, (solution, other) = Course(ROOT).spec("async"), read_bank(bank, Course(ROOT))
    found = {key(spec, solution), key(spec, other)}
    shared = [name for name, _ in spec.graders if not Path(name).name.startswith("test_")]
    for name, _ in spec.graders:
        graders = tuple((path, text + b"# " if path == name else text) for path, text in spec.graders)
        changed = key(replace(spec, graders=graders), solution)
        matters = name in shared or Path(name).name == "test_queue_work.py"
        assert (changed != key(spec, solution)) is matters, name
        found.add(changed)
    found.add(key(replace(spec, scenarios=b"pass"), solution))
    found.add(key(replace(spec, judge="another"), solution))
    assert len(found) == 5 + len(shared)  # two solutions, their module, shared files, scenarios, judge
    assert {Path(name).name for name in shared} >= {"conftest.py"}


def command(bank: Path, stored: Path, *options) -> list[str]:
    return [
        str(SYNCPOINT),
        "vet",
        "solutions",
        "--bank",
        str(bank),
        "--jobs",
        "1",
        "--journal",
        str(stored),
        *map(str, options),
    ]


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.is_file() else []


@pytest.mark.exhaustive
def test_a_later_run_adds_only_what_is_missing(bank, tmp_path):
    stored = tmp_path / "kept.jsonl"
    seen = []
    for repeat, added in ((2, 4), (3, 2), (3, 0)):
        done = subprocess.run(command(bank, stored, "--repeat", repeat), cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"2 solutions, {2 * repeat} verdicts: all as the bank says." in done.stdout
        now = lines_of(stored)
        assert (len(now) - len(seen), now[: len(seen)]) == (added, seen)
        seen = now
    (bank / "async" / "queue_work" / "01_ok_plain.py").write_text("# The same again.\n" + RIGHT)
    done = subprocess.run(command(bank, stored, "--repeat", 1), cwd=ROOT, capture_output=True, text=True)
    assert "2 solutions, 4 verdicts" in done.stdout
    assert len(lines_of(stored)) == len(seen) + 1


@pytest.mark.exhaustive
def test_a_run_that_was_killed_loses_no_trial_that_is_done(bank, tmp_path):
    stored = tmp_path / "kept.jsonl"
    with subprocess.Popen(command(bank, stored, "--repeat", 500), cwd=ROOT, stdout=subprocess.PIPE) as process:
        deadline = time.monotonic() + 120
        while len(lines_of(stored)) < 3 and time.monotonic() < deadline:
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
    before = lines_of(stored)
    assert len(before) >= 3
    done = subprocess.run(command(bank, stored, "--repeat", 1), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    whole = [line for line in before if line.endswith(b"}")]
    assert lines_of(stored)[: len(whole)] == whole
