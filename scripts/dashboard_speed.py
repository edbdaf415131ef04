"""Measures the dashboard of a generated course: each view in a browser, and an update of many open pages.

The processor time is that of the dashboard's process and, on PostgreSQL, of the database's processes that serve it.
"""

import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import psutil
import requests
import typer
import websocket
from nbgrader.api import BaseCell, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
from playwright.sync_api import Page, expect
from sqlalchemy import create_engine, event, select

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

from benchmarks import postgresql  # noqa: E402
from browser import running_browser  # noqa: E402
from dashboard_server import TOKEN, dashboard, free_port  # noqa: E402
from generated_class import EXERCISES, Size, generate  # noqa: E402
from results import result_of  # noqa: E402

from scripts.benchmarks import report  # noqa: E402
from scripts.benchmarks.report import Sheet  # noqa: E402
from syncpoint.core.results import Cost, ExerciseResult, NotebookResult, Versions  # noqa: E402
from syncpoint.course.folder import Course  # noqa: E402
from syncpoint.dashboard.page import MAKERS  # noqa: E402
from syncpoint.dashboard.source import Source  # noqa: E402
from syncpoint.dashboard.url_state import VIEWS, UrlState  # noqa: E402
from syncpoint.records.gradebook import open_gradebook  # noqa: E402
from syncpoint.records.save_verdicts import save_verdicts  # noqa: E402
from syncpoint.report.scores import console  # noqa: E402

BEGIN, END = "<!-- figures of the dashboard: begin -->", "<!-- figures of the dashboard: end -->"
ASSIGNMENTS = tuple(
    "async async_np auto_parallel hybridize multi_gpu torch_async torch_memory torch_parallel torch_streams".split()
)
PATIENCE = 240_000  # milliseconds
STILL = 0.5  # seconds without work after which a page is complete
BATCH = 20  # submissions that grading writes in one transaction
UPDATES = 5
# What a browser sends when a page is complete.
READY = {
    "kind": "MessageSent",
    "msg_type": "bokeh_event",
    "msg_data": {"type": "event", "name": "document_ready", "values": {"type": "map"}},
}
WANTED_VIEW, WANTED_UPDATE = 1.0, 0.3  # seconds of processor time


def main(
    students: Annotated[list[int] | None, typer.Option(min=30, help="Number of students in the course.")] = None,
    pages: Annotated[int, typer.Option(min=1, help="Number of open pages to update.")] = 24,
    publish: Annotated[bool, typer.Option("--publish", help="Write the tables into the docs.")] = False,
) -> None:
    """Generate courses in SQLite and PostgreSQL, open every view of their dashboards, and grade with pages open."""
    load, rows = os.getloadavg()[0], []
    for number in students or [24 * 5, 5000]:
        for database in ("SQLite", *(() if postgresql.MISSING else ("PostgreSQL",))):
            rows.append(measured(number, database, pages))
            report.show_sheet(Sheet(f"{number} students, {database}", [rows[-1]]), console())
    command = f"python scripts/dashboard_speed.py {' '.join(f'--students {n}' for n in students or ())}".strip()
    sheet = Sheet("Seconds of processor time", rows)
    if publish:
        text = f"{report.machine(load, os.cpu_count() or 1)}: `{command}`.\n\n{report.table(sheet)}\n"
        report.put_between(ROOT / report.PAGE, BEGIN, END, text)


def measured(students: int, database: str, pages: int) -> dict[str, str]:
    """Measure one course; returns a row of the table."""
    with tempfile.TemporaryDirectory() as folder, contextmanager(server_of)(database) as (url, database_processes):
        course = Course(generate(Path(folder) / "course", Size(students, ASSIGNMENTS), url))
        if url:  # a server that has been running has done this, and does it during the measurement otherwise
            with create_engine(url, isolation_level="AUTOCOMMIT").connect() as connection:
                connection.exec_driver_sql("VACUUM ANALYZE")
        hand_in_folders(course)
        port = free_port()
        row = {"course": f"{students:,} students, {len(ASSIGNMENTS)} assignments, {database}"}
        with dashboard(course.root, "--port", str(port)) as server:
            home, process = f"http://127.0.0.1:{port}", psutil.Process(server.pid)

            def seconds() -> float:
                return sum(sum(one.cpu_times()[:2]) for one in (process, *database_processes()))

            with running_browser() as browser:
                page = browser.new_page()
                page.set_default_timeout(PATIENCE)
                page.goto(f"{home}/login?next=/?token={TOKEN}")
                for view in VIEWS:
                    page.goto("about:blank")
                    took, wall = measure(seconds, partial(opened, page, f"{home}/?view={view}&assignment=async"))
                    row[view] = f"{marked(took, WANTED_VIEW)} ({wall:.1f} s)"
                opened(page, f"{home}/?view=students&assignment=async")
                student = page.locator(".tabulator-cell[tabulator-field=student]").nth(7).inner_text()
                page.get_by_label("Search an id or a name").fill(student)
                row["search"] = f"{measure(seconds, partial(filtered, page))[0]:.2f}"
                page.goto("about:blank")
            row |= updated(course, home, pages, seconds)
        row["queries"] = str(queries(course))
    return row


def server_of(database: str) -> Iterator[tuple[str, Callable[[], list[psutil.Process]]]]:
    """The address of an empty database, "" for SQLite, and a function that gives its processes."""
    if database == "SQLite":
        yield "", list
        return
    with postgresql.running() as server:
        pid = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
        # Its ended processes count as well: their times are in those of the process that waits for them.
        yield server.create("dashboard"), lambda: [Waited(pid), *psutil.Process(pid).children()]


class Waited(psutil.Process):
    """A process whose times are those of the children that it has waited for."""

    def cpu_times(self) -> Any:
        times = super().cpu_times()
        return times._replace(user=times.children_user, system=times.children_system)


def hand_in_folders(course: Course) -> None:
    """Make the folders in ``submitted/`` that the gradebook's submissions came from."""
    with open_gradebook(course) as gradebook:
        for student in gradebook.students:
            for assignment in ASSIGNMENTS:
                (course.root / "submitted" / student.id / assignment).mkdir(parents=True)


def marked(seconds: float, wanted: float) -> str:
    return f"{'✓' if seconds <= wanted else '✗'} {seconds:.2f}"


def measure(seconds: Callable[[], float], act: Callable[[], None]) -> tuple[float, float]:
    """Return an action's processor time until all work has ended, and its wall-clock seconds."""
    idle(seconds)
    before, began = seconds(), time.monotonic()
    act()
    wall = time.monotonic() - began
    idle(seconds)
    return seconds() - before, wall


def idle(seconds: Callable[[], float]) -> None:
    """Wait until all work has ended."""
    before, now = -1.0, 0.0
    while now > before + 0.02:  # it sometimes checks whether the gradebook has changed
        time.sleep(STILL)
        before, now = now, seconds()


def opened(page: Page, address: str) -> None:
    """Open a page and wait for its first table."""
    page.goto(address)
    page.locator(".tabulator:visible").first.wait_for()


def filtered(page: Page) -> None:
    """Press the return key and wait until one student is left."""
    page.keyboard.press("Enter")
    expect(page.locator(".tabulator-row")).to_have_count(1, timeout=PATIENCE)


class OpenPage:
    """A page without a browser: it keeps the websocket open and receives a browser's messages."""

    def __init__(self, home: str, view: str, cookies: requests.cookies.RequestsCookieJar):
        html = requests.get(f"{home}/", params={"view": view, "assignment": "async"}, cookies=cookies, timeout=600).text
        (token,) = set(re.findall(r'"token":"([^"]+)"', html))
        self._channel = websocket.create_connection(
            f"{home.replace('http', 'ws', 1)}/ws",
            subprotocols=["bokeh", token],
            cookie="; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies),
            origin=home,
            timeout=600,
        )
        self._channel.recv()  # the header of its greeting, and two more parts
        self._channel.recv()
        self._channel.recv()
        self._send("PULL-DOC-REQ", {})
        self.received("PULL-DOC-REPLY")
        self._send("PATCH-DOC", {"events": [READY]})
        self.received("OK")

    def _send(self, kind: str, content: dict[str, Any]) -> None:
        for part in ({"msgid": kind, "msgtype": kind}, {}, content):
            self._channel.send(json.dumps(part))

    def received(self, kind: str) -> None:
        """Wait until a message of a kind arrives."""
        while True:
            part = self._channel.recv()
            with suppress(ValueError):
                header = json.loads(part)
                if isinstance(header, dict) and header.get("msgtype") == kind:
                    return

    def drain(self) -> None:
        """Take everything that was sent."""
        self._channel.settimeout(0.2)
        with suppress(websocket.WebSocketTimeoutException):
            while True:
                self._channel.recv()
        self._channel.settimeout(600)


def updated(course: Course, home: str, pages: int, seconds: Callable[[], float]) -> dict[str, str]:
    """Open many pages with all views of one assignment, and write what grading writes; return table cells."""
    session = requests.Session()
    session.get(f"{home}/login", params={"next": f"/?token={TOKEN}"}, timeout=600)
    views = list(VIEWS)
    shown = [OpenPage(home, views[number % len(views)], session.cookies) for number in range(pages)]
    found, chance = [], random.Random(5)
    with open_gradebook(course) as gradebook:
        students = sorted(one.student_id for one in gradebook.assignment_submissions("async"))
        for number in range(UPDATES):
            for page in shown:
                page.drain()
            grade(gradebook, students[number * BATCH : (number + 1) * BATCH], chance)
            idle(seconds)
            before = seconds()
            gradebook.db.commit()
            shown[0].received("PATCH-DOC")
            idle(seconds)
            found.append(seconds() - before)
    return {f"update of {pages} pages": marked(statistics.median(found), WANTED_UPDATE)}


def grade(gradebook: Any, students: list[str], chance: random.Random) -> None:
    """Write the rows of grading these students' submissions again, in a transaction that the caller commits."""
    found = []
    for student in students:
        exercises = []
        for name in EXERCISES:
            outcomes = [
                result_of(f"test_{n}", f"title {n}", "", 1.0, chance.random() < 0.6, "", "", 0.1, "") for n in range(6)
            ]
            exercises.append(ExerciseResult(f"test_{name}", 4.0, tuple(outcomes)))
        cost = Cost(1.0, chance.uniform(1, 9), 0.3, chance.uniform(3, 12), chance.uniform(200, 400))
        found.append((student, "work", NotebookResult(Versions("mxnet 1.9.1", "1"), tuple(exercises), cost=cost), None))
    session = gradebook.db()
    save_verdicts(session, "async", found)
    for student, _, result, _ in found:
        points = {exercise.name: exercise.points for exercise in result.exercises}
        marks = (
            select(Grade, BaseCell.name)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .join(Notebook, Notebook.id == BaseCell.notebook_id)
            .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .where(Notebook.assignment_id == "async", SubmittedAssignment.student_id == student)
        )
        for mark, name in session.execute(marks):
            mark.auto_score = points.get(name, mark.auto_score)
    session.flush()


def queries(course: Course) -> int:
    """The number of statements of all views together, when the dashboard has just started."""
    asked: list[str] = []
    with open_gradebook(course) as gradebook:
        event.listen(gradebook.engine, "before_cursor_execute", lambda *received: asked.append(received[2]))
        source = Source(course, gradebook.engine, "")
        for make in MAKERS.values():
            make(source, UrlState(assignment="async")).update()
    return len(asked)


if __name__ == "__main__":
    typer.run(main)
