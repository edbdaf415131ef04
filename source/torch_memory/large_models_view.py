"""Small tools and the pictures of this notebook. You need not read this file.

make_blocks(count)                     modules of a linear layer and tanh, on the device
measure_peak(function, *arguments)     how much memory a function needed at a time
"""

import logging

import torch
from drawing import draw_lanes
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)  # graph breaks are counted here, and need no warning


def _device():
    return torch.device("cuda" if torch.cuda.is_available() else "simgpu")


def make_blocks(count, width=32):
    """Blocks of a linear layer and tanh."""
    return [nn.Sequential(nn.Linear(width, width, bias=False), nn.Tanh()).to(_device()) for _ in range(count)]


def measure_peak(function, *arguments):
    """How much more memory was allocated at a time while function(*arguments) ran, in KiB."""
    gpu = torch.get_device_module(_device())
    gpu.synchronize()
    before = gpu.memory_allocated()
    gpu.reset_peak_memory_stats()
    result = function(*arguments)
    gpu.synchronize()
    del result
    return (gpu.max_memory_allocated() - before) / 1024


class CountMessages(TorchDispatchMode):
    """Counts all-gathers and reduce-scatters while it is active."""

    def __init__(self):
        super().__init__()
        self.gathers = self.reduces = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        """Count, and call."""
        name = str(function)
        self.gathers += name.startswith("c10d") and "allgather" in name
        self.reduces += name.startswith("c10d") and "reduce_scatter" in name
        return function(*args, **(kwargs or {}))


# --- the pictures of the notebook ---------------------------------------------------------------------------------


def draw_activations():
    """The activations that are kept while four blocks go forward and backward."""
    kept = {f"activation {n}": [(n + 1, 7 - 2 * n, "kept")] for n in range(4)}
    work = [(n, 1, f"F{n}") for n in range(4)] + [(4 + n, 1, f"B{3 - n}") for n in range(4)]
    draw_lanes(
        "four blocks: F is forward, B is backward; B0 comes last, so activation 0 is kept longest",
        {
            "work": work,
            **dict(list(kept.items())[:3]),
        },
    )


def draw_segments():
    """Two segments of two blocks, with their inputs kept."""
    work = [(n, 1, f"F{n}") for n in range(4)]
    work += [
        (4, 1, "F2"),
        (5, 1, "F3"),
        (6, 1, "B3"),
        (7, 1, "B2"),
        (8, 1, "F0"),
        (9, 1, "F1"),
        (10, 1, "B1"),
        (11, 1, "B0"),
    ]
    draw_lanes(
        "two segments of two blocks: each one goes forward once more before it goes backward",
        {
            "work": work,
            "input of segment 2": [(2, 6, "kept")],
            "activations": [(5, 3, "of segment 2"), (9, 3, "of segment 1")],
        },
    )


def draw_accumulation():
    """Three parts: what is in memory at each time."""
    work = [(2 * n + half, 1, ("forward", "backward")[half]) for n in range(3) for half in range(2)]
    kept = [(2 * n + 0.4, 1.6, f"of part {n}") for n in range(3)]
    draw_lanes(
        "three parts and one step: activations come and go, gradients add up",
        {
            "work": [*work, (6, 1, "step")],
            "activations": kept,
            "gradients": [(1.5, 5.5, "added up")],
        },
    )


GPIPE = [["F0", "F1", "F2", "F3", "F4", "B0", "B1", "B2", "B3", "B4"]] * 3
ONE_F_ONE_B = [
    ["F0", "F1", "F2", "B0", "F3", "B1", "F4", "B2", "B3", "B4"],
    ["F0", "F1", "B0", "F2", "B1", "F3", "B2", "F4", "B3", "B4"],
    ["F0", "B0", "F1", "B1", "F2", "B2", "F3", "B3", "F4", "B4"],
]


def draw_schedules():
    """Both schedules of the text."""
    draw_schedule("GPipe", GPIPE)
    draw_schedule("1F1B", ONE_F_ONE_B)


def draw_schedule(title, schedule):
    """Draw what each stage does, and when. A forward pass takes 1, a backward pass 2; each begins as soon as it can."""
    ended, left = {}, [list(actions) for actions in schedule]
    lanes = [[] for _ in schedule]
    moved = True
    while moved:
        moved = False
        for stage, actions in enumerate(left):
            while actions:
                needs = _needs(actions[0], stage, len(schedule))
                if not all(need in ended for need in needs):
                    break
                before = lanes[stage][-1][0] + lanes[stage][-1][1] if lanes[stage] else 0
                start, length = max([before, *(ended[need] for need in needs)]), 1 if actions[0][0] == "F" else 2
                lanes[stage].append((start, length, actions[0]))
                ended[actions.pop(0), stage] = start + length
                moved = True
    if any(left):
        print(f"{title}: it stops, because each stage waits for another one; they wait before", left)
    draw_lanes(title, {f"stage {stage}": boxes for stage, boxes in enumerate(lanes)})


def _needs(action, stage, stages):
    if action[0] == "F":
        return [(action, stage - 1)] if stage else []
    return [("F" + action[1:], stage)] + ([(action, stage + 1)] if stage + 1 < stages else [])


def draw_sharding():
    """A pass through two units and the root."""
    work = [(1, 1, "F unit 1"), (2, 1, "F root"), (3, 1, "F unit 2"), (4, 1, "B unit 2"), (5, 1, "B root")]
    draw_lanes(
        "one pass: unit 1, what belongs to the root, unit 2; the units are sharded again after forward",
        {
            "gather": [(0, 0.5, "root"), (0.5, 0.5, "1"), (2.5, 0.5, "2"), (3.6, 0.4, "2"), (5.5, 0.5, "1")],
            "compute": [*work, (6, 1, "B unit 1")],
            "reduce": [(5, 0.5, "2"), (7, 0.5, "1"), (7.5, 0.5, "root")],
        },
    )


def draw_graphs():
    """A function without a break, and one with two."""
    draw_lanes("one graph", {"Python": [(0, 0.6, "call")], "graph": [(0.6, 3, "y * 2, where, relu")]}, 6)
    draw_lanes(
        "a print and an item: three graphs, and Python in between",
        {
            "Python": [(0, 0.6, "call"), (1.8, 0.8, "print"), (3.8, 0.8, "item")],
            "graph": [(0.6, 1.2, "y * 2"), (2.6, 1.2, "where, sum"), (4.6, 1.2, "relu")],
        },
        6,
    )
