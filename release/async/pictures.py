"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, ORANGE, draw_boxes, draw_lanes, listed, next_box, picture


def draw_languages():
    """Many front ends, one back end."""
    languages = ["Python", "R", "Scala", "Java", "Julia", "Perl", "C++"]
    boxes = {name: (0.75 * place, 2, name, BLUE) for place, name in enumerate(languages)}
    boxes["queue"] = (2.25, 1, "a queue of operations", "white")
    boxes["engine"] = (2.25, 0, "back end in C++: the engine with its threads, operations for CPU and GPU", ORANGE)
    arrows = [*((name, "queue") for name in languages), ("queue", "engine")]
    draw_boxes("many front ends, one back end", boxes, arrows, size=(9, 3.2))


def draw_two_sides():
    """Both sides while c = a * b + 2 is computed and shown."""
    front = [(0, 1, "ones"), (1, 1, "ones"), (2, 1, "*"), (3, 1, "+"), (4, 4.5, "wait for c"), (8.5, 1.2, "show c")]
    back = [(1, 1.5, "run ones"), (2.5, 1.5, "run ones"), (4, 2.5, "run *"), (6.5, 2, "run +")]
    draw_lanes("c = a * b + 2, then show c", {"front end": front, "back end": back})


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


def draw_two_loops(n=4, t1=0.8, t2=2.0, t3=0.7):
    """The loop that waits in each step, above the one that waits once."""
    step = t1 + t2 + t3
    front, back = [], []
    for start in [i * step for i in range(n)]:
        front += [(start, t1, "$t_1$"), (start + t1, t2, "wait"), (start + t1 + t2, t3, "$t_3$")]
        back += [(start + t1, t2, "$t_2$")]
    draw_lanes("synchronous: a wait in every step", {"front end": front, "back end": back}, n * step)
    front = [(i * t1, t1, "$t_1$") for i in range(n)]
    front += [(n * t1, t1 + n * (t2 - t1), "wait"), (t1 + n * t2, t3, "$t_3$")]
    back = [(t1 + i * t2, t2, "$t_2$") for i in range(n)]
    draw_lanes("asynchronous: one wait at the end", {"front end": front, "back end": back}, n * step)


def draw_in_flight():
    """The same six batches with one, with two, and with any number of them in flight."""
    draw_lanes("wait after every batch: 1 in flight", _in_flight(1), end=24.5)
    draw_lanes("bounded: at most 2 in flight", _in_flight(2), end=24.5)
    draw_lanes("wait only at the end: no bound", _in_flight(6), end=24.5)


def _in_flight(limit, batches=6, draw=1.0, train=3.0):
    """The three rows of a picture, if at most limit batches may be in flight."""
    front, back, drawn, done, now = [], [], [], [], 0.0
    for t in range(batches):
        if t >= limit and done[t - limit] > now:
            front.append((now, done[t - limit] - now, "wait"))
            now = done[t - limit]
        drawn.append(now)
        front.append((now, draw, str(t)))
        now += draw
        begin = max([now, *done[-1:]])
        back.append((begin, train, f"train {t}"))
        done.append(begin + train)
    if done[-1] > now:
        front.append((now, done[-1] - now, "wait"))
    times = sorted({*drawn, *done})
    flying = []
    for a, z in zip(times, times[1:]):
        count = sum(d <= a for d in drawn) - sum(d <= a for d in done)
        flying.append((a, z - a, str(count)))
    return {"front end": front, "back end": back, "in flight": flying}


@picture
def draw_runs(runs):
    """Draw the measurements of several loops; runs: name -> (seconds, time of each draw, (time, MB) samples)."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8))
    for (name, (seconds, drawn, memory)), style in zip(runs.items(), ["-", "--", "-."]):
        left.plot(drawn, range(1, len(drawn) + 1), style, label=name)
        right.plot(*zip(*memory), style, label=f"{name}: {seconds:.2f} sec in all")
    left.set(xlabel="seconds", ylabel="batches drawn so far", title="How far is the front end?")
    right.set(xlabel="seconds", ylabel="MB more than at the start", title="Resident memory")
    left.legend()
    right.legend()
    figure.tight_layout()
    return listed(next_box, (_course(name, *run) for name, run in runs.items()))


def _course(name, seconds, drawn, memory):
    last, most = max(drawn), max(size for _, size in memory)
    return f"{name}: last batch drawn after {last:.2f} sec, {seconds:.2f} sec in all, at most {most:.0f} MB more"
