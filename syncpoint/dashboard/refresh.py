"""The refresh: checks the gradebook at intervals, once for all open pages."""

from collections.abc import Callable

from bokeh.application.application import SessionContext
from bokeh.document import Document
from tornado.ioloop import PeriodicCallback

from .source import Source

LOOK_EVERY = 2000  # milliseconds


class Refresh:
    """Brings pages up to date when a submission arrives or the gradebook changes.

    Bokeh keeps a page for minutes after its window was closed, so the cost of a check must not grow with every page.
    """

    def __init__(self, source: Source):
        self._source = source
        self._version = source.version()
        self._updates: dict[Document, Callable[[], None]] = {}
        self._looks = PeriodicCallback(self.look, LOOK_EVERY)

    def start(self) -> None:
        """Check at intervals as long as the event loop of this thread runs."""
        self._looks.start()

    def add(self, document: Document, update: Callable[[], None]) -> None:
        """Keep a page up to date until Bokeh discards it."""

        def forget(_: SessionContext) -> None:
            del self._updates[document]

        self._updates[document] = update
        document.on_session_destroyed(forget)

    def look(self) -> None:
        """Update every page, each under its own lock, if anything has changed."""
        if self._updates and (version := self._source.version()) != self._version:
            self._version = version
            for document, update in self._updates.items():
                document.add_next_tick_callback(update)
