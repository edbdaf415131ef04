"""Lets all openings of the gradebook share what SQLAlchemy has worked out of their statements.

nbgrader opens the gradebook ten times for each submission, each time with a new engine of SQLAlchemy's, which works
every statement out anew: a third of the time that it takes to write a submission.  A plugin of SQLAlchemy's, named in
the gradebook's address, gives engines of the same address one dialect and one cache.
"""

from typing import Any

from sqlalchemy import Dialect, Engine, make_url
from sqlalchemy.dialects import plugins
from sqlalchemy.engine import URL, CreateEnginePlugin

NAME = "syncpoint_statements"


class SharedStatements(CreateEnginePlugin):
    """Makes a new engine use the dialect and the statements of the first one with its address."""

    _shared: dict[URL, tuple[Dialect, dict[Any, Any]]] = {}

    def __init__(self, url: URL, kwargs: dict[str, Any]):
        super().__init__(url, kwargs)
        self._address = url

    def update_url(self, url: URL) -> URL:
        """The address without the plugin's name, which SQLAlchemy takes out itself."""
        return url

    def engine_created(self, engine: Engine) -> None:
        """Hand the engine what is shared."""
        engine.dialect, statements = self._shared.setdefault(self._address, (engine.dialect, {}))
        engine.update_execution_options(compiled_cache=statements)


def sharing(address: str) -> str:
    """The same address, with the plugin; only SQLite's, whose dialect holds nothing of a connection's."""
    url = make_url(address)
    if url.get_backend_name() != "sqlite":
        return address
    plugins.register(NAME, __name__, SharedStatements.__name__)
    return url.update_query_pairs([("plugin", NAME)], append=True).render_as_string(hide_password=False)
