"""The plot of a bench: run by the engine's Python, which has matplotlib; called with the JSON file and the picture."""

from __future__ import annotations  # an older Python runs it

import json
import statistics
import sys
from typing import Any

from matplotlib import pyplot

Runs = list[dict[str, Any]]
# Of each grader its name, and its look: a colour, and lines for whoever sees no colours.
HOW = {
    "stock": ("stock nbgrader", "#9e9e9e", ""),
    "otter": ("Otter", "#c5b0d5", "xxx"),
    "cold": ("syncpoint grade", "#3182bd", "///"),
    "unchanged": ("unchanged", "#a1d99b", "..."),
}
MARKERS = "osD^v"  # at the end of a class's line


def main(source: str, picture: str) -> None:
    """Draw the rates and, of new trivial classes if there are any, progress and memory over time."""
    with open(source) as file:
        runs = json.load(file)["runs"]
    drawn(runs).savefig(picture, dpi=120)


def drawn(runs: Runs) -> Any:
    """The figure of these runs: the rates above, and below them what trivial classes did over time."""
    pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    classes = new_classes(runs)
    places = [["rates", "rates"], *[["progress", "memory"]] * bool(classes)]
    figure, axes = pyplot.subplot_mosaic(places, figsize=(13, 3.8 * len(places)), layout="constrained")
    draw_rates(axes["rates"], runs)
    if classes:
        draw_progress(axes["progress"], classes)
        draw_memory(axes["memory"], classes)
    return figure


def new_classes(runs: Runs) -> Runs:
    """The runs of a new trivial class with most workers, the first of each size, in order of size."""
    cold = [run for run in runs if (run["how"], run["assignment"], run["round"]) == ("cold", "trivial", 0)]
    workers = max((run["workers"] for run in cold), default=0)
    return sorted((run for run in cold if run["workers"] == workers), key=lambda run: run["submissions"])


def rate_of_largest(runs: Runs, assignment: str, how: str) -> float | None:
    """Submissions a minute of the largest class with most workers, the median of its rounds; None if there is none."""
    found = [run for run in runs if (run["assignment"], run["how"]) == (assignment, how)]
    size = max(((run["submissions"], run["workers"]) for run in found), default=None)
    rates = [60 * run["submissions"] / run["wall"] for run in found if (run["submissions"], run["workers"]) == size]
    return statistics.median(rates) if rates else None


def draw_rates(axes: Any, runs: Runs) -> None:
    """Bars: submissions a minute by assignment, one look for each grader."""
    names = list(dict.fromkeys(run["assignment"] for run in runs))
    width = 0.8 / len(HOW)
    for place, (how, (label, colour, lines)) in enumerate(HOW.items()):
        rates = {index: rate_of_largest(runs, name, how) for index, name in enumerate(names)}
        known = {index + (place - 1.5) * width: rate for index, rate in rates.items() if rate is not None}
        bars = axes.bar(list(known), list(known.values()), width, color=colour, hatch=lines, edgecolor="w", label=label)
        axes.bar_label(bars, fmt="%.0f", padding=2, fontsize=8)
    axes.set_yscale("log")
    axes.set_ylim(bottom=1)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xticks(range(len(names)), names)
    axes.set_title("submissions a minute", loc="left")
    axes.legend(frameon=False, fontsize=8)


def draw_progress(axes: Any, runs: Runs) -> None:
    """Lines: submissions done over time.  A constant rate is a straight line."""
    for number, run in enumerate(runs):
        done, marker = range(1, len(run["finished"]) + 1), MARKERS[number % len(MARKERS)]
        axes.plot(run["finished"], done, marker=marker, markevery=[-1], label=f"{run['submissions']:,} submissions")
    axes.set_title("trivial, new class: submissions done", loc="left")
    axes.set_xlabel("seconds")
    axes.legend(frameon=False, fontsize=8)


def draw_memory(axes: Any, runs: Runs) -> None:
    """Lines: memory of the coordinator and of the largest worker over time."""
    for number, run in enumerate(runs):
        seconds, marker = [moment for moment, _ in run["series"]], MARKERS[number % len(MARKERS)]
        for role, style in (("coordinator", "-"), ("worker", ":")):
            label = f"{role}, {run['submissions']:,}"
            seen = [seen[role] for _, seen in run["series"]]
            axes.plot(seconds, seen, style, color=f"C{number}", marker=marker, markevery=[-1], label=label)
    axes.set_ylim(bottom=0)
    axes.set_title("memory, MiB", loc="left")
    axes.set_xlabel("seconds")
    axes.legend(frameon=False, fontsize=8)


if __name__ == "__main__":
    main(*sys.argv[1:])
