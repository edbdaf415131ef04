"""The server: Panel's, on this machine only, protected by a token, passwords or OAuth."""

import contextlib
import gc
import logging
import os
import secrets
import signal
import socket
import traceback
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import panel as pn
from bokeh.server import connection as bokeh_connection
from bokeh.server.server import Server
from bokeh.settings import settings
from panel.io.server import get_server
from sqlalchemy import Engine, event
from tornado.websocket import WebSocketClosedError

from ..course.folder import Course
from ..records.database import upgrade
from ..records.gradebook import database, open_gradebook
from ..records.owner import shown
from ..records.pseudonyms import read_key
from . import queries
from .access import AllowedOnly, TokenAuth
from .files import FEEDBACK_ROUTE, REPORT_ROUTE, FeedbackPage, ReportFile
from .page import make_page
from .people import anonymous as under_pseudonyms
from .refresh import Refresh
from .settings import Address, DashboardError, Login, read_passwords
from .source import Source

HERE = "127.0.0.1"
PATIENCE = 300_000  # milliseconds, as long as Bokeh's own tokens of a session
# New objects after which unreachable ones are searched for.  An update of a page creates many, and few are in cycles:
# with Python's 700, the searches would take a quarter of its time.
OBJECTS = 50_000
TOKEN_VARIABLE = "SYNCPOINT_DASHBOARD_TOKEN"
CLOSED_WHILE_SENDING = "Failed sending message as connection was closed"  # as bokeh.server.views.ws warns
DISCONNECTED = "The dashboard has stopped, so this page is out of date. Start it again and reload the page."


def run(
    course: Course, address: Address, login: Login, formgrader: str, browser: bool, anonymous: bool = False
) -> None:
    """Serve the dashboard until Ctrl-C or SIGTERM.

    Raises:
        DashboardError: If the address cannot be used.
        SyncpointError: If students are shown by pseudonyms and the key for them cannot be used.
    """
    with open_gradebook(course) as gradebook:
        upgrade(gradebook.engine)
        without_compiler(gradebook.engine)
        engine = under_pseudonyms(gradebook.engine, read_key(course)) if anonymous else gradebook.engine
        source = Source(course, engine, formgrader.rstrip("/"))
        names = source.read(queries.assignments, "").assignment
        source.cache.rows_of_all(queries.submissions, names)  # for the first page
        token = os.environ.get(TOKEN_VARIABLE) or secrets.token_hex(24)
        server = make_server(source, address, login, token)
        where = str(address.unix_socket or f"http://{HERE}:{server.port}{server.prefix}/")
        if login.passwords or login.oauth:
            first = where
        elif address.unix_socket:
            # A token that a proxy set must not appear in the proxy's log.
            first = where if TOKEN_VARIABLE in os.environ else f"{where}   (token: {token})"
        else:
            first = f"{where}?{urlencode({'token': token})}"
        print(f"Dashboard of {course.id}, on this machine only; Ctrl-C ends it:\n\n    {first}\n")
        print(f"Gradebook: {shown(database(course))}", flush=True)
        if browser and not address.unix_socket:
            server.io_loop.add_callback(webbrowser.open, first)
        quiet_closed_pages()
        gc.freeze()  # loaded modules stay: scanning them would take a tenth of a page's time
        gc.set_threshold(OBJECTS)
        with ended_by_signals():
            server.start()
            server.io_loop.start()
        server.stop()


def without_compiler(engine: Engine) -> None:
    """Let PostgreSQL not compile statements: for a view's statements, that takes longer than it saves."""
    if engine.dialect.name == "postgresql":
        engine.dispose()  # for connections that are open already, it would be too late

        @event.listens_for(engine, "connect")
        def set_up(connection: Any, _record: Any) -> None:
            connection.cursor().execute("SET jit = off")
            connection.commit()  # a connection that returns to the pool is rolled back


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the process at once in this block.

    Nothing is lost, since each write is one transaction.  Taking all pages apart would take seconds.
    """
    usual = {number: signal.signal(number, _end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(0)


def quiet_closed_pages() -> None:
    """Log nothing when a page is closed while a message is sent to it: no traceback, no Bokeh warning."""

    def is_news(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not (
            isinstance(error, WebSocketClosedError) or _after_the_close(error) or record.msg == CLOSED_WHILE_SENDING
        )

    for name in ("asyncio", "tornado.application", "bokeh.server.views.ws", "bokeh.server.protocol_handler"):
        logging.getLogger(name).addFilter(is_news)


def _after_the_close(error: BaseException | None) -> bool:
    """Whether a message arrived after the page closed: Bokeh asserts that the page still has a session."""
    if not isinstance(error, AssertionError):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and frames[-1].filename == bokeh_connection.__file__ and frames[-1].name == "session"


def make_server(source: Source, address: Address, login: Login, token: str) -> Server:
    """Return the server, not yet started."""
    settings.perform_document_validation = False  # it would only validate each page again for our own mistakes
    pn.extension("tabulator", notifications=True, disconnect_notification=DISCONNECTED)
    options: dict[str, Any] = {
        "show": False,
        "start": False,
        "cookie_secret": secrets.token_hex(32),
        # Clients cannot invent a session: the server signs them.
        "sign_sessions": True,
        "secret_key": secrets.token_bytes(32),
        # On a busy machine a websocket may open long after its page.
        "unused_session_lifetime_milliseconds": PATIENCE,
        "prefix": address.prefix,
        "cookie_path": f"/{address.prefix.strip('/')}",
        "extra_patterns": [
            (FEEDBACK_ROUTE, FeedbackPage, {"source": source}),
            (REPORT_ROUTE, ReportFile, {"source": source}),
        ],
        "title": f"Syncpoint: {source.course.id}",
    }
    if address.unix_socket is not None:
        if _is_listening(address.unix_socket):
            raise DashboardError(f"{address.unix_socket} is in use by another dashboard: choose another socket.")
        options |= {"unix_socket": str(address.unix_socket), "websocket_origin": list(address.origins)}
    else:
        here = [f"{name}:{address.port}" for name in (HERE, "localhost")]
        options |= {"port": address.port, "address": HERE, "websocket_origin": [*here, *address.origins]}
    if login.passwords is not None:
        options["basic_auth"] = read_passwords(login.passwords)
    elif login.oauth:
        options["auth_provider"] = AllowedOnly(login.oauth, login.allowed)
    else:
        name = address.unix_socket.name if address.unix_socket else address.port
        options["auth_provider"] = TokenAuth(token, f"syncpoint-{name}")
    refresh = Refresh(source)
    try:
        server = get_server(lambda: make_page(source, refresh), **options)
    except OSError as problem:
        place = address.unix_socket or f"port {address.port}"
        raise DashboardError(f"Cannot listen at {place} ({problem.strerror}): choose another address.") from None
    server.io_loop.add_callback(refresh.start)
    return server


def _is_listening(path: Path) -> bool:
    """Whether a server listens at a Unix socket; a stale socket is reused."""
    with socket.socket(socket.AF_UNIX) as caller, contextlib.suppress(OSError):
        caller.connect(str(path))
        return True
    return False
