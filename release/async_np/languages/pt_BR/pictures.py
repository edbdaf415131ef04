"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import draw_lanes, listed, next_box, picture


def draw_wait_difference():
    """A small product, a large one, and a wait for each."""
    lanes = {
        "front-end": [(0, 0.8, "a·a"), (0.8, 0.8, "b·b"), (1.6, 1.0, "espera"), (2.6, 5.0, "espera pelo resto")],
        "thread de trabalho 1": [(0.8, 1.8, "faz a·a")],
        "thread de trabalho 2": [(1.6, 6.0, "faz b·b")],
    }
    draw_lanes("esperar por um só, depois por tudo", lanes)


@picture
def draw_memory(runs):
    """Draw the memory of several runs; runs: name -> list of (seconds, MB more than at the start)."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(7, 3.5))
    for (name, memory), style in zip(runs.items(), ["-", "--", "-."]):
        axes.plot(*zip(*memory), style, label=name)
    axes.set(xlabel="segundos", ylabel="MB a mais do que no início", title="Memória residente")
    axes.legend()
    return listed(next_box, (_course(name, *zip(*memory)) for name, memory in runs.items()))


def _course(name, times, sizes):
    last, most = sizes[-1], max(sizes)
    return f"{name}: após {times[-1]:.2f} segundos {last:.0f} MB a mais do que no início, no máximo {most:.0f} MB a mais"
