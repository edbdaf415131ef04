"""The dashboard starts from the demo, and prints no noise on the operator's screen."""

import asyncio
import gc
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from bokeh.server.server import Server
from classroom import ROOT
from dashboard_server import free_port
from generated_class import Size, generate
from tornado.httpclient import AsyncHTTPClient
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClosedError
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.dashboard.serve import make_server, quiet_closed_pages
from syncpoint.dashboard.settings import Address
from syncpoint.dashboard.source import Source


def test_the_demo_opens_the_dashboard_that_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    opened = []

    async def fake_browser(address: str) -> None:
        opened.append(await AsyncHTTPClient().fetch(address))
        IOLoop.current().stop()

    def on_a_free_port(source: Source, address: Address, *rest: object) -> Server:
        return make_server(source, replace(address, port=free_port()), *rest)

    monkeypatch.chdir(generate(tmp_path / "course", Size(2)))
    monkeypatch.setattr("webbrowser.open", fake_browser)
    monkeypatch.setattr("syncpoint.dashboard.serve.make_server", on_a_free_port)
    monkeypatch.setattr("syncpoint.demo.make_demo.run", lambda course, *_: course)
    done = CliRunner().invoke(app, ["demo", "--assignment", "async", "--open"])
    assert (done.exit_code, [page.code for page in opened]) == (0, [200]), done.output


@pytest.mark.parametrize(
    ("arguments", "opens"), [([], False), (["OPEN=0"], False), (["OPEN=1"], True), (["OPEN=foo"], True)]
)
def test_make_demo_passes_on_whether_to_open_it(arguments: list[str], opens: bool):
    lines = subprocess.run(
        ["make", "-n", "demo", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert ("demo --open" in lines) == opens


@pytest.mark.parametrize(("error", "logged"), [(WebSocketClosedError, 0), (ValueError, 1)])
def test_a_page_that_closes_leaves_no_traceback(error: type, logged: int, caplog: pytest.LogCaptureFixture):
    async def send() -> None:
        raise error

    async def send_and_forget() -> None:
        await asyncio.wait([asyncio.create_task(send())])

    quiet_closed_pages()
    asyncio.run(send_and_forget())
    gc.collect()
    assert len([record for record in caplog.records if record.name == "asyncio"]) == logged
