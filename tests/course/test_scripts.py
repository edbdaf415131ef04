"""The programs in scripts/: each says what it does before it does anything."""

import subprocess
import sys
from pathlib import Path

import pytest
from classroom import ROOT

# experiment.py and cuda_check.py start these in the engine's environment.
INSIDE = ("train_reference.py", "cuda_programs.py")
PROGRAMS = [path for path in sorted((ROOT / "scripts").glob("*.py")) if "__main__" in path.read_text()]


@pytest.mark.sample(2)
@pytest.mark.parametrize("program", [path.name for path in PROGRAMS if path.name not in INSIDE])
def test_a_program_that_is_asked_for_help_gives_help_and_does_nothing(program: str, tmp_path: Path):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / program, "--help"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    assert f"usage: {program}" in done.stdout.lower()  # Typer writes it with a capital, and argparse without
