"""The plot of a bench, drawn by the engine's Python, which has matplotlib: ``plot.py bench.json picture.png``."""

from __future__ import annotations  # an older Python runs it

import json
import statistics
import sys
from typing import Any

from matplotlib import pyplot

# For each grader, its name and style: a color, and lines for readers who do not see colors.
HOW = {
    "stock": ("stock nbgrader", "#9e9e9e", ""),
    "otter": ("Otter", "#c5b0d5", "xxx"),
    "cold": ("syncpoint grade", "#3182bd", "///"),
    "unchanged": ("unchanged", "#a1d99b", "..."),
}


def drawn(runs: list[dict[str, Any]]) -> Any:
    """Bars: submissions a minute by assignment, of the largest class with most workers, one look for each grader."""
    pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(figsize=(13, 3.8), layout="constrained")
    names = list(dict.fromkeys(run["assignment"] for run in runs))
    width = 0.8 / len(HOW)
    for place, (how, (label, color, lines)) in enumerate(HOW.items()):
        rates: dict[float, float] = {}
        for index, name in enumerate(names):
            found = [run for run in runs if (run["assignment"], run["how"]) == (name, how)]
            largest = max(((run["submissions"], run["workers"]) for run in found), default=None)
            seen = [60 * r["submissions"] / r["wall"] for r in found if (r["submissions"], r["workers"]) == largest]
            if seen:
                rates[index + (place - 1.5) * width] = statistics.median(seen)
        bars = axes.bar(list(rates), list(rates.values()), width, color=color, hatch=lines, edgecolor="w", label=label)
        axes.bar_label(bars, fmt="%.0f", padding=2, fontsize=8)
    axes.set_yscale("log")
    axes.set_ylim(bottom=1)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xticks(range(len(names)), names)
    axes.set_title("submissions a minute", loc="left")
    axes.legend(frameon=False, fontsize=8)
    return figure


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        drawn(json.load(file)["runs"]).savefig(sys.argv[2], dpi=120)
