"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import draw_lanes, listed, next_box, picture


def draw_wait_difference():
    """A small product, a large one, and a wait for each."""
    lanes = {
        "front end": [(0, 0.8, "a·a"), (0.8, 0.8, "b·b"), (1.6, 1.0, "wait"), (2.6, 5.0, "wait for the rest")],
        "worker 1": [(0.8, 1.8, "run a·a")],
        "worker 2": [(1.6, 6.0, "run b·b")],
    }
    draw_lanes("wait for one, then for all", lanes)


@picture
def draw_memory(runs):
    """Draw the memory of several runs; runs: name -> list of (seconds, MB more than at the start)."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(7, 3.5))
    for (name, memory), style in zip(runs.items(), ["-", "--", "-."]):
        axes.plot(*zip(*memory), style, label=name)
    axes.set(xlabel="seconds", ylabel="MB more than at the start", title="Resident memory")
    axes.legend()
    return listed(next_box, (_course(name, *zip(*memory)) for name, memory in runs.items()))


def _course(name, times, sizes):
    last, most = sizes[-1], max(sizes)
    return f"{name}: after {times[-1]:.2f} seconds {last:.0f} MB more than at the start, at most {most:.0f} MB more"
