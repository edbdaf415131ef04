"""The modules next to the notebook of torch_parallel, as a student's program uses them."""

import os
import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

FOLDER = ROOT / "source" / "torch_parallel"
SUBSET = "fashion-mnist-subset"
PYTHON = ROOT / ".venv-torch" / "bin" / "python"


LATE_PEER = """
import parallel_view, simgpu, torch
simgpu.install()
import torch.distributed as dist

def waits_for_it(net):
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(lambda p: (dist.all_reduce(p.grad), p.grad.sum().item()) and None)
    return lambda: None

def overlaps(net):
    handles = []
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(lambda p: handles.append(dist.all_reduce(p.grad, async_op=True)))
    return lambda: [handle.wait() for handle in handles]

for prepare in (waits_for_it, overlaps):
    parallel_view.show_late_peer(prepare, parallel_view.small_nets(2))
"""
LOAD = """
import copy, sys
import fashion_mnist
try:
    train, test = fashion_mnist.load_data_fashion_mnist(300, *sys.argv[1:])
    again = copy.copy(train)
    for (X, y), (Z, z) in zip(train, again):
        assert (X == Z).all() and (y == z).all()
    print(len(train), *X.shape, X.dtype, y.dtype, len(test), bool((next(iter(train))[1] == next(iter(test))[1]).all()))
except fashion_mnist.DatasetError as error:
    print("DatasetError", error)
"""


def output(program: str, *arguments: str, **variables: str) -> str:
    """Return the output of a program in the environment of the engine, next to the modules."""
    environment = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    done = subprocess.run(
        [PYTHON, "-c", program, *arguments],
        cwd=FOLDER,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.exhaustive
def test_a_program_that_waits_for_its_late_peer_does_not_hang():
    waiting, overlapping = output(LATE_PEER).splitlines()
    assert waiting.startswith("waits_for_it: the program itself waited for an all-reduce (item)")
    assert overlapping.startswith("overlaps: with no all-reduce done, device 0 came through 2 of 2 tanh")


def test_ranks_with_a_copy_of_the_batches_see_the_same_ones():
    assert output(LOAD, NBGRADER_EXECUTION="1") == "7 200 1 28 28 torch.float32 torch.int64 2 False\n"


@pytest.mark.exhaustive
def test_a_file_that_is_missing_or_damaged_is_named(tmp_path: Path):
    assert "train-images-idx3-ubyte" in output(LOAD, str(tmp_path))
    for path in (FOLDER / SUBSET).glob("*.gz"):
        (tmp_path / path.name).write_bytes(path.read_bytes()[:-20])
    assert "cannot be read" in output(LOAD, str(tmp_path)) and "another folder" in output(LOAD, str(tmp_path))


def test_both_assignments_have_the_same_small_part():
    ours, theirs = (ROOT / "source" / name / SUBSET for name in ("torch_parallel", "multi_gpu"))
    assert {path.name: path.read_bytes() for path in ours.iterdir()} == {
        path.name: path.read_bytes() for path in theirs.iterdir()
    }
