"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, ORANGE, draw_boxes, draw_lanes


def draw_two_sides():
    """c = a * b + 2 on both sides."""
    front = [(0, 1, "ones"), (1, 1, "ones"), (2, 1, "*"), (3, 1, "+"), (4, 4.5, "wait for c"), (8.5, 1.2, "show c")]
    back = [(1, 1.5, "run ones"), (2.5, 1.5, "run ones"), (4, 2.5, "run *"), (6.5, 2, "run +")]
    draw_lanes("c = a * b + 2, then show c", {"front end": front, "device": back})


def draw_two_loops(n=4, t1=0.8, t2=2.0, t3=0.7):
    """The loop that waits in each step, above the one that waits once."""
    step = t1 + t2 + t3
    front, back = [], []
    for start in [i * step for i in range(n)]:
        front += [(start, t1, "$t_1$"), (start + t1, t2, "wait"), (start + t1 + t2, t3, "$t_3$")]
        back += [(start + t1, t2, "$t_2$")]
    draw_lanes("synchronous: a wait in every step", {"front end": front, "device": back}, n * step)
    front = [(i * t1, t1, "$t_1$") for i in range(n)]
    front += [(n * t1, t1 + n * (t2 - t1), "wait"), (t1 + n * t2, t3, "$t_3$")]
    back = [(t1 + i * t2, t2, "$t_2$") for i in range(n)]
    draw_lanes("asynchronous: one wait at the end", {"front end": front, "device": back}, n * step)


def draw_late_error():
    """A kernel that fails in line 1, and line 3 that raises."""
    front = [
        (0, 1, "line 0"),
        (1, 1, "line 1"),
        (2, 1, "line 2"),
        (3, 1, "line 3"),
        (4, 3.2, "wait"),
        (7.2, 1.6, "error!"),
    ]
    back = [(1, 2, "run 0"), (3, 2.2, "run 1: fails"), (5.2, 2, "run 2")]
    draw_lanes("line 1 is at fault, line 3 raises", {"front end": front, "device": back})


def draw_in_flight():
    """Three ways to send batches."""
    for title, waits in (("a wait in every batch: 1 in flight", 1), ("two in flight", 2)):
        front, back, send, work, free = [], [], 0.8, 2.0, 0.0
        ends, time = [], 0.0
        for t in range(4):
            if t >= waits and ends[t - waits] > time:
                front.append((time, ends[t - waits] - time, f"wait {t - waits}"))
                time = ends[t - waits]
            front.append((time, send, f"send {t}"))
            time += send
            start = max(time, free)
            free = start + work
            ends.append(free)
            back.append((start, work, f"batch {t}"))
        draw_lanes(title, {"front end": front, "device": back}, 11.4)


def draw_languages():
    """Many front ends, one back end."""
    languages = ["Python", "C++", "Java", "Rust"]
    boxes = {name: (place, 2, name, BLUE) for place, name in enumerate(languages)}
    boxes["queues"] = (1.5, 1, "queues of operations (streams)", "white")
    boxes["back end"] = (1.5, 0, "back end: kernels for GPU and CPU", ORANGE)
    arrows = [*((name, "queues") for name in languages), ("queues", "back end")]
    draw_boxes("many front ends, one back end", boxes, arrows, size=(8, 3))


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
    draw_boxes("c = a * b + 2: an arrow leads to the operation that needs the result", boxes, arrows, size=(8, 2))
