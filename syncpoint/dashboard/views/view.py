"""What all views have: where they stand, what they show, and how they are brought up to date."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import panel as pn

from ...records.mark_log import unix_user
from ..access import TOKEN_USER
from ..source import Source
from ..url_state import UrlState

TILE = (
    '<div style="border:1px solid #8885;border-radius:8px;padding:8px 14px;min-width:92px">'
    '<div style="font-size:26px;font-weight:600;line-height:1.2">{value}</div>'
    '<div style="opacity:.75;font-size:13px">{name}</div></div>'
)


COME = """
setTimeout(() => Bokeh.index.find_one(cb_obj).el.scrollIntoView({block: "nearest", behavior: "smooth"}), 100)
"""


class View(ABC):
    """One view.

    Attributes:
        layout: What is on the page; made once, and filled by every ``update``.
    """

    layout: pn.Column

    def __init__(self, source: Source, url_state: UrlState):
        self.source, self.url_state = source, url_state

    @abstractmethod
    def update(self) -> None:
        """Read anew what the address asks for, and show it."""


def come_into_sight(pane: pn.pane.HTML | pn.pane.Markdown) -> None:
    """Have the browser scroll to a pane when its text changes: what was clicked may be far from it."""
    pane.jscallback(text=COME)


def tiles(values: Mapping[str, int | str]) -> str:
    """Numbers side by side, each above its name, as HTML.  The names are ours."""
    boxes = "".join(TILE.format(name=name, value=value) for name, value in values.items())
    return f'<div style="display:flex;flex-wrap:wrap;gap:10px">{boxes}</div>'


def who() -> str:
    """The account that has logged in; whoever has only the token is the Unix user who started the server."""
    user = pn.state.user
    return f"{unix_user()} (token)" if user in (None, "", TOKEN_USER) else str(user)


def notify(sentence: str) -> None:
    """Say something that passes, where somebody sees the page."""
    if pn.state.notifications is not None:
        pn.state.notifications.info(sentence)
