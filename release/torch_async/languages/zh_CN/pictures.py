"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, ORANGE, draw_boxes, draw_lanes


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


def draw_languages():
    """Many front ends, one back end."""
    languages = ["Python", "C++", "Java", "Rust"]
    boxes = {name: (place, 2, name, BLUE) for place, name in enumerate(languages)}
    boxes["queues"] = (1.5, 1, "操作的队列（流）", "white")
    boxes["后端"] = (1.5, 0, "后端：用于GPU和CPU的核函数", ORANGE)
    arrows = [*((name, "queues") for name in languages), ("queues", "后端")]
    draw_boxes("多个前端，一个后端", boxes, arrows, size=(8, 3))


def draw_graph():
    """The dependencies in c = a * b + 2."""
    boxes = {
        "a": (0, 1, "a = ones", BLUE),
        "b": (0, 0, "b = ones", BLUE),
        "product": (1.5, 0.5, "a * b", BLUE),
        "sum": (3, 0.5, "+ 2", BLUE),
        "c": (4, 0.5, "c", GREEN),
    }
    arrows = [("a", "product"), ("b", "product"), ("product", "sum"), ("sum", "c")]
    draw_boxes("c = a * b + 2：箭头指向需要这个结果的操作", boxes, arrows, size=(8, 2))
