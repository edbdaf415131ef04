"""A part of PyTorch's operator database, and its operations with indices that point nowhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *options]
    environment = {"PYTHONPATH": "src", "PATH": "", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=HERE, env=environment, timeout=900)


@pytest.mark.slow
def test_every_seventeenth_entry_is_equal_or_is_refused_by_its_name(tmp_path):
    done = run("simgpu.opdb", "--every", "17", "--samples", "3", "--json", str(tmp_path / "verdicts.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())
    assert len(verdicts) >= 39
    assert {v["forward"] for v in verdicts} <= {"equal", "random", "refused", "none"}
    assert {v["backward"] for v in verdicts} <= {"equal", "refused", ""}
    assert sum(v["forward"] == "equal" for v in verdicts) >= 35


def test_an_error_fails_the_command(tmp_path):
    done = run("simgpu.opdb", "--only", "no such operation")
    assert done.returncode == 0, done.stderr
    code = (
        "import sys; from simgpu.opdb import __main__ as command; sys.argv[1:] = []\n"
        "row = dict(name='add', dtype='float32', forward='equal', backward='error', why='')\n"
        "command._run = lambda options, first: iter([row])\n"
        "command.main()"
    )
    failed = subprocess.run([sys.executable, "-c", code], cwd=HERE, env={"PYTHONPATH": "src"}, capture_output=True)
    assert failed.returncode == 1
    assert b"| add | float32 | equal | error |" in failed.stdout


@pytest.mark.slow
def test_the_table_of_indices_is_what_the_operations_do():
    """None ends the device; docs/indices.md shows what checks them."""
    done = run("simgpu.opdb.indices")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == (HERE / "docs" / "indices.md").read_text()
