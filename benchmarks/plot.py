"""The plot of a bench: run by the engine's Python, which has matplotlib; called with the JSON file and the picture."""

from __future__ import annotations  # an older Python runs it

import json
import statistics
import sys
from typing import Any

from matplotlib import pyplot

Runs = list[dict[str, Any]]
HOW = {
    "stock": ("stock nbgrader", "#9e9e9e"),
    "otter": ("Otter", "#c5b0d5"),
    "cold": ("syncpoint grade", "#3182bd"),
    "unchanged": ("unchanged", "#a1d99b"),
}


def main(source: str, picture: str) -> None:
    """Draw the rates, the progress of the largest runs, and their memory."""
    with open(source) as file:
        runs = json.load(file)["runs"]
    pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, (rates, progress, memory) = pyplot.subplots(1, 3, figsize=(13, 3.8), layout="constrained")
    draw_rates(rates, runs)
    classes = new_classes(runs)
    draw_progress(progress, classes)
    draw_memory(memory, classes)
    figure.savefig(picture, dpi=120)


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
    """Bars: submissions a minute by assignment, one colour for each grader."""
    names = list(dict.fromkeys(run["assignment"] for run in runs))
    width = 0.8 / len(HOW)
    for place, (how, (label, colour)) in enumerate(HOW.items()):
        rates = {index: rate_of_largest(runs, name, how) for index, name in enumerate(names)}
        known = {index + (place - 1.5) * width: rate for index, rate in rates.items() if rate is not None}
        drawn = axes.bar(list(known), list(known.values()), width, color=colour, label=label)
        axes.bar_label(drawn, fmt="%.0f", padding=2, fontsize=8)
    axes.set_yscale("log")
    axes.set_ylim(bottom=1)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xticks(range(len(names)), names, rotation=12)
    axes.set_title("submissions a minute", loc="left")
    axes.legend(frameon=False, fontsize=8)


def draw_progress(axes: Any, runs: Runs) -> None:
    """Lines: submissions done over time.  A constant rate is a straight line."""
    for run in runs:
        done = range(1, len(run["finished"]) + 1)
        axes.plot(run["finished"], done, label=f"{run['submissions']:,} submissions")
    axes.set_title("trivial, new class: submissions done", loc="left")
    axes.set_xlabel("seconds")
    axes.legend(frameon=False, fontsize=8)


def draw_memory(axes: Any, runs: Runs) -> None:
    """Lines: memory of the coordinator and of the largest worker over time."""
    for number, run in enumerate(runs):
        seconds = [moment for moment, _ in run["series"]]
        for role, style in (("coordinator", "-"), ("worker", ":")):
            label = f"{role}, {run['submissions']:,}"
            axes.plot(seconds, [seen[role] for _, seen in run["series"]], style, color=f"C{number}", label=label)
    axes.set_ylim(bottom=0)
    axes.set_title("memory, MiB", loc="left")
    axes.set_xlabel("seconds")
    axes.legend(frameon=False, fontsize=8)


if __name__ == "__main__":
    main(*sys.argv[1:])
