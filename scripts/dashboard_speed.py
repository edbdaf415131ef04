"""Measures the dashboard of a generated course in a browser: how long a page takes, and the server's processor time.

With ``--made`` without a browser: the processor time in which a page is made and described, the best of twelve.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import panel as pn
import psutil
import typer
from bokeh.document import Document
from panel.io.state import set_curdoc
from playwright.sync_api import Page, expect

from syncpoint.course.folder import Course
from syncpoint.dashboard.page import make_page
from syncpoint.dashboard.refresh import Refresh
from syncpoint.dashboard.serve import make_server
from syncpoint.dashboard.settings import Address, Login
from syncpoint.dashboard.source import Source
from syncpoint.records.gradebook import open_gradebook

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
    made: Annotated[bool, typer.Option(help="Only make the pages, without a browser.")] = False,
) -> None:
    """Generate courses, open every view of their dashboards, filter the students, and print the seconds."""
    for number in students or [24, 1000]:
        if made:
            make(number)
        else:
            measure(number)


def make(students: int) -> None:
    """Every page of one course, made in this process as the server makes it, and described as the browser gets it."""
    with tempfile.TemporaryDirectory() as folder:
        course = Course(generate(Path(folder) / "course", Size(students, ASSIGNMENTS)))
        with open_gradebook(course) as gradebook:
            source = Source(course, gradebook.engine, "")
            make_server(source, Address(port=free_port()), Login(), TOKEN).stop()  # it sets Panel up
            refresh = Refresh(source)
            print(f"{students} students x {len(ASSIGNMENTS)} assignments, load {os.getloadavg()[0]:.1f}")
            for view in VIEWS:
                found = [one_page(source, refresh, view) for _ in range(12)]
                print(f"make {view:<15} {min(seconds for seconds, _ in found):8.2f} {found[0][1]:6} parts", flush=True)


def one_page(source: Source, refresh: Refresh, view: str) -> tuple[float, int]:
    """The processor time of a page, and of how many parts (models of Bokeh's) it is."""
    began, document = time.process_time(), Document()
    with set_curdoc(document):
        pn.state.location.search = f"?view={view}"
        make_page(source, refresh).server_doc(document)
    document.to_json()
    return time.process_time() - began, len(list(document.models))


def measure(students: int) -> None:
    """One course."""
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        course = generate(Path(folder) / "course", Size(students, ASSIGNMENTS))
        port = free_port()
        with dashboard(course, "--port", str(port)) as server:
            process = psutil.Process(server.pid)
            context = browser.new_context()
            context.set_default_timeout(PATIENCE)
            home = f"http://127.0.0.1:{port}"
            context.request.get(f"{home}/login?next=/?token={TOKEN}", max_redirects=0)
            page = context.new_page()
            print(f"{students} students x {len(ASSIGNMENTS)} assignments, load {os.getloadavg()[0]:.1f}")
            print(f"{'':<15} {'clock':>8} {'server':>8}  seconds")
            for view in (VIEWS[0], *VIEWS):  # the first time warms the browser's cache
                show(f"open {view}", process, lambda view=view: opening(page, f"{home}/?view={view}"))
            page.goto(f"{home}/?view=students")
            still(process)
            show("filter", process, lambda: filtering(page))


def show(name: str, process: psutil.Process, measured: Callable[[], float]) -> None:
    """A line: the seconds by the clock, and the server's processor time until it is still."""
    before = worked(process)
    seconds = measured()
    print(f"{name:<15} {seconds:8.2f} {still(process) - before:8.2f}", flush=True)


def worked(process: psutil.Process) -> float:
    """The processor time that a process has used, in seconds."""
    times = process.cpu_times()
    return times.user + times.system


def still(process: psutil.Process) -> float:
    """The same, once it works no more."""
    before = -1.0
    while (now := worked(process)) > before + 0.02:  # it looks now and then whether the gradebook has changed
        before = now
        time.sleep(STILL)
    return now


def opening(page: Page, address: str) -> float:
    """Seconds until the first row of a table is there."""
    began = time.monotonic()
    page.goto(address)
    page.locator(".tabulator-row").first.wait_for()
    return time.monotonic() - began


def filtering(page: Page) -> float:
    """Seconds from the return key to the students who are left."""
    page.locator(".tabulator-row").first.wait_for()
    student = page.locator(".tabulator-cell[tabulator-field=student]").nth(7).inner_text()
    page.get_by_label("Search an id or a name").fill(student)
    began = time.monotonic()
    page.keyboard.press("Enter")
    expect(page.locator(".tabulator-row")).to_have_count(1, timeout=PATIENCE)
    return time.monotonic() - began


if __name__ == "__main__":
    typer.run(main)
