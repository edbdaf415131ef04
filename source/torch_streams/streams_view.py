"""Pictures for the notebook on streams, and a tool that finds races.

    draw_boxes(title, places, arrows)      who needs whom
    draw_lanes(title, lanes)               one row for each stream, time from left to right
    show_timeline(function, *arguments)    what the GPU has done while a function ran
    find_races(function, *arguments)       where two operations use the same memory in no fixed order

You need not read this file.
"""

import os

import torch

try:
    from IPython.display import display
except ImportError:  # plain Python: no pictures
    display = print

GRADING = "NBGRADER_EXECUTION" in os.environ
COLOURS = ["#9ecae1", "#fdae6b", "#c7e9c0"]


def draw_boxes(title, places, arrows):
    """Draw boxes at their places (x, y), and arrows (from, to) between them."""
    if GRADING:
        return
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(6, 2))
    for start, end in arrows:
        axes.annotate("", places[end], places[start], arrowprops={"arrowstyle": "->", "shrinkA": 24, "shrinkB": 24})
    for name, (x, y) in places.items():
        axes.text(x, y, name, ha="center", va="center", bbox={"boxstyle": "round", "facecolor": COLOURS[0]})
    axes.set_xlim(-0.5, max(x for x, _ in places.values()) + 0.5)
    axes.set_ylim(-0.5, max(y for _, y in places.values()) + 0.5)
    axes.set_title(title, loc="left", fontsize=10)
    axes.axis("off")
    plt.show()


def draw_lanes(title, lanes, end=None):
    """Draw one row for each lane; a lane is a list of boxes (start, length, label)."""
    if GRADING:
        return
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(10, 0.7 + 0.5 * len(lanes)))
    for row, (boxes, colour) in enumerate(zip(lanes.values(), COLOURS)):
        for start, length, label in boxes:
            axes.barh(-row, length, left=start, height=0.7, color=colour, edgecolor="grey")
            axes.text(start + length / 2, -row, label, ha="center", va="center", fontsize=9)
    axes.set_yticks([-row for row in range(len(lanes))], list(lanes))
    axes.set_xticks([])
    axes.set_xlim(0, end)
    axes.set_xlabel("time  \u2192", loc="right")
    axes.set_title(title, loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    plt.show()


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
        print(f"{len(timeline.spans())} commands and waits")
    else:
        display(timeline)


def find_races(function, *arguments):
    """Run function(*arguments), and list where two operations use the same memory and nothing orders them."""
    if torch.cuda.is_available():
        print("On CUDA, start Python with TORCH_CUDA_SANITIZER=1: then PyTorch looks for races itself.")
        return
    from simgpu import races

    name = getattr(function, "__name__", "the function")
    timeline, result = _run(function, arguments)
    found = races.find(timeline.entries)
    print(f"{name}: {len(found) or 'no'} race{'s' * (len(found) != 1)}")
    for race in found:
        print("  ", race)
    del result


def _run(function, arguments):
    """The part of the device's log in which a function ran, until all was done, and what it returned."""
    import simgpu

    gpu = torch.get_device_module("simgpu")
    gpu.synchronize()
    before = simgpu.timeline()
    result = function(*arguments)
    gpu.synchronize()
    return simgpu.timeline(before), result
