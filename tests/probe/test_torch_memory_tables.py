"""The tables of `torch_memory`'s graders, compared with PyTorch's own runs."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from classroom import ROOT

GRADERS = ROOT / "grader_tests" / "torch_memory"

FSDP = """
import json, sys, warnings
warnings.simplefilter("ignore")
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.utils._python_dispatch import TorchDispatchMode

class Count(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.seen.append(str(function))
        return function(*args, **(kwargs or {}))

told, found = json.load(sys.stdin), []
for gpus in told["gpus"]:
    dist.init_process_group("fake", rank=0, world_size=gpus, store=FakeStore())
    mesh = init_device_mesh("cpu", (gpus,))
    for layers, wrapping, reshard, passes in told["cases"]:
        net = nn.Sequential(*[nn.Linear(4, 4) if size else nn.Tanh() for size in layers])
        for number in wrapping:
            fully_shard(net[number], mesh=mesh, reshard_after_forward=reshard)
        fully_shard(net, mesh=mesh)
        with Count() as counted:
            for _ in range(passes):
                net(torch.ones(2, 4)).sum().backward()
        messages = [name for name in counted.seen if name.startswith("c10d")]
        found.append([sum(word in name for name in messages) for word in ("allgather", "reduce_scatter")])
    dist.destroy_process_group()
print(json.dumps(found))
"""

PIPELINE = """
import json, sys
from torch.distributed.pipelining import schedules as S
from torch.distributed.pipelining.schedules import _Action

found = []
for plan in json.load(sys.stdin):
    stages = len(plan)
    actions = {rank: [_Action.from_str(f"{rank}{word}") for word in words] for rank, words in enumerate(plan)}
    try:
        full = S._add_send_recv(actions, lambda stage: stage, stages)
        S._simulate_comms_compute(full, lambda stage: stage, stages)
        found.append(True)
    except (AssertionError, KeyError, RuntimeError, ValueError):
        found.append(False)
print(json.dumps(found))
"""


# Each action of PyTorch's simulator takes one step, a message as well.  A pass takes STEPS of them for each unit of
# ours, filled up with actions that wait for nothing, so all messages together are less than half of a unit.
TIMES = """
import json, sys
from torch.distributed.pipelining import schedules as S
from torch.distributed.pipelining.schedules import _Action

told, found = json.load(sys.stdin), []
steps = told["steps"]
for plan in told["plans"]:
    last, actions = len(plan) - 1, {}
    for rank, words in enumerate(plan):
        actions[rank] = []
        for word in words:
            kind, number = word[0], int(word[1:])
            source, target = (rank > 0, rank < last) if kind == "F" else (rank < last, rank > 0)
            names = [f"RECV_{kind}"] * source + [kind] + ["W"] * (told["units"][kind] * steps - 1)
            names += [f"SEND_{kind}"] * target
            actions[rank] += [_Action.from_str(f"{rank}{name}{number}") for name in names]
    try:
        ran = S._simulate_comms_compute(actions, lambda stage: stage, len(plan))
    except ValueError:
        found.append(None)
    else:
        stood = [sum(action is None for action in ran[rank]) for rank in ran]
        found.append([[round(len(ran[rank]) / steps) for rank in ran], [round(idle / steps) for idle in stood]])
print(json.dumps(found))
"""


GRAPHS = """
import contextlib, io, json, sys
import torch

found = []
for number, (lines, sizes) in enumerate(json.load(sys.stdin)):
    source = "def program(y):\\n" + "".join(f"    {line}\\n" for line in lines) + "    return y\\n"
    names, made = {"torch": torch}, []
    exec(compile(source, f"<program {number}>", "exec"), names)

    def backend(graph, inputs, made=made):
        made.append(graph)
        return graph.forward

    torch.compiler.reset()
    program = torch.compile(names["program"], backend=backend)
    with contextlib.redirect_stdout(io.StringIO()):
        for size in sizes:
            program(torch.rand(size) + 1)
    found.append(len(made))
print(json.dumps(found))
"""

NAMES = "schedules", "test_fsdp_counts", "programs"


@pytest.fixture(scope="module")
def graders() -> Iterator[list[ModuleType]]:
    """The modules of these names."""
    sys.path.insert(0, str(GRADERS))
    try:
        yield [importlib.import_module(name) for name in NAMES]
    finally:
        sys.path.remove(str(GRADERS))
        for name in NAMES:
            sys.modules.pop(name, None)


def run(engine: Path, source: str, given: Any) -> Any:
    """What a program prints that runs in the engine's environment and reads this."""
    program = [engine / "bin" / "python", "-c", source]
    done = subprocess.run(program, input=json.dumps(given), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.exhaustive
def test_fully_shard_sends_what_the_grader_says_on_a_mesh_of_any_size(torch_engine: Path, graders: list[ModuleType]):
    counts = graders[1].counts
    shapes = [
        ([20] * 4, []),
        ([20] * 4, [0, 2]),
        ([20] * 4, [0, 1, 2, 3]),
        ([20, 0, 20, 0], [0, 2]),
        ([20, 0, 20, 0, 20], [1, 2]),
        ([20, 0, 20], [1]),
        ([20] * 6, [5]),
    ]
    cases = [[*shape, reshard, passes] for shape, reshard, passes in product(shapes, (True, False), (1, 3))]
    gpus = [2, 4]
    right = [list(counts(*case)) for case in cases]
    assert run(torch_engine, FSDP, {"gpus": gpus, "cases": cases}) == right * len(gpus)


def one_f_one_b(stages: int, microbatches: int) -> list[list[str]]:
    """1F1B."""
    plan = []
    for rank in range(stages):
        ahead = min(stages - rank, microbatches)
        words = [f"F{number}" for number in range(ahead)]
        for number in range(microbatches):
            words += [f"B{number}"] + [f"F{ahead + number}"] * (ahead + number < microbatches)
        plan.append(words)
    return plan


def gpipe(stages: int, microbatches: int) -> list[list[str]]:
    """GPipe."""
    return [[f"{kind}{number}" for kind in "FB" for number in range(microbatches)] for _ in range(stages)]


def swapped(plan: list[list[str]]) -> list[list[str]]:
    """The first stage waits for a gradient that comes from what stands behind it in its own list."""
    return [[*plan[0][-1:], *plan[0][:-1]], *plan[1:]]


@pytest.mark.exhaustive
def test_a_schedule_runs_where_pytorchs_simulator_runs_it(torch_engine: Path, graders: list[ModuleType]):
    schedules, sizes = graders[0], [(2, 3), (3, 5), (4, 8), (4, 2)]
    plans = [function(*size) for function in (gpipe, one_f_one_b) for size in sizes]
    plans += [swapped(plan) for plan in plans]
    ours = [schedules.outcome(schedules.read(plan, len(plan))).finished for plan in plans]
    assert run(torch_engine, PIPELINE, plans) == ours
    assert True in ours and False in ours


def drawn_plan(rng: np.random.Generator, stages: int, microbatches: int) -> list[list[str]]:
    """Stages that go forward with drawn numbers of micro-batches, and then in turns; some such plans stop."""
    plan = []
    for rank in range(stages):
        ahead = int(rng.integers(min(microbatches, max(1, stages - rank - 1)), microbatches + 1))
        words = [f"F{number}" for number in range(ahead)]
        for number in range(microbatches):
            words += [f"B{number}"] + [f"F{ahead + number}"] * (ahead + number < microbatches)
        plan.append(words)
    return plan


def shuffled(rng: np.random.Generator, stages: int, microbatches: int) -> list[list[str]]:
    """Stages with their passes in any order in which each goes forward before it goes backward."""
    plan = []
    for _ in range(stages):
        numbers = [int(number) for number in rng.permutation([*range(microbatches)] * 2)]
        plan.append([f"{'B' if number in numbers[:place] else 'F'}{number}" for place, number in enumerate(numbers)])
    return plan


@pytest.mark.exhaustive
def test_a_schedule_takes_the_time_of_pytorchs_simulator_and_has_its_bubbles(
    torch_engine: Path, graders: list[ModuleType]
):
    schedules, rng, steps = graders[0], np.random.default_rng(0), 128
    sizes = [(1, 2), (2, 3), (3, 5), (4, 6), (4, 2)]
    plans = [function(*size) for function in (gpipe, one_f_one_b) for size in sizes]
    plans += [drawn_plan(rng, *size) for size in sizes for _ in range(4)]
    plans += [shuffled(rng, *size) for size in ((1, 3), (2, 2), (2, 3)) for _ in range(4)]
    asked = {"steps": steps, "units": {"F": schedules.FORWARD, "B": schedules.BACKWARD}, "plans": plans}
    times: list[int] = []
    for plan, reported in zip(plans, run(torch_engine, TIMES, asked), strict=True):
        ours = schedules.outcome(schedules.read(plan, len(plan)))
        assert ours.finished == (reported is not None)
        if reported is not None:
            ended, stood = reported
            microbatches = len(plan[0]) // 2
            assert ours.time == max(ended)
            bubbles = ours.time - (schedules.FORWARD + schedules.BACKWARD) * microbatches
            drained = [ours.time - end for end in ended]
            assert [idle + left for idle, left in zip(stood, drained, strict=True)] == [bubbles] * len(plan)
            times.append(ours.time - schedules.shortest(len(plan), microbatches))
    assert 0 in times and max(times) > 0 and len(times) < len(plans)


def test_a_stage_goes_backward_only_behind_its_own_forward(graders: list[ModuleType]):
    """PyTorch's simulator does not look at that."""
    schedules = graders[0]
    assert not schedules.outcome(schedules.read([["F0", "F1", "B0", "B1"], ["B0", "F0", "F1", "B1"]], 2)).finished


@pytest.mark.parametrize(("stages", "microbatches"), [(1, 3), (2, 3), (4, 8), (4, 2)])
def test_both_schedules_take_the_shortest_time(graders: list[ModuleType], stages: int, microbatches: int):
    schedules = graders[0]
    for function in (gpipe, one_f_one_b):
        found = schedules.outcome(schedules.read(function(stages, microbatches), stages))
        assert found.time == schedules.shortest(stages, microbatches)
    assert all(alive <= stages - rank for rank, alive in enumerate(found.alive))


@pytest.mark.exhaustive
def test_the_compiler_makes_as_many_graphs_as_the_grader_says(torch_engine: Path, graders: list[ModuleType]):
    programs, rng = graders[2], np.random.default_rng(0)
    cases = programs.drawn(rng, [*product((0, 1, 2), (1, 2, 3))] * 5)
    single = [(["y = y * 2", stop, "y = torch.relu(y)"], sizes) for stop in programs.BREAKS for sizes in ([5], [5, 6])]
    cases += single
    assert run(torch_engine, GRAPHS, cases) == [programs.graphs(case) for case in cases]


def test_the_notebook_names_the_lines_that_are_drawn(graders: list[ModuleType]):
    text = (ROOT / "source" / "torch_memory" / "large_models.ipynb").read_text()
    (row,) = [json.loads(line.rstrip().rstrip(",")) for line in text.splitlines() if " \u00b7 " in line]
    reported = row.partition("from these: ")[2].partition(". The first")[0]
    assert [line.strip("`") for line in reported.split(" \u00b7 ")] == [*graders[2].TAKEN, *graders[2].BREAKS]
