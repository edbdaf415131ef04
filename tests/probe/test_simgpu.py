"""The part of simgpu's own tests that runs with every other test: what a judge stands on, and some of the fuzzing."""

import os
import re
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


def test_everybody_numbers_streams_alike():
    """The judge has no simgpu, and two modules of simgpu's are read without PyTorch: each has the number by itself."""
    source = ROOT / "simgpu" / "src" / "simgpu"
    places = [*(source / name for name in ("wire.py", "control.py", "timeline.py"))]
    places.append(ROOT / "syncpoint" / "engines" / "torch" / "events.py")
    found = [re.findall(r"^STREAMS = (\d+)", place.read_text(), re.MULTILINE) for place in places]
    assert found == [found[0]] * len(places)
    assert len(found[0]) == 1
