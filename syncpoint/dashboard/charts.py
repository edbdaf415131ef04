"""The plots: a histogram and a row of bars, small enough for a phone."""

from functools import partial
from typing import Any

import numpy as np
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

    Only the holder of its lock may change a page that is shown.  A click that arrives while the page is still loading
    is handled before anybody holds the lock; its change is then scheduled, as Panel's own changes are.
    """
    pn.state.execute(partial(model.update, **values), schedule=model.document is not None)


class _Chart:
    """A plot with the same values as text below, for readers who cannot see it or want the numbers."""

    def __init__(self, title: str, columns: tuple[str, ...], **ranges: Any):
        self._data = ColumnDataSource({name: [] for name in columns})
        self._plot = figure(
            title=title, height=TALL, sizing_mode="stretch_width", tools="", toolbar_location=None, **ranges
        )
        self._plot.grid.grid_line_alpha = 0.3
        self._in_words = pn.pane.HTML(sizing_mode="stretch_width")
        shown = pn.pane.Bokeh(self._plot, sizing_mode="stretch_width")
        self.layout = pn.Column(shown, self._in_words, sizing_mode="stretch_width")

    def _show(self, data: dict[str, Any], words: list[str]) -> None:
        _change(self._data, data=data)
        self._in_words.object = render("in_words.html", sentence="; ".join(words) or "nothing yet")


class Histogram(_Chart):
    """A histogram of one value of each submission."""

    def __init__(self, title: str, axis: str):
        super().__init__(title, ("left", "right", "count"), y_range=DataRange1d(start=0))
        plot = self._plot
        plot.quad(left="left", right="right", top="count", bottom=0, source=self._data, color=BAR, line_color="white")
        plot.add_tools(
            HoverTool(tooltips=[("from", "@left{0.[00]}"), ("to", "@right{0.[00]}"), ("submissions", "@count")])
        )
        plot.xaxis.axis_label = axis
        plot.yaxis.axis_label = "submissions"
        plot.yaxis.ticker = BasicTicker(min_interval=1)

    def show(self, values: pd.Series, edges: list[float]) -> None:
        """Count the values between the edges; a value on an edge counts above it, on the last edge below it."""
        counts = np.histogram(values.clip(edges[0], edges[-1]), edges)[0].tolist()
        left, right = edges[:-1], edges[1:]
        words = [f"{a:g} to {b:g}: {n}" for a, b, n in zip(left, right, counts, strict=True) if n]
        self._show({"left": left, "right": right, "count": counts}, words)


class Bars(_Chart):
    """Bars of shares from 0 to 1, one for each name."""

    def __init__(self, title: str):
        self._names = FactorRange()
        super().__init__(title, ("name", "share"), x_range=self._names, y_range=Range1d(start=0, end=1))
        self._plot.vbar(x="name", top="share", width=0.7, source=self._data, color=BAR)
        self._plot.add_tools(HoverTool(tooltips=[("", "@name"), ("share of the points", "@share{0%}")]))
        self._plot.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._plot.xaxis.major_label_orientation = 0.6

    def show(self, names: list[str], shares: list[float]) -> None:
        _change(self._names, factors=names)
        words = [f"{name}: {share:.0%}" for name, share in zip(names, shares, strict=True)]
        self._show({"name": names, "share": shares}, words)
