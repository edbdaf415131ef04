"""The plots: a histogram and a row of bars, small enough for a phone."""

from collections.abc import Callable
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
    TapTool,
)
from bokeh.plotting import figure

from .html import Html, render

BAR = "#3c8cdc"
TALL = 230  # pixels
BAR_HEIGHT = 22  # pixels of a bar with a name next to it
MAX_NAME_CHARACTERS = 48  # characters of such a name


def _change(model: Model, **values: Any) -> None:
    """Change a part of a plot.

    Only the holder of its lock may change a page that is shown, as an update does, which holds its changes back.  A
    click that arrives while the page is still loading is handled before anybody holds the lock; its change is then
    scheduled, as Panel's own changes are.
    """
    document = model.document
    schedule = document is not None and not document.callbacks.hold_value
    pn.state.execute(partial(model.update, **values), schedule=schedule)


class _Chart:
    """A plot with the same values as text below, for readers who cannot see it or want the numbers."""

    def __init__(self, title: str, columns: tuple[str, ...], **ranges: Any):
        self._data = ColumnDataSource({name: [] for name in columns})
        self._plot = figure(
            title=title, height=TALL, sizing_mode="stretch_width", tools="", toolbar_location=None, **ranges
        )
        self._plot.grid.grid_line_alpha = 0.3
        self._in_words = Html(sizing_mode="stretch_width")
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
        counts = np.histogram(np.clip(values.to_numpy(), edges[0], edges[-1]), edges)[0].tolist()
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


class TestBars(_Chart):
    """Bars of how many students failed each test; a click on a bar chooses it.

    The table of the same tests offers the same to people who use the keyboard.

    Args:
        title: Stands above the bars.
        choose: Called with the row of the test.
    """

    def __init__(self, title: str, choose: Callable[[pd.Series], None]):
        self._names, self._choose, self._rows = FactorRange(), choose, pd.DataFrame()
        super().__init__(title, ("place", "test", "failed", "tried"), y_range=self._names, x_range=DataRange1d(start=0))
        self._plot.hbar(y="place", right="failed", height=0.7, source=self._data, color=BAR)
        self._plot.add_tools(HoverTool(tooltips=[("", "@test"), ("failed", "@failed of @tried")]), TapTool())
        self._plot.xaxis.axis_label = "students"
        self._plot.xaxis.ticker = BasicTicker(min_interval=1)
        self._data.selected.on_change("indices", lambda _, old, new: self._chosen(new))

    def show(self, tests: pd.DataFrame) -> None:
        """Show these tests, most failed first: exercise, title, failed, tried."""
        self._rows, failed, tried = tests, tests.failed.tolist(), tests.tried.tolist()
        names = [f"{exercise}: {title}" for exercise, title in zip(tests.exercise, tests.title, strict=True)]
        places = [f"{number}. {_short(name)}" for number, name in enumerate(names, 1)]
        _change(self._names, factors=places[::-1])
        _change(self._plot, height=max(TALL, 90 + BAR_HEIGHT * len(places)), visible=bool(places))
        words = [f"{name}: {lost} of {number}" for name, lost, number in zip(names, failed, tried, strict=True)]
        self._show({"place": places, "test": names, "failed": failed, "tried": tried}, words)

    def _chosen(self, places: list[int]) -> None:
        if places and places[0] < len(self._rows):
            _change(self._data.selected, indices=[])
            self._choose(self._rows.iloc[places[0]])


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME_CHARACTERS else f"{name[: MAX_NAME_CHARACTERS - 1]}…"
