"""What somebody sees of a part of the dashboard, and does there, without a browser: read from its layout alone."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pandas as pd
import panel as pn
from bokeh.models import ColumnDataSource
from panel.models.tabulator import CellClickEvent


class Seen:
    """A view, or another part with a layout."""

    def __init__(self, part: Any):
        self.layout = part.layout

    def of(self, kind: type) -> list[Any]:
        """The visible parts of a kind, in order."""
        return [part for part in _visible(self.layout) if isinstance(part, kind)]

    @property
    def html(self) -> str:
        """The HTML of all panes."""
        return "\n".join(str(pane.object) for pane in self.of(pn.pane.HTML))

    @property
    def tables(self) -> list[pd.DataFrame]:
        """The tables, in order."""
        return [table.value for table in self.of(pn.widgets.Tabulator)]

    @property
    def plots(self) -> list[dict[str, list[Any]]]:
        """The data of the plots, in order."""
        figures = [pane.object for pane in self.of(pn.pane.Bokeh)]
        sources = (source for figure in figures for source in figure.select({"type": ColumnDataSource}))
        return [{name: list(values) for name, values in source.data.items()} for source in sources]

    @property
    def ticked(self) -> list[int]:
        """The boxes that are ticked."""
        return [number for group in self.of(pn.widgets.CheckBoxGroup) for number in group.value]

    @property
    def typed(self) -> str:
        """The text in the field for longer texts."""
        (field,) = self.of(pn.widgets.TextAreaInput)
        return str(field.value)

    def click(self, **wanted: Any) -> None:
        """Click on the one row of the first table that has these values."""
        table = self.of(pn.widgets.Tabulator)[0]
        found = table.value[(table.value[list(wanted)] == pd.Series(wanted)).all(axis=1)]
        (row,) = found.index
        table._process_event(CellClickEvent(None, str(table.value.columns[0]), int(row)))

    def offers(self, label: str) -> bool:
        """Whether there is a button of this name."""
        return label in [button.label for button in self.of(pn.widgets.Button)]

    def token(self, label: str) -> str:
        """What the page has of the thing that a button saves."""
        return str(self._hidden(label)[0].value)

    def press(self, label: str, token: str | None = None, **typed: Any) -> bool:
        """Send what a browser sends when somebody presses a button; an earlier token is that of another thing.

        Returns:
            Whether it was saved.
        """
        shown, sent = self._hidden(label)
        token = shown.value if token is None else token
        sent.value = json.dumps({"token": token, "values": typed, "click": random.random()})
        return "Nothing was saved" not in self.html

    def _hidden(self, label: str) -> tuple[pn.widgets.TextInput, pn.widgets.TextInput]:
        """The two hidden fields of a button: what is shown, and what is sent."""
        place = [button.label for button in self.layout.select(pn.widgets.Button)].index(label)
        fields = [field for field in self.layout.select(pn.widgets.TextInput) if not field.visible]
        return fields[2 * place], fields[2 * place + 1]


def _visible(part: Any) -> Iterator[Any]:
    if part.visible:
        yield part
        for child in getattr(part, "objects", ()) if isinstance(part, pn.layout.base.ListLike) else ():
            yield from _visible(child)
