"""The plots: the text below a plot says what it shows."""

import asyncio
import re
from types import SimpleNamespace

import pandas as pd
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.server.session import ServerSession
from panel.io.state import set_curdoc
from tornado.ioloop import IOLoop

from syncpoint.dashboard.charts import Bars, Histogram


def shown(plot: Histogram | Bars) -> dict[str, list]:
    """Return the data that a plot draws, from the plot itself."""
    (source,) = plot.layout[0].object.select({"type": ColumnDataSource})
    return {name: list(values) for name, values in source.data.items()}


def words(plot: Histogram | Bars) -> str:
    """Return the text below the plot."""
    found = re.fullmatch(r"<details><summary>In words</summary>(.*)\.</details>", plot.layout[1].object)
    assert found
    return found[1]


def test_a_histogram_says_how_many_stand_in_each_of_its_bars():
    plot = Histogram("Points", "points")
    plot.show(pd.Series([0, 0.4, 1, 1.5, 2, 7.9, 8]), [0, 1, 2, 4, 8])
    drawn = shown(plot)
    bars = list(zip(drawn["left"], drawn["right"], drawn["count"], strict=True))
    assert bars == [(0, 1, 2), (1, 2, 2), (2, 4, 1), (4, 8, 2)]
    assert words(plot) == "; ".join(f"{left} to {right}: {count}" for left, right, count in bars)


def test_an_empty_bar_is_left_out_and_an_empty_plot_says_so():
    plot = Histogram("Points", "points")
    plot.show(pd.Series([0.5]), [0, 1, 2])
    assert words(plot) == "0 to 1: 1"
    plot.show(pd.Series([], dtype=float), [0, 1, 2])
    assert (words(plot), shown(plot)["count"]) == ("nothing yet", [0, 0])


def test_bars_say_the_share_of_each_name_and_no_html_of_it():
    plot = Bars("Difficulty")
    plot.show(["loops", "a<b"], [0.5, 1.0])
    assert shown(plot) == {"name": ["loops", "a<b"], "share": [0.5, 1.0]}
    assert words(plot) == "loops: 50%; a&lt;b: 100%"


def test_a_plot_of_an_unlocked_page_changes_when_the_page_is_free():
    """So stands a page while it is loading: a click on it is dealt with before the page can be changed."""

    async def changed() -> dict[str, list]:
        plot, document, done = Bars("Difficulty"), Document(), asyncio.Event()
        plot.show(["loops"], [0.5])
        document.add_root(plot.layout.get_root(document))
        session = ServerSession("one", document, IOLoop.current())
        document._session_context = lambda: SimpleNamespace(session=session)
        (source,) = document.select({"type": ColumnDataSource})
        source.on_change("data", lambda attr, old, new: done.set())
        with set_curdoc(document):
            plot.show(["loops"], [1.0])
        await asyncio.wait_for(done.wait(), 60)
        return {name: list(values) for name, values in source.data.items()}

    assert asyncio.run(changed()) == {"name": ["loops"], "share": [1.0]}
