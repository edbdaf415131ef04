"""The browser of tests: found in one place, and never missing in silence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from classroom import BIN, ROOT

from syncpoint.course.folder import Course
from syncpoint.doctor.browser import HOW_TO_GET_ONE, NAMES, NoBrowser, find_browser
from syncpoint.doctor.checks import browser as check


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_each_usual_name_is_found(bare: Path, name: str):
    (bare / name).write_text("#!/bin/sh\n")
    (bare / name).chmod(0o755)
    assert find_browser() == str(bare / name)


def test_without_one_the_error_and_the_doctor_say_how_to_get_it(bare: Path):
    with pytest.raises(NoBrowser, match=HOW_TO_GET_ONE):
        find_browser()
    (found,) = check(Course(ROOT))
    assert (found.fine, found.fix) == (None, HOW_TO_GET_ONE) and "skips" in found.detail


def test_the_program_says_so_too(bare: Path):
    program = ROOT / "syncpoint" / "doctor" / "browser.py"
    done = subprocess.run([sys.executable, "-I", program], capture_output=True, text=True)
    assert done.returncode == 1 and HOW_TO_GET_ONE in done.stderr and not done.stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize(("ci", "status", "line"), [("", 0, "4 tests of web pages were skipped"), ("true", 1, "error")])
def test_a_test_without_its_browser_is_skipped_aloud_and_fails_in_ci(ci: str, status: int, line: str):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", ROOT / "tests" / "vet" / "test_cheats.py"]
    done = subprocess.run(
        [*command, "-k", "canary"],
        cwd=ROOT,
        env={**environment, "CI": ci, "PATH": str(BIN)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout
    assert any(line in output for output in done.stdout.splitlines()[-2:]) and HOW_TO_GET_ONE in done.stdout
