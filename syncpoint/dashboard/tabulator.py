"""The widget of all tables: text is shown as text, never as HTML, and a download contains no formula that a sheet runs.

The view (views/) defines the columns of its table.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
import pandas as pd
import panel as pn
import param
from bokeh.models import ColumnDataSource
from bokeh.models.widgets.tables import NumberFormatter

from ..core.spreadsheet import guarded
from .accessible import CHOOSES

T = TypeVar("T", pd.Series, pd.DataFrame)
PAGE = 25  # rows
NOTHING = "·"
TEXT = {"type": "textarea"}  # shown unchanged, on as many lines as needed
NUMBER = NumberFormatter(format="0.[00]", nan_format=NOTHING)
COUNT = NumberFormatter(format="0", nan_format=NOTHING)
SHARE = NumberFormatter(format="0%", nan_format=NOTHING)
WHOLE = ".tabulator-cell { overflow-wrap: anywhere }"  # a long id takes two lines
HEAD, ROW = 45, 28  # pixels at least
DEFAULTS = {"minWidth": 60, "headerSortTristate": True, "headerWordWrap": True, "variableHeight": True}
# Translucent, so that they suit light and dark pages.
GREEN, AMBER, RED, BLUE = "rgba(46,158,91,.42)", "rgba(230,160,20,.38)", "rgba(220,70,70,.42)", "rgba(60,140,220,.38)"
# A cell that waits for a reader: blue, with a sign for screen readers and for people who do not see colors.
TO_READ = f"background-color:{BLUE};--to-read:1"
# A number is in a block element, which would move to a second line and be cut off.
SIGNS = """
.tabulator-cell[style*="--to-read"]::before { content: "? "; content: "? " / "to read " }
.tabulator-cell[style*="--to-read"] > div { display: inline }
"""


@dataclass(frozen=True)
class Column:
    """How one column of a frame is shown."""

    name: str
    title: str
    formatter: NumberFormatter | dict[str, str]
    width: int = 105  # the minimum width in pixels


def as_csv(frame: pd.DataFrame) -> str:
    """Return the frame as CSV, with an apostrophe before text that a spreadsheet would run as a formula."""

    def harmless(value: object) -> object:
        return guarded(value) if isinstance(value, str) else value

    return frame.map(harmless).rename(columns=harmless).to_csv(index=False)


def shaded(share: pd.DataFrame) -> pd.DataFrame:
    """Return the colors of cells by their share of the points, 0 to 1; none for cells without a number."""
    values = share.to_numpy(dtype=float, na_value=np.nan)
    kinds = np.select([values >= 0.995, values <= 0.005, values >= 0], [1, 2, 3], 0)
    css = np.array(["", *(f"background-color:{color}" for color in (GREEN, RED, AMBER))], dtype=object)
    return pd.DataFrame(css[kinds], index=share.index, columns=share.columns, dtype=object)


def without_unread(points: T, unread: T) -> T:
    """Return the points to show: an unread answer has none yet, which differs from 0."""
    return points.mask(unread.astype(bool) & (points <= 0))


class Same:
    """A frame that nobody changes, as a key: it equals itself only, so that comparing it costs nothing."""

    def __init__(self, frame: pd.DataFrame):
        self.frame = frame

    def __hash__(self) -> int:
        return id(self.frame)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.frame is other.frame


# Open pages show the same few frames: what follows from a frame is worked out once for all of them.
@lru_cache(maxsize=32)
def _prepared(given: Same, names: tuple[str, ...]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of a frame, numbered, and those of their columns that are shown."""
    rows = given.frame.reset_index(drop=True)
    return rows, rows[list(names)]


@lru_cache(maxsize=32)
def _equal(one: Same, other: Same, start: int, end: int | None) -> bool:
    """Whether two frames have the same values in some of their rows."""
    return one.frame[start:end].equals(other.frame[start:end])


@lru_cache(maxsize=128)
def _columns(rows: Same, start: int, end: int) -> dict[str, Any]:
    """Return some rows as the browser gets them: as lists, because an array is sent in two messages of its own."""
    found: dict[str, Any] = ColumnDataSource.from_df(rows.frame[start:end])
    return {name: values.tolist() if values.dtype.kind in "biuf" else values for name, values in found.items()}


class Pages(pn.widgets.Tabulator):
    """A table of which the browser has one page.  An update sends and styles that page only, and only if it differs."""

    def __init__(self, rows: pd.DataFrame, paint: Callable[[pd.DataFrame], pd.DataFrame] | None, **options: Any):
        self._paint, self._painted = paint, pd.DataFrame()
        super().__init__(rows, **options)

    def put(self, rows: pd.DataFrame) -> None:
        """Show other rows that have the same columns."""
        before = self.value
        with param.parameterized.discard_events(self):  # Panel would also send all columns again
            self.value = rows
        if self.selection:
            self.selection = []
        if self.sorters or len(rows) != len(before):
            self._update_cds()
        elif self._shows_the_same(before, rows):
            self._processed = rows
        else:
            self._processed, self._data = self._get_data()
            for ref, (model, _) in self._models.copy().items():
                self._apply_update({}, {"data": self._data}, model.source, ref)
            if self._paint is not None:
                self._update_style()

    def _shows_the_same(self, before: pd.DataFrame, rows: pd.DataFrame) -> bool:
        start, end = self._sight
        same = _equal(Same(before), Same(rows), start, end)
        return same and (self._paint is None or self._paint(rows[start:end]).equals(self._painted))

    @property
    def _sight(self) -> tuple[int, int]:
        """The first row of the page in sight, and the first one after it."""
        size = self.page_size or PAGE
        return (self.page - 1) * size, self.page * size

    def _get_data(self) -> tuple[pd.DataFrame, dict[str, Any]]:
        if self.sorters or self.value is None:
            found: tuple[pd.DataFrame, dict[str, Any]] = super()._get_data()
            return found
        start, end = self._sight
        page, columns = self.value[start:end], _columns(Same(self.value), start, end)
        return self.value, {name: self._process_column(values, name, page) for name, values in columns.items()}

    def _update_index_mapping(self) -> None:
        """Only sorting moves rows."""
        self._index_mapping = {}
        if self.sorters:
            super()._update_index_mapping()

    def _get_style_data(self, recompute: bool = True) -> dict[str, Any]:
        """Return the styles as Panel would: by row and by column (from 1), each property with its value."""
        if self._paint is None or self._processed is None:
            return {}
        start, end = self._sight
        self._painted = self._paint(self._processed[start:end])
        styles = {
            row: {n: css.split(";") for n, css in enumerate(cells, 1) if css}
            for row, cells in enumerate(self._painted.to_numpy())
        }
        return {"id": uuid4().hex, "data": {row: cells for row, cells in styles.items() if cells}}


class Table:
    """A table with a heading and a download.  It is sent to the browser when it is first shown.

    Args:
        paint: Returns the CSS style of the cells of a frame, or of some of its columns.
        choose: Called with the row that is clicked, with all columns of the frame.
    """

    def __init__(
        self,
        name: str,
        heading: str,
        columns: list[Column],
        *,
        paint: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
        choose: Callable[[pd.Series], None] | None = None,
    ):
        self._paint, self._choose, self._columns = paint, choose, columns
        self._given: pd.DataFrame | None = None
        self.frame = self._rows = pd.DataFrame(columns=[column.name for column in columns])
        self._widget: Pages | None = None
        self._download = pn.widgets.FileDownload(
            callback=lambda: io.StringIO(as_csv(self.frame)),
            filename=f"{name}.csv",
            label="CSV",
            color="light",
            width=90,
        )
        # As few parts as possible: creating them takes most of the time of a page.
        heading_row = pn.Row(
            pn.pane.Markdown(f"### {heading}", margin=(0, 10), sizing_mode="stretch_width"),
            self._download,
            styles={"flex-wrap": "wrap"},
        )
        self.layout = pn.Column(heading_row, sizing_mode="stretch_width")

    def show(self, frame: pd.DataFrame, columns: list[Column] | None = None) -> None:
        """Show these rows and, if given, these columns instead of the current ones.  A shown frame does not change."""
        if columns is not None and columns != self._columns:
            self._columns, self._widget = columns, None
        elif frame is self._given:
            return
        self._given = frame
        self._rows, shown = _prepared(Same(frame), tuple(column.name for column in self._columns))
        if (
            self._widget is not None
            and len(shown) == len(self.frame)
            and _equal(Same(shown), Same(self.frame), 0, None)
        ):
            return
        self.frame = shown
        if self._widget is None:
            self._widget = self._made()
            self.layout[1:] = [self._widget]
        else:
            self._widget.put(shown)
        # A table is empty for a moment while it is refilled: it keeps its height so that the page does not scroll up.
        self._widget.min_height = HEAD + ROW * min(len(shown), PAGE)

    def _made(self) -> Pages:
        columns = self._columns
        widget = Pages(
            self.frame,
            self._paint,
            titles={column.name: column.title for column in columns},
            formatters={column.name: column.formatter for column in columns},
            text_align={column.name: "left" if column.formatter is TEXT else "right" for column in columns},
            header_tooltips={column.name: column.title for column in columns},
            configuration={"columnDefaults": DEFAULTS},
            widths={column.name: column.width for column in columns},
            frozen_columns=[columns[0].name],
            disabled=True,
            show_index=False,
            selectable=1 if self._choose else False,
            pagination="remote",
            page_size=PAGE,
            layout="fit_data_fill",
            stylesheets=[WHOLE, SIGNS],
            css_classes=[CHOOSES] if self._choose else [],
            sizing_mode="stretch_width",
        )
        if self._choose is not None:
            widget.on_click(lambda event: self._clicked(event.row))
        return widget

    def _clicked(self, row: int) -> None:
        if self._choose is not None and 0 <= row < len(self.frame):
            self._choose(self._rows.iloc[row])
