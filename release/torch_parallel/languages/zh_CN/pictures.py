"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

import functools
import os

GRADING = "NBGRADER_EXECUTION" in os.environ
COLOURS = ["#9ecae1", "#fdae6b", "#c7e9c0", "#dadaeb"]
ARROW = {"arrowstyle": "->", "color": "grey"}


# The first has no Chinese; of the others, one is there on most systems.
FONTS = [
    "DejaVu Sans",
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei", "SimHei"),
]


def picture(draw):
    """Decorator of a function that draws: with signs of every language, and not while your work is graded."""

    @functools.wraps(draw)
    def drawn(*arguments, **keywords):
        if GRADING:
            return
        import matplotlib.pyplot as plt
        from matplotlib.font_manager import fontManager

        there = {font.name for font in fontManager.ttflist}
        with plt.rc_context({"font.family": [name for name in FONTS if name in there]}):
            draw(*arguments, **keywords)

    return drawn


@picture
def draw_lanes(title, lanes, end=None):
    """Draw one row per lane; a lane is a list of boxes (start, length, label)."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(10, 0.6 + 0.6 * len(lanes)))
    for row, (boxes, colour) in enumerate(zip(lanes.values(), COLOURS)):
        for start, length, label in boxes:
            idle = label.startswith("等待")
            look = {"color": "white" if idle else colour, "edgecolor": "grey", "hatch": "////" if idle else None}
            axes.barh(-row, length, left=start, height=0.7, **look)
            back = {"color": "white", "pad": 1} if idle else None
            axes.text(start + length / 2, -row, label, ha="center", va="center", bbox=back)
    axes.set_yticks([-row for row in range(len(lanes))], list(lanes))
    axes.set_xticks([])
    axes.set_xlim(0, end)
    axes.set_xlabel("时间  →", loc="right")
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    plt.show()


def draw_two_sides():
    """c = a * b + 2 on both sides."""
    front = [(0, 1, "ones"), (1, 1, "ones"), (2, 1, "*"), (3, 1, "+"), (4, 4.5, "等待 c"), (8.5, 1.2, "显示 c")]
    back = [(1, 1.5, "计算 ones"), (2.5, 1.5, "计算 ones"), (4, 2.5, "计算 *"), (6.5, 2, "计算 +")]
    draw_lanes("c = a * b + 2，然后显示 c", {"前端": front, "设备": back})


def draw_two_loops(n=4, t1=0.8, t2=2.0, t3=0.7):
    """The loop that waits in each step, above the one that waits once."""
    step = t1 + t2 + t3
    front, back = [], []
    for start in [i * step for i in range(n)]:
        front += [(start, t1, "$t_1$"), (start + t1, t2, "等待"), (start + t1 + t2, t3, "$t_3$")]
        back += [(start + t1, t2, "$t_2$")]
    draw_lanes("同步：每一步都等待", {"前端": front, "设备": back}, n * step)
    front = [(i * t1, t1, "$t_1$") for i in range(n)]
    front += [(n * t1, t1 + n * (t2 - t1), "等待"), (t1 + n * t2, t3, "$t_3$")]
    back = [(t1 + i * t2, t2, "$t_2$") for i in range(n)]
    draw_lanes("异步：最后等待一次", {"前端": front, "设备": back}, n * step)


def draw_late_error():
    """A kernel that fails in line 1, and line 3 that raises."""
    front = [
        (0, 1, "第0行"),
        (1, 1, "第1行"),
        (2, 1, "第2行"),
        (3, 1, "第3行"),
        (4, 3.2, "等待"),
        (7.2, 1.6, "错误！"),
    ]
    back = [(1, 2, "运行 0"), (3, 2.2, "运行 1：失败"), (5.2, 2, "运行 2")]
    draw_lanes("第1行出错，第3行引发错误", {"前端": front, "设备": back})


def draw_in_flight():
    """Three ways to send batches."""
    for title, waits in (("每个批量都等待：1个在途", 1), ("两个在途", 2)):
        front, back, send, work, free = [], [], 0.8, 2.0, 0.0
        ends, time = [], 0.0
        for t in range(4):
            if t >= waits and ends[t - waits] > time:
                front.append((time, ends[t - waits] - time, f"等待 {t - waits}"))
                time = ends[t - waits]
            front.append((time, send, f"送出 {t}"))
            time += send
            start = max(time, free)
            free = start + work
            ends.append(free)
            back.append((start, work, f"批量 {t}"))
        draw_lanes(title, {"前端": front, "设备": back}, 11.4)


@picture
def draw_languages():
    """Many front ends, one back end."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(8, 2.6))
    for place, name in enumerate(["Python", "C++", "Java", "Rust"]):
        _box(axes, 2 * place, 2, 1.6, name, COLOURS[0])
        axes.annotate("", (3.8, 1.55), (2 * place + 0.8, 2), arrowprops=ARROW)
    _box(axes, 1.8, 0.95, 4, "指令的队列（流）", "white")
    axes.annotate("", (3.8, 0.6), (3.8, 0.95), arrowprops=ARROW)
    _box(axes, 1.8, 0, 4, "后端：用于GPU和CPU的核函数", COLOURS[1])
    axes.text(7.8, 2.3, "各种前端", va="center")
    axes.set_xlim(-0.2, 9.4)
    axes.set_ylim(-0.1, 2.8)
    axes.axis("off")
    plt.show()


@picture
def draw_graph():
    """Who needs whom in c = a * b + 2."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(8, 1.8))
    places = {"a = ones": (0, 1.2), "b = ones": (0, 0), "a * b": (2.6, 0.6), "+ 2": (5.2, 0.6), "c": (7.4, 0.6)}
    for name, (left, bottom) in places.items():
        _box(axes, left, bottom, 1.5 if name != "c" else 0.8, name, COLOURS[2 if name == "c" else 0])
    for start, end in (
        ((1.5, 1.5), (2.6, 1.0)),
        ((1.5, 0.3), (2.6, 0.8)),
        ((4.1, 0.9), (5.2, 0.9)),
        ((6.7, 0.9), (7.4, 0.9)),
    ):
        axes.annotate("", end, start, arrowprops=ARROW)
    axes.set_xlim(-0.2, 8.6)
    axes.set_ylim(-0.1, 2)
    axes.axis("off")
    plt.show()


def _box(axes, left, bottom, width, text, colour):
    axes.barh(bottom + 0.3, width, left=left, height=0.6, color=colour, edgecolor="grey")
    axes.text(left + width / 2, bottom + 0.3, text, ha="center", va="center")
