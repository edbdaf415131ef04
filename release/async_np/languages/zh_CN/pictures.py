"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import draw_lanes, listed, next_box, picture


def draw_wait_difference():
    """A small product, a large one, and a wait for each."""
    lanes = {
        "前端": [(0, 0.8, "a·a"), (0.8, 0.8, "b·b"), (1.6, 1.0, "等待"), (2.6, 5.0, "等待其余的")],
        "工作线程1": [(0.8, 1.8, "计算 a·a")],
        "工作线程2": [(1.6, 6.0, "计算 b·b")],
    }
    draw_lanes("等待单个，然后等待全部", lanes)


@picture
def draw_memory(runs):
    """Draw the memory of several runs; runs: name -> list of (seconds, MB more than at the start)."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(7, 3.5))
    for (name, memory), style in zip(runs.items(), ["-", "--", "-."]):
        axes.plot(*zip(*memory), style, label=name)
    axes.set(xlabel="秒", ylabel="比开始时多出的MB", title="常驻内存")
    axes.legend()
    return listed(next_box, (_course(name, *zip(*memory)) for name, memory in runs.items()))


def _course(name, times, sizes):
    last, most = sizes[-1], max(sizes)
    return f"{name}：{times[-1]:.2f}秒后比开始时多{last:.0f} MB，最多增加{most:.0f} MB"
