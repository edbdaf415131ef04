"""Measures the dashboard of a generated course in a browser: how long a page takes, and the server's processor time."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import psutil
import typer
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from browser import running_browser  # noqa: E402
from dashboard_server import TOKEN, dashboard, free_port  # noqa: E402
from generated_class import Size, generate  # noqa: E402

ASSIGNMENTS = ("async", "async_np", "auto_parallel", "hybridize", "multi_gpu", "project")
VIEWS = ("class", "exercises", "misconceptions", "students", "health", "cost")
PATIENCE = 60_000  # milliseconds
STILL = 0.5  # seconds without work: all of a page was sent


def main(
    students: Annotated[list[int] | None, typer.Option(min=1, help="How many students the course has.")] = None,
) -> None:
    """Generate courses, open every view of their dashboards, filter the students, and print the seconds."""
    for number in students or [24, 1000]:
        with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
            course, port = generate(Path(folder) / "course", Size(number, ASSIGNMENTS)), free_port()
            with dashboard(course, "--port", str(port)) as server:
                page, home = browser.new_page(), f"http://127.0.0.1:{port}"
                page.set_default_timeout(PATIENCE)
                page.goto(f"{home}/login?next=/?token={TOKEN}")
                print(f"{number} students x {len(ASSIGNMENTS)} assignments, load {os.getloadavg()[0]:.1f}")
                process = psutil.Process(server.pid)
                for view in (VIEWS[0], *VIEWS):  # the first time warms the browser's cache
                    page.goto("about:blank")
                    measure(f"open {view}", process, partial(opened, page, f"{home}/?view={view}"))
                opened(page, f"{home}/?view=students")
                student = page.locator(".tabulator-cell[tabulator-field=student]").nth(7).inner_text()
                page.get_by_label("Search an id or a name").fill(student)
                measure("filter", process, partial(filtered, page))


def measure(name: str, process: psutil.Process, act: Callable[[], None]) -> None:
    """Print the wall-clock seconds of an act, and the server's processor time until it works no more."""
    idle(process)
    before, began = sum(process.cpu_times()[:2]), time.monotonic()
    act()
    seconds = time.monotonic() - began
    print(f"{name:<20} {seconds:6.2f} s, server {idle(process) - before:6.2f} s of processor time", flush=True)


def idle(process: psutil.Process) -> float:
    """Wait until a process works no more; returns its processor time."""
    before, now = -1.0, 0.0
    while now > before + 0.02:  # it looks now and then whether the gradebook has changed
        time.sleep(STILL)
        before, now = now, sum(process.cpu_times()[:2])
    return now


def opened(page: Page, address: str) -> None:
    """Open a page and wait for the first row of a table."""
    page.goto(address)
    page.locator(".tabulator-row").first.wait_for()


def filtered(page: Page) -> None:
    """Press the return key and wait until one student is left."""
    page.keyboard.press("Enter")
    expect(page.locator(".tabulator-row")).to_have_count(1, timeout=PATIENCE)


if __name__ == "__main__":
    typer.run(main)
