"""A part of simgpu's own tests that runs with all others: the properties that a judge relies on, and some fuzzing."""

import ast
import contextlib
import os
import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

MESSAGES = 10_000  # `make simgpu-fuzz` sends a million


@pytest.mark.parametrize(
    "part",
    [
        "contract",
        pytest.param("test_safety.py", marks=pytest.mark.exhaustive),
        pytest.param("test_pictures.py", marks=pytest.mark.exhaustive),
    ],
)
def test_a_part_of_its_own_tests_passes(torch_engine: Path, part: str):
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        **{"PYTHONPATH": "src", "OMP_NUM_THREADS": "1", "SIMGPU_FUZZ": str(MESSAGES)},
    }
    command = [torch_engine / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/{part}"]
    done = subprocess.run(command, cwd=ROOT / "simgpu", env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout[-4000:]


def constants(path: str) -> dict[str, object]:
    """The plain values that a module gives names to, read without running it."""
    found = {}
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with contextlib.suppress(ValueError, TypeError):
                found[node.targets[0].id] = value_of(node.value)
    return found


def value_of(node: ast.expr) -> object:
    """The value of an expression of numbers and sets alone."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "frozenset":
        return frozenset(value_of(node.args[0]))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
        return value_of(node.left) << value_of(node.right)
    return ast.literal_eval(node)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (("engines/torch/races.py", "COMMANDS"), ("simgpu/src/simgpu/records.py", "COMMAND_KINDS")),
        (("engines/torch/outside.py", "FIRST_STORAGE"), ("simgpu/src/simgpu/wire.py", "FIRST_OF_JUDGE")),
        (("engines/torch/outside.py", "UNWRITTEN"), ("simgpu/src/simgpu/device/values.py", "MARK")),
        (("engines/torch/events.py", "MOST_EVENTS"), ("syncpoint/probe/trace.py", "MAX_EVENTS")),
        *(
            (("engines/torch/events.py", "STREAMS"), (f"simgpu/src/simgpu/{name}.py", "STREAMS"))
            for name in ("wire", "control", "timeline")
        ),
    ],
    ids=lambda place: "/".join(place),
)
def test_what_two_sides_have_by_themselves_is_the_same(ours: tuple[str, str], theirs: tuple[str, str]):
    """The judge has no simgpu, an engine's folder knows only the contract, and parts of simgpu have no PyTorch."""
    assert constants(f"syncpoint/{ours[0]}")[ours[1]] == constants(theirs[0])[theirs[1]]
