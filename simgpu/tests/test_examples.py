"""The examples run and print what they are for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SAID = {
    "overlap_a_copy": ["stream 1: h2d (copy)"],
    "find_a_race": [
        "with a wait: 0 races\nwithout a wait: 1 races",
        "(aten.mul.Tensor in line 19 of find_a_race.py, stream 0)",
    ],
    "train_on_two_devices": ["[[3.0, 1.0], [3.0, 1.0]]"],
}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs(path: Path):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), OMP_NUM_THREADS="1")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert [said for said in SAID[path.stem] if said not in done.stdout] == []
