"""What all views have: where they stand, what they show, and how they are brought up to date."""

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import panel as pn

from ...records.mark_log import unix_user
from ..access import TOKEN_USER
from ..html import render
from ..source import Source
from ..url_state import UrlState

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


SEND = """
const values = {}
for (const [name, [widget, property]] of Object.entries(fields)) values[name] = widget[property]
sent.value = JSON.stringify({token: token.value, values, click: Math.random()})
"""


class Form:
    """What a browser sends when somebody saves: what they typed, together with what the page showed them then.

    What the server shows next may not have reached the browser when somebody presses the button: only the browser knows
    what they saw.  So each thing that is shown has a token, and the button sends the token that is in the page.

    Args:
        button: It sends.
        fields: Names of what is sent, and for each one a widget and the property of its model.
        receive: Called with what was shown and what was typed; with None if it is not known what was shown.
            Returns whether it is saved.
    """

    def __init__(
        self,
        button: pn.widgets.Button,
        fields: Mapping[str, tuple[pn.widgets.Widget, str]],
        receive: Callable[[Any, dict[str, Any]], bool],
    ):
        self._receive, self._shown, self._saved = receive, dict[str, Any](), ""
        self._token, self._sent = (pn.widgets.TextInput(visible=False) for _ in range(2))
        self.parts = (self._token, self._sent)
        widgets = {name: widget for name, (widget, _) in fields.items()}
        pairs = ", ".join(f'{name}: [{name}, "{what}"]' for name, (_, what) in fields.items())
        button.js_on_click(
            args={"token": self._token, "sent": self._sent, **widgets},
            code=SEND.replace("Object.entries(fields)", f"Object.entries({{{pairs}}})"),
        )
        self._sent.param.watch(lambda event: self._on_sent(event.new), "value")

    def begin(self) -> None:
        """What is shown is about to change: nothing can be saved before `show`."""
        self._token.value = ""

    def show(self, what: Any) -> None:
        """This is shown from now on."""
        token = secrets.token_hex(8)
        self._shown = {**dict(list(self._shown.items())[-8:]), token: what}
        self._token.value = token

    def _on_sent(self, text: str) -> None:
        if not text:
            return
        sent = json.loads(text)
        token = str(sent["token"])
        if token and token == self._saved:  # pressed twice
            return
        if self._receive(self._shown.get(token), sent["values"]):
            self._saved, self._token.value = token, ""


def come_into_sight(pane: pn.pane.HTML | pn.pane.Markdown) -> None:
    """Have the browser scroll to a pane when its text changes: what was clicked may be far from it."""
    pane.jscallback(text=COME)


def tiles(values: Mapping[str, int | str]) -> str:
    """Numbers side by side, each above its name, as HTML."""
    return render("tiles.html", values=values)


def who() -> str:
    """The account that has logged in; whoever has only the token is the Unix user who started the server."""
    user = pn.state.user
    return f"{unix_user()} (token)" if user in (None, "", TOKEN_USER) else str(user)


def notify(sentence: str) -> None:
    """Say something that passes, where somebody sees the page."""
    if pn.state.notifications is not None:
        pn.state.notifications.info(sentence)
