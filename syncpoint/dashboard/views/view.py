"""The base of all views, and the parts they share."""

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import panel as pn

from ...records.mark_log import unix_user
from ..access import TOKEN_USER
from ..accessible import NEXT
from ..html import render
from ..source import Source
from ..url_state import UrlState

COME = """
setTimeout(() => Bokeh.index.find_one(cb_obj).el.scrollIntoView({block: "nearest", behavior: "smooth"}), 100)
"""


class View(ABC):
    """One view."""

    layout: pn.Column  # the view's part of the page; created once, and filled by every ``update``

    def __init__(self, source: Source, url_state: UrlState):
        self.source, self.url_state = source, url_state

    @abstractmethod
    def update(self) -> None:
        """Read what the address asks for, and show it."""


SEND = """
const values = {}
for (const [name, [widget, property]] of Object.entries(fields)) values[name] = widget[property]
sent.value = JSON.stringify({token: token.value, values, click: Math.random()})
"""


class Form:
    """A form that sends the user's input together with the page's content at that moment.

    When the user presses the button, the server's latest change may not have reached the browser yet: only the browser
    knows what the user saw.  So each item that is shown has a token, and the button sends the token in the page.

    Args:
        button: The button that sends the form.
        fields: The names of the values to send, each with a widget and the property of its model.
        receive: Called with the item that was shown and the values that were typed; the item is None if it is unknown.
            Returns whether they were saved.
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
        """Announce that another item will be shown: nothing can be saved until `show`."""
        self._token.value = ""

    def show(self, what: Any) -> None:
        """Register the item that is shown from now on."""
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
    """Scroll the browser to a pane when its text changes: the click may have been far away."""
    pane.jscallback(text=COME)


def next_button(what: str, show_next: Callable[[], None]) -> pn.widgets.Button:
    """Return a button that shows the next item of a queue; Alt+N presses it."""
    button = pn.widgets.Button(label=f"Next {what} (Alt+N)", width=200, css_classes=[NEXT])
    button.on_click(lambda _: show_next())
    return button


def tiles(values: Mapping[str, int | str]) -> str:
    """Return numbers side by side as HTML, each above its name."""
    return render("tiles.html", values=values)


def who() -> str:
    """Return the account that is logged in; with only the token, the Unix user who started the server."""
    user = pn.state.user
    return f"{unix_user()} (token)" if user in (None, "", TOKEN_USER) else str(user)


def notify(sentence: str) -> None:
    """Show a short notification on the page, if it is open."""
    if pn.state.notifications is not None:
        pn.state.notifications.info(sentence)
