"""The part of simgpu's own tests that runs with every other test: what a judge stands on, and some of the fuzzing."""

import os
import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

SLICE = ("tests/test_safety.py", "tests/contract", "tests/test_pictures.py")
MESSAGES = 10_000  # `make simgpu-fuzz` sends a million


@pytest.mark.torch
def test_the_device_withstands_whatever_a_front_end_sends(torch_engine: Path):
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        **{"PYTHONPATH": "src", "OMP_NUM_THREADS": "1", "SIMGPU_FUZZ": str(MESSAGES)},
    }
    command = [torch_engine / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *SLICE]
    done = subprocess.run(command, cwd=ROOT / "simgpu", env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout[-4000:]
