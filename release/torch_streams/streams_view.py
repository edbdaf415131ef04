"""What streams do while a function runs: a picture, a tool that finds races, and the pictures of the notebook.

    show_timeline(function, *arguments)    what the GPU has done while a function ran
    find_races(function, *arguments)       where two operations use the same memory and nothing orders them

You need not read this file.
"""

import os

import torch
from drawing import draw_lanes, words_of_simgpu

try:
    from IPython.display import display
except ImportError:  # plain Python: no pictures
    display = print

GRADING = "NBGRADER_EXECUTION" in os.environ


def show_timeline(function, *arguments):
    """Run function(*arguments) until everything is computed, and show what each stream of the GPU has done."""
    if torch.cuda.is_available():
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
            function(*arguments)
            torch.cuda.synchronize()
        print(seen.key_averages().table(sort_by="cuda_time_total", row_limit=10))
        return
    timeline, _ = _run(function, arguments)
    if GRADING:
        print(f"commands and waits: {len(timeline.spans())}")
    else:
        display(timeline)


def find_races(function, *arguments):
    """Run function(*arguments), and list where two operations use the same memory and nothing orders them."""
    if torch.cuda.is_available():
        print("On CUDA, set TORCH_CUDA_SANITIZER to 1 before Python starts: then PyTorch looks for races itself.")
        return
    from simgpu import races

    name = getattr(function, "__name__", "the function")
    timeline, result = _run(function, arguments)
    found = races.find(timeline.entries)
    print(f"{name}: races: {len(found)}")
    words = words_of_simgpu()
    for race in found:
        print("  ", race.describe(words, timeline.places))
    del result


def _run(function, arguments):
    """The part of the device's log in which a function ran, until all was done, and what it returned."""
    import simgpu

    gpu = torch.get_device_module("simgpu")
    gpu.synchronize()
    before = simgpu.timeline()
    result = function(*arguments)
    gpu.synchronize()
    return simgpu.timeline(before, words_of_simgpu()), result


# --- the pictures of the notebook ---------------------------------------------------------------------------------


def draw_no_order():
    """Two streams that nothing orders, and the same with wait_stream."""
    default = [(0, 2, "make x"), (2.2, 2, "y @ y"), (4.4, 1.4, "one + two")]
    early = [(1, 5.4, "x @ x: starts before x is ready, ends too late")]
    draw_lanes(
        "without wait_stream: nothing says when the side stream begins",
        {"default stream": default, "side stream": early},
        6.8,
    )
    draw_lanes("with wait_stream: twice", {"default stream": default, "side stream": [(2.2, 2, "x @ x")]}, 6.8)


def draw_reuse():
    """Memory that is allocated again too early, and record_stream."""
    made = (0, 1.5, "t = x * 2")
    draw_lanes(
        "t is dropped, and its memory goes to u while the side stream still reads it",
        {"default stream": [made, (1.8, 1.5, "u = ...")], "side stream": [(1.8, 3, "reads t ... or u?")]},
        5,
    )
    draw_lanes(
        "t.record_stream(side): the memory comes back when the side stream is done",
        {"default stream": [made, (1.8, 1.5, "u = ... (elsewhere)")], "side stream": [(1.8, 3, "reads t")]},
        5,
    )


def draw_copies(product=2, copy=1.2, read=0.8):
    """Copies between the products, and copies that overlap them."""
    row = []
    for n in range(3):
        start = n * (product + copy)
        row += [(start, product, f"product {n}"), (start + product, copy, f"copy {n}")]
    draw_lanes("one stream: the copies are between the products", {"compute and copy": row}, 9.8)
    lanes = {
        "compute": [(n * product, product, f"product {n}") for n in range(3)],
        "copies": [((n + 1) * product, copy, f"copy {n}") for n in range(3)],
        "host": [((n + 1) * product + copy, read, f"read {n}") for n in range(3)],
    }
    draw_lanes("two streams: copy t overlaps product t + 1; the host reads result t after its copy", lanes, 9.8)


def draw_prefetch(work=2, copy=1.2):
    """A loop that copies and then works, and one with a prefetcher."""
    both = work + copy
    in_turn = {
        "compute": [(n * both + copy, work, f"work {n}") for n in range(3)],
        "copies": [(n * both, copy, f"copy {n}") for n in range(3)],
    }
    draw_lanes("copy, then work", in_turn, 9.8)
    ahead = {
        "compute": [(copy + n * work, work, f"work {n}") for n in range(3)],
        "copies": [(max(0, copy + (n - 1) * work), copy, f"copy {n}") for n in range(3)],
    }
    draw_lanes("prefetched: copy t + 1 overlaps work t", ahead, 9.8)


def draw_pipeline():
    """Two stages."""
    lanes = {
        "first": [(2 * n, 2, f"first {n}") for n in range(3)],
        "second": [(2 * n + 2, 2, f"second {n}") for n in range(3)],
    }
    draw_lanes("a pipeline: second of an input after its first, overlapping the first of the next input", lanes)


def draw_spans():
    """Three pieces of work."""
    lanes = {"copy": [(1, 5, "copy")], "forward": [(0, 3, "forward")], "step": [(4, 3, "step")]}
    draw_lanes("copy overlaps both others; forward and step do not overlap", lanes)
