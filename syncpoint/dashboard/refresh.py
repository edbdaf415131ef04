"""The refresh: one look at the gradebook, now and then, for all the pages that are open."""

from collections.abc import Callable

from bokeh.application.application import SessionContext
from bokeh.document import Document
from tornado.ioloop import PeriodicCallback

from .source import Source

LOOK_EVERY = 2000  # milliseconds


class Refresh:
    """Brings pages up to date when something was handed in, or written to the gradebook.

    Bokeh keeps a page for minutes after its window was closed, so a look must not cost more with every page.
    """

    def __init__(self, source: Source):
        self._source = source
        self._version = source.version()
        self._updates: dict[Document, Callable[[], None]] = {}
        self._looks = PeriodicCallback(self.look, LOOK_EVERY)

    def start(self) -> None:
        """Look again and again, as long as the event loop of this thread runs."""
        self._looks.start()

    def add(self, document: Document, update: Callable[[], None]) -> None:
        """Keep a page up to date, until Bokeh forgets it."""

        def forget(_: SessionContext) -> None:
            del self._updates[document]

        self._updates[document] = update
        document.on_session_destroyed(forget)

    def look(self) -> None:
        """Update every page, each behind its own lock, if there is anything new."""
        if self._updates and (version := self._source.version()) != self._version:
            self._version = version
            for document, update in self._updates.items():
                document.add_next_tick_callback(update)
