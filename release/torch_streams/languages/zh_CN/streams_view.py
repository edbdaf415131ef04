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
        print(f"指令和等待：{len(timeline.spans())}")
    else:
        display(timeline)


def find_races(function, *arguments):
    """Run function(*arguments), and list where two operations use the same memory and nothing orders them."""
    if torch.cuda.is_available():
        print("在CUDA上，启动Python之前把TORCH_CUDA_SANITIZER设为1：这样PyTorch会自己查找竞态条件。")
        return
    from simgpu import races

    name = getattr(function, "__name__", "这个函数")
    timeline, result = _run(function, arguments)
    found = races.find(timeline.entries)
    print(f"{name}：竞态条件{len(found)}处")
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
    default = [(0, 2, "生成 x"), (2.2, 2, "y @ y"), (4.4, 1.4, "one + two")]
    early = [(1, 5.4, "x @ x：x尚未就绪就开始，结束得太晚")]
    draw_lanes(
        "没有wait_stream：侧流何时开始没有规定",
        {"默认流": default, "侧流": early},
        6.8,
    )
    draw_lanes("用两次wait_stream", {"默认流": default, "侧流": [(2.2, 2, "x @ x")]}, 6.8)


def draw_reuse():
    """Memory that is allocated again too early, and record_stream."""
    made = (0, 1.5, "t = x * 2")
    draw_lanes(
        "不再引用t，显存就给了u，而侧流还在读取t",
        {"默认流": [made, (1.8, 1.5, "u = ...")], "侧流": [(1.8, 3, "读取 t …… 还是 u？")]},
        5,
    )
    draw_lanes(
        "t.record_stream(side)：侧流完成之后，显存才释放",
        {"默认流": [made, (1.8, 1.5, "u = ...（在别处）")], "侧流": [(1.8, 3, "读取 t")]},
        5,
    )


def draw_copies(product=2, copy=1.2, read=0.8):
    """Copies between the products, and copies that overlap them."""
    row = []
    for n in range(3):
        start = n * (product + copy)
        row += [(start, product, f"乘积 {n}"), (start + product, copy, f"复制 {n}")]
    draw_lanes("一个流：复制夹在乘积之间", {"计算和复制": row}, 9.8)
    lanes = {
        "计算": [(n * product, product, f"乘积 {n}") for n in range(3)],
        "复制": [((n + 1) * product, copy, f"复制 {n}") for n in range(3)],
        "主机": [((n + 1) * product + copy, read, f"读取 {n}") for n in range(3)],
    }
    draw_lanes("两个流：复制t与乘积t + 1重叠；主机在复制之后读取结果t", lanes, 9.8)


def draw_prefetch(work=2, copy=1.2):
    """A loop that copies and then works, and one with a prefetcher."""
    both = work + copy
    in_turn = {
        "计算": [(n * both + copy, work, f"计算 {n}") for n in range(3)],
        "复制": [(n * both, copy, f"复制 {n}") for n in range(3)],
    }
    draw_lanes("先复制，再计算", in_turn, 9.8)
    ahead = {
        "计算": [(copy + n * work, work, f"计算 {n}") for n in range(3)],
        "复制": [(max(0, copy + (n - 1) * work), copy, f"复制 {n}") for n in range(3)],
    }
    draw_lanes("预取：复制t + 1与计算t重叠", ahead, 9.8)


def draw_pipeline():
    """Two stages."""
    lanes = {
        "first": [(2 * n, 2, f"first {n}") for n in range(3)],
        "second": [(2 * n + 2, 2, f"second {n}") for n in range(3)],
    }
    draw_lanes("流水线：一个输入的second在它的first之后，并与下一个输入的first重叠", lanes)


def draw_spans():
    """Three pieces of work."""
    lanes = {"copy": [(1, 5, "copy")], "forward": [(0, 3, "forward")], "step": [(4, 3, "step")]}
    draw_lanes("copy与另外两个都重叠；forward和step不重叠", lanes)
