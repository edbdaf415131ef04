"""The dashboard stops at once when asked, even with pages open, and prints nothing on its standard error."""

import asyncio
import http.client
import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from bokeh.document import Document
from bokeh.protocol import Protocol
from bokeh.server.connection import ServerConnection
from bokeh.server.protocol_handler import ProtocolHandler
from bokeh.server.session import ServerSession
from bokeh.server.views.ws import WSHandler
from classroom import BIN
from dashboard_server import TOKEN, free_port
from generated_class import Size, generate
from tornado.httpclient import HTTPRequest
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from syncpoint.dashboard.serve import quiet_closed_pages

PATIENCE = 60  # seconds: what hangs, hangs longer
SESSION = re.compile(r'"token":"([^"]+)"')
# A server that never comes back from a page, as with a class without end.
BUSY = """
from syncpoint.cli import app
from syncpoint.dashboard.page import Page
def refresh(page):
    print("busy", flush=True)
    while True:
        pass
Page.refresh = refresh
app()
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("ends") / "course", Size(20, exercises=2, tests=2))


class Running:
    """A dashboard that runs, what it says on its standard error, and the pages that are open."""

    def __init__(self, process: subprocess.Popen[str], port: int, errors: Path):
        self.process, self.port, self.errors = process, port, errors
        self.loop = asyncio.new_event_loop()
        self.tabs: list[WebSocketClientConnection] = []

    def open_tab(self) -> WebSocketClientConnection:
        """A page whose websocket has its document; nobody reads what comes afterwards, as in a laptop that sleeps."""
        self.tabs.append(self.loop.run_until_complete(self._open()))
        self.until(self.tabs[-1], "PULL-DOC-REPLY")
        return self.tabs[-1]

    def until(self, tab: WebSocketClientConnection, kind: str) -> None:
        """Read the server's messages to a page until one of this kind arrives."""

        async def read() -> None:
            while (message := await tab.read_message()) is not None:
                if kind in str(message):
                    return
            raise AssertionError(f"the server closed the page before {kind}")

        self.loop.run_until_complete(read())

    async def _open(self) -> WebSocketClientConnection:
        home = f"127.0.0.1:{self.port}"
        cookie, page = await asyncio.to_thread(self._page)
        (session,) = SESSION.findall(page)
        headers = {"Origin": f"http://{home}", "Sec-WebSocket-Protocol": f"bokeh, {session}", "Cookie": cookie}
        tab = await websocket_connect(HTTPRequest(f"ws://{home}/ws", headers=headers, request_timeout=PATIENCE))
        while "ACK" not in str(await tab.read_message()):
            pass  # the server hears nothing before it has the session
        for part in ('{"msgid":"1","msgtype":"PULL-DOC-REQ"}', "{}", "{}"):
            await tab.write_message(part)
        return tab

    def _page(self) -> tuple[str, str]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as caller:
            caller.request("GET", f"/login?next=/?token={TOKEN}")
            reply = caller.getresponse()
            reply.read()
            cookie = reply.headers["Set-Cookie"].partition(";")[0]
            caller.request("GET", "/", headers={"Cookie": cookie})
            return cookie, caller.getresponse().read().decode()


@contextmanager
def running(course: Path, folder: Path, *program: str) -> Iterator[Running]:
    """``syncpoint dashboard``, or another program with its options, as a service starts it."""
    port = free_port()
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "SYNCPOINT_DASHBOARD_TOKEN": TOKEN}
    command = [*(program or (str(BIN / "syncpoint"),)), "dashboard", "--port", str(port)]
    with (
        (folder / "errors").open("w") as errors,
        subprocess.Popen(
            command, cwd=course, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None and "Ctrl-C ends it" in process.stdout.readline()
            yield Running(process, port, folder / "errors")
        finally:
            process.kill()


def change(course: Path) -> None:
    """Write something to the gradebook that pages show."""
    with closing(sqlite3.connect(course / "gradebook.db")) as gradebook:
        gradebook.execute("UPDATE student SET first_name = first_name || '!'")
        gradebook.commit()


@pytest.mark.exhaustive
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_silently_while_pages_are_open(course: Path, tmp_path: Path, ending: signal.Signals):
    with running(course, tmp_path) as dashboard:
        for _ in range(3):
            dashboard.open_tab()
        dashboard.process.send_signal(ending)
        assert dashboard.process.wait(PATIENCE) == 0
    assert dashboard.errors.read_text() == ""


@pytest.mark.exhaustive
def test_a_page_that_was_closed_while_it_is_brought_up_to_date_leaves_no_traceback(course: Path, tmp_path: Path):
    with running(course, tmp_path) as dashboard:
        closed, open_still = dashboard.open_tab(), dashboard.open_tab()
        closed.protocol.stream.socket.shutdown(socket.SHUT_RDWR)
        change(course)
        dashboard.until(open_still, "PATCH-DOC")
        dashboard.open_tab()
        dashboard.process.send_signal(signal.SIGTERM)
        assert dashboard.process.wait(PATIENCE) == 0
    assert dashboard.errors.read_text() == ""


@pytest.fixture
def unfiltered(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """No filter of another test's in the logs, and none that stays behind."""
    for module in (WSHandler.__module__, ProtocolHandler.__module__, "asyncio", "tornado.application"):
        monkeypatch.setattr(logging.getLogger(module), "filters", [])
    # distributed, once imported, has Bokeh's logger say errors alone, and to the screen.
    monkeypatch.setattr(logging.getLogger("bokeh"), "propagate", True)
    caplog.set_level("WARNING", logger="bokeh")


@pytest.mark.usefixtures("unfiltered")
def test_bokehs_warning_that_a_page_was_closed_is_not_logged(caplog: pytest.LogCaptureFixture):
    class ToAClosedPage:
        async def send(self, page: object) -> None:
            raise WebSocketClosedError

    def send() -> None:
        asyncio.run(WSHandler.send_message(None, ToAClosedPage()))

    with caplog.at_level("WARNING"):
        send()
        assert len(caplog.records) == 1  # as long as Bokeh says it, and in these words
        quiet_closed_pages()
        send()
        assert len(caplog.records) == 1


@pytest.mark.usefixtures("unfiltered")
def test_a_message_of_a_page_that_was_closed_is_no_traceback(caplog: pytest.LogCaptureFixture):
    protocol = Protocol()
    closed = ServerConnection(protocol, None, None, ServerSession("one", Document(), IOLoop(make_current=False)))
    closed.detach_session()

    def read() -> None:
        asyncio.run(ProtocolHandler().handle(protocol.create("PULL-DOC-REQ"), closed))

    with caplog.at_level("ERROR"):
        read()
        assert len(caplog.records) == 1  # as long as Bokeh says it
        quiet_closed_pages()
        read()
        assert len(caplog.records) == 1


@pytest.mark.exhaustive
def test_it_ends_while_it_is_busy_with_a_page(course: Path, tmp_path: Path):
    with running(course, tmp_path, sys.executable, "-c", BUSY) as dashboard:
        dashboard.open_tab()
        change(course)
        while "busy" not in dashboard.process.stdout.readline():
            assert dashboard.process.poll() is None
        dashboard.process.send_signal(signal.SIGTERM)
        assert dashboard.process.wait(PATIENCE) == 0
