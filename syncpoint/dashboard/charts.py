"""The plots: a histogram and a row of bars, small enough for a phone."""

from bisect import bisect_right
from functools import partial
from typing import Any

import pandas as pd
import panel as pn
from bokeh.models import (
    BasicTicker,
    ColumnDataSource,
    DataRange1d,
    FactorRange,
    HoverTool,
    Model,
    NumeralTickFormatter,
    Range1d,
)
from bokeh.plotting import figure

from .html import render

BAR = "#3c8cdc"
TALL = 230  # pixels


def _change(model: Model, **values: Any) -> None:
    """Change a part of a plot.

    A page that is shown may be changed by whoever has its lock alone, and a click that comes while the page is still
    loading is dealt with before anybody has it: then the change waits for its turn, as Panel's own do.
    """
    pn.state.execute(partial(model.update, **values), schedule=model.document is not None)


class _Words:
    """What a plot shows, below it: as text, for whoever does not see it or wants the numbers."""

    def __init__(self) -> None:
        self.layout = pn.pane.HTML(sizing_mode="stretch_width")

    def show(self, parts: list[str]) -> None:
        """Show these, one after the other."""
        self.layout.object = render("in_words.html", sentence="; ".join(parts) or "nothing yet")


class Histogram:
    """How many submissions have how much of something."""

    def __init__(self, title: str, axis: str):
        self._data = ColumnDataSource({"left": [], "right": [], "count": []})
        plot = figure(
            title=title, height=TALL, sizing_mode="stretch_width", tools="", toolbar_location=None,
            y_range=DataRange1d(start=0),
        )  # fmt: skip
        plot.quad(left="left", right="right", top="count", bottom=0, source=self._data, color=BAR, line_color="white")
        plot.add_tools(
            HoverTool(tooltips=[("from", "@left{0.[00]}"), ("to", "@right{0.[00]}"), ("submissions", "@count")])
        )
        plot.xaxis.axis_label = axis
        plot.yaxis.axis_label = "submissions"
        plot.yaxis.ticker = BasicTicker(min_interval=1)
        plot.grid.grid_line_alpha = 0.3
        self._words = _Words()
        self.layout = pn.Column(
            pn.pane.Bokeh(plot, sizing_mode="stretch_width"), self._words.layout, sizing_mode="stretch_width"
        )

    def show(self, values: pd.Series, edges: list[float]) -> None:
        """Count the values between the edges; a value on an edge belongs above it, the last edge to the last bar."""
        counts = [0] * (len(edges) - 1)
        for value in values:
            counts[min(max(bisect_right(edges, value) - 1, 0), len(counts) - 1)] += 1
        left, right = edges[:-1], edges[1:]
        _change(self._data, data={"left": left, "right": right, "count": counts})
        self._words.show([f"{a:g} to {b:g}: {n}" for a, b, n in zip(left, right, counts, strict=True) if n])


class Bars:
    """A share of 0 to 1 for each of some names."""

    def __init__(self, title: str):
        self._data = ColumnDataSource({"name": [], "share": []})
        self._names = FactorRange()
        plot = figure(
            title=title, height=TALL, sizing_mode="stretch_width", tools="", toolbar_location=None,
            x_range=self._names, y_range=Range1d(start=0, end=1),
        )  # fmt: skip
        plot.vbar(x="name", top="share", width=0.7, source=self._data, color=BAR)
        plot.add_tools(HoverTool(tooltips=[("", "@name"), ("share of the points", "@share{0%}")]))
        plot.yaxis.formatter = NumeralTickFormatter(format="0%")
        plot.xaxis.major_label_orientation = 0.6
        plot.grid.grid_line_alpha = 0.3
        self._words = _Words()
        self.layout = pn.Column(
            pn.pane.Bokeh(plot, sizing_mode="stretch_width"), self._words.layout, sizing_mode="stretch_width"
        )

    def show(self, names: list[str], shares: list[float]) -> None:
        """Show these bars in this order."""
        _change(self._names, factors=names)
        _change(self._data, data={"name": names, "share": shares})
        self._words.show([f"{name}: {share:.0%}" for name, share in zip(names, shares, strict=True)])
