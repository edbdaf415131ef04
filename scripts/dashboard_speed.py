"""Measures the dashboard of a large generated course in a browser: how long it takes to open and to filter."""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from browser import running_browser  # noqa: E402
from dashboard_server import TOKEN, dashboard, free_port  # noqa: E402
from generated_class import Size, generate  # noqa: E402

ASSIGNMENTS = ("async", "async_np", "auto_parallel", "hybridize", "multi_gpu", "project")
VIEWS = ("class", "exercises", "students", "health")
PATIENCE = 300_000  # milliseconds


def main(students: Annotated[int, typer.Option(min=1, help="How many students the course has.")] = 1000) -> None:
    """Generate a course, open every view of its dashboard, filter the students, and print the seconds."""
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        course = generate(Path(folder) / "course", Size(students, ASSIGNMENTS))
        port = free_port()
        with dashboard(course, "--port", str(port)):
            context = browser.new_context()
            context.set_default_timeout(PATIENCE)
            home = f"http://127.0.0.1:{port}"
            context.request.get(f"{home}/login?next=/?token={TOKEN}", max_redirects=0)
            page = context.new_page()
            print(f"{students} students x {len(ASSIGNMENTS)} assignments, load {os.getloadavg()[0]:.1f}")
            for view in (VIEWS[0], *VIEWS):  # the first time warms the browser's cache
                print(f"open {view:<10} {opening(page, f'{home}/?view={view}'):6.2f} s")
            page.goto(f"{home}/?view=students")
            print(f"filter          {filtering(page):6.2f} s")


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
