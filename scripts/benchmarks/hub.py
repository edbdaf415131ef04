"""The command ``python -m scripts.benchmarks.hub``: the cost of a student's server, and of a class on a hub.

The hub is that of deploy/, as `make hub-try` runs it, on this machine's own addresses.  Its students have no browser:
they send what JupyterLab sends, by HTTP and websocket.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import nbformat
import psutil
import requests
import typer
import websocket

from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.course.cells import grade_id
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course
from syncpoint.demo.sample_submission import reference_solutions
from syncpoint.engines.find import find
from syncpoint.report.scores import console

from . import report
from .report import Sheet

BEGIN, END = "<!-- figures of the hub: begin -->", "<!-- figures of the hub: end -->"
COURSE = "syncpoint"
TOML = """\
bind = "http://127.0.0.1:{port}"
hub_port = {hub_port}
proxy_port = {proxy_port}
exchange = "{folder}/exchange"
state = "{folder}/state"
accounts = false

[courses.{course}]
folder = "{folder}/course"
account = "grader"
graders = ["ines"]
students = {students}
"""
PATIENCE = 600.0  # seconds for one step of a student on a busy machine
LOOK_EVERY = 0.5  # seconds between two checks whether something exists
EVERY = 0.25  # seconds between two readings of memory
MACHINES = (16, 64, 256)  # GiB
KEPT_FREE = 2.0  # GiB for the system, the hub, grading and the disk's cache
CHECKING = 0.1  # the share of students who run a check at the same moment
STEPS = ("log in", "fetch", "run all", "check", "submit")

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Use:
    """What processes use.

    Attributes:
        mib: Their memory; what several of them share counts once (PSS).
        seconds: Their processor time since they started.
    """

    mib: float
    seconds: float


def use_of(processes: list[psutil.Process]) -> Use:
    """Read what processes use now; one that has ended uses nothing."""
    mib = seconds = 0.0
    for process in processes:
        with suppress(psutil.Error, OSError):
            text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
            mib += int(re.findall(r"^Pss: +(\d+) kB", text, re.MULTILINE)[0]) / 1024
            seconds += sum(process.cpu_times()[:2])
    return Use(mib, seconds)


class Hub:
    """A running hub.

    Attributes:
        url: Its address.
        process: JupyterHub's own process.
    """

    def __init__(self, url: str, password: str, process: psutil.Process):
        self.url, self.password, self.process = url, password, process

    def servers(self) -> dict[str, list[psutil.Process]]:
        """Return the processes of each student's server by the student's name."""
        found = {}
        for child in self.process.children():
            with suppress(psutil.Error):
                name = child.environ().get("JUPYTERHUB_USER", "")
                if name:
                    found[name] = [child, *child.children(recursive=True)]
        return found

    def own(self) -> list[psutil.Process]:
        """Return the processes of the hub itself: JupyterHub, its proxy and the servers of its courses."""
        students = {process.pid for processes in self.servers().values() for process in processes}
        every = [self.process, *self.process.children(recursive=True)]
        return [process for process in every if process.pid not in students]


@contextmanager
def running(course: Course, assignments: list[str], students: list[str], folder: Path) -> Iterator[Hub]:
    """Set up a hub whose exchange has these assignments, and run it.  Raises CommandFailed if it does not start."""
    ports = free_ports(3)
    settings = folder / "hub.toml"
    names = json.dumps(students)
    settings.write_text(
        TOML.format(port=ports[0], hub_port=ports[1], proxy_port=ports[2], folder=folder, course=COURSE, students=names)
    )
    course.copy_to(folder / "course")
    hub = [sys.executable, str(course.root / "deploy" / "hub.py")]
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    commands = [[*hub, "prepare", str(settings)]]
    for assignment in assignments:
        commands += [["nbgrader", step, assignment] for step in ("generate_assignment", "release_assignment")]
    for command in commands:
        done = subprocess.run(command, cwd=folder / "course", env=tools, capture_output=True, text=True)
        if done.returncode:
            raise CommandFailed(f"`{' '.join(command)}` failed: {done.stderr[-500:]}")
    with (folder / "hub.log").open("w") as log:
        process = subprocess.Popen([*hub, "run", str(settings)], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{ports[0]}"
            wait_until(lambda: process.poll() is not None or answers(f"{url}/hub/health"), "the hub does not answer")
            if process.poll() is not None:
                raise CommandFailed(f"the hub did not start: {(folder / 'hub.log').read_text()[-500:]}")
            yield Hub(url, (folder / "state/private/password").read_text().strip(), psutil.Process(process.pid))
        finally:
            started = psutil.Process(process.pid).children(recursive=True)
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(60)
            for left in [*started, process]:
                with suppress(psutil.Error):
                    left.kill()


def free_ports(number: int) -> list[int]:
    """Return ports that the system does not give to other programs."""
    import socket

    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    found: list[int] = []
    for port in range(lowest - 1, lowest // 2, -7):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == number:
            break
    return found


def answers(address: str) -> bool:
    """Whether an address can be read."""
    with suppress(requests.RequestException):
        return requests.get(address, timeout=10).ok
    return False


def wait_until(holds: Callable[[], Any], otherwise: str) -> Any:
    """Wait until something is true, and return it.  Raises CommandFailed after PATIENCE."""
    ends = time.monotonic() + PATIENCE
    while not (found := holds()):
        if time.monotonic() > ends:
            raise CommandFailed(f"{otherwise} after {PATIENCE:g} s.")
        time.sleep(LOOK_EVERY)
    return found


@dataclass
class Student:
    """A student without a browser.

    Attributes:
        seconds: How long each step took, by its name.
        failed: The error, by the name of the step.
    """

    hub: Hub
    name: str
    assignment: str
    course: Course
    seconds: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._web = requests.Session()
        self._base = f"{self.hub.url}/user/{self.name}"
        self._kernels: list[tuple[str, websocket.WebSocket]] = []
        self._cells: list[list[str]] = []
        self._checks: list[list[str]] = []

    def step(self, name: str) -> bool:
        """Do a step and record its seconds; return whether it succeeded. After a failed step, nothing is done."""
        if self.failed:
            return False
        began = time.monotonic()
        try:
            getattr(self, f"_{name.replace(' ', '_')}")()
        except (CommandFailed, requests.RequestException, websocket.WebSocketException, OSError) as problem:
            self.failed[name] = f"{type(problem).__name__}: {str(problem)[:300]}"
        else:
            self.seconds[name] = time.monotonic() - began
        return not self.failed

    def _log_in(self) -> None:
        """Log in, wait for the server, and open JupyterLab's page."""
        page = f"{self.hub.url}/hub/login"
        self._web.get(page, timeout=PATIENCE)
        form = {"username": self.name, "password": self.hub.password, "_xsrf": self._token("/hub/")}
        answer = self._web.post(page, data=form, timeout=PATIENCE)  # the answer redirects to the start of the server
        if not answer.ok:
            raise CommandFailed(f"the hub answered {answer.status_code}: {answer.reason}")

        def lab() -> bool:
            answer = self._web.get(f"{self._base}/lab", timeout=PATIENCE)
            return answer.ok and answer.url.startswith(f"{self._base}/lab")

        wait_until(lab, f"the server of {self.name} does not answer")

    def _token(self, path: str) -> str:
        found = [cookie.value for cookie in self._web.cookies if cookie.name == "_xsrf" and cookie.path == path]
        if not found or not found[-1]:
            raise CommandFailed(f"there is no token for {path}")
        return found[-1]

    def _ask(self, method: str, path: str, **options: Any) -> Any:
        headers = {"X-XSRFToken": self._token(f"/user/{self.name}/")}
        answer = self._web.request(method, f"{self._base}/{path}", headers=headers, timeout=PATIENCE, **options)
        if not answer.ok:
            raise CommandFailed(f"{method} {path} answered {answer.status_code}: {answer.text[:200]}")
        return answer.json() if answer.content else None

    def _fetch(self) -> None:
        self._of_nbgrader("fetch")

    def _submit(self) -> None:
        self._of_nbgrader("submit")

    def _of_nbgrader(self, action: str) -> None:
        data = {"course_id": COURSE, "assignment_id": self.assignment}
        answer = self._ask("POST", f"assignments/{action}", data=data)
        if not answer["success"]:
            raise CommandFailed(f"{action} failed: {str(answer)[-300:]}")

    def open(self) -> None:
        """Fill in the reference solution and start a kernel for each notebook; nothing is run."""
        solutions, engine = reference_solutions(self.course, self.assignment), engine_of(self.course, self.assignment)
        kernel = "python3" if engine == "torch" else engine  # the kernel that opens notebooks
        folder, tests = f"{COURSE}/{self.assignment}", self.course.root / "grader_tests" / self.assignment / "visible"
        visible = {path.stem.removeprefix("test_") for path in tests.glob("test_*.py")}
        for entry in self._ask("GET", f"api/contents/{folder}")["content"]:
            if not entry["name"].endswith(".ipynb"):
                continue
            notebook = nbformat.reads(
                json.dumps(self._ask("GET", f"api/contents/{entry['path']}")["content"]), as_version=4
            )
            for cell in notebook.cells:
                cell.source = solutions.get(grade_id(cell), cell.source)
            content = {"type": "notebook", "format": "json", "content": notebook}
            self._ask("PUT", f"api/contents/{entry['path']}", json=content)
            self._kernels.append((entry["name"], self.kernel(kernel, entry["path"])))
            self._cells.append([cell.source for cell in notebook.cells if cell.cell_type == "code"])
            self._checks.append([exercise for cell in notebook.cells if (exercise := grade_id(cell)) in visible])
            self._execute(self._kernels[-1][1], "pass")

    def kernel(self, name: str, path: str = "notebook.ipynb") -> websocket.WebSocket:
        """Start a kernel for a notebook, and return a connection to it."""
        about = {"path": path, "name": path.rpartition("/")[2], "type": "notebook", "kernel": {"name": name}}
        identity = self._ask("POST", "api/sessions", json=about)["kernel"]["id"]
        place = f"/user/{self.name}/"
        cookies = [f"{one.name}={one.value}" for one in self._web.cookies if place.startswith(one.path)]
        address = f"{self._base.replace('http', 'ws', 1)}/api/kernels/{identity}/channels"
        return websocket.create_connection(address, cookie="; ".join(cookies), origin=self.hub.url, timeout=PATIENCE)

    def _run_all(self) -> None:
        self.open()
        for (_, channel), cells in zip(self._kernels, self._cells, strict=True):
            for cell in cells:
                self._execute(channel, cell)

    def _check(self) -> None:
        """Run the check of every exercise that has one."""
        if not any(self._checks):
            raise CommandFailed(f"{self.assignment} has no check.")
        for (_, channel), exercises in zip(self._kernels, self._checks, strict=True):
            for exercise in exercises:
                self._execute(channel, f"%syncpoint check {exercise}")

    def _execute(self, channel: websocket.WebSocket, code: str) -> None:
        """Run code in a kernel, and wait until it is idle again.  Raises CommandFailed if it ends with an error."""
        identity = uuid.uuid4().hex
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        header = {"msg_id": identity, "msg_type": "execute_request", "username": self.name, "session": self.name}
        header |= {"date": "", "version": "5.3"}
        request = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        channel.send(json.dumps(request))
        reply = idle = None
        while not (reply and idle):
            received = channel.recv()
            if not isinstance(received, str) or not received:
                continue
            message = json.loads(received)
            if message.get("parent_header", {}).get("msg_id") != identity:
                continue
            if message["msg_type"] == "execute_reply":
                reply = message["content"]
            elif message["msg_type"] == "status":
                idle = message["content"]["execution_state"] == "idle"
        if reply["status"] != "ok":
            raise CommandFailed(f"{code[:60]!r} ended with {reply.get('ename')}: {reply.get('evalue')}")


def engine_of(course: Course, assignment: str) -> str:
    """Return the name of an assignment's engine."""
    return str(course.settings_of(assignment).engine)


class Peak:
    """Measures processes at intervals in a block: the most memory, and the processor time."""

    def __init__(self, processes: Callable[[], list[psutil.Process]]):
        self._processes, self._ended = processes, threading.Event()
        self.mib = 0.0
        self.seconds = 0.0

    def __enter__(self) -> "Peak":
        self._before = use_of(self._processes())
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        return self

    def _read(self) -> None:
        while not self._ended.wait(EVERY):
            self.mib = max(self.mib, use_of(self._processes()).mib)

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        now = use_of(self._processes())
        self.mib, self.seconds = max(self.mib, now.mib), now.seconds - self._before.seconds


def one_server(hub: Hub, course: Course, assignment: str, name: str) -> dict[str, float | str]:
    """Measure the server of one student from its start to a check.  Raises CommandFailed if the student cannot work."""
    student = Student(hub, name, assignment, course)

    def now() -> list[psutil.Process]:
        return hub.servers().get(name, [])

    def must(step: str) -> None:
        if not student.step(step):
            raise CommandFailed(f"{name}, {assignment}: {student.failed}")

    must("log in")
    found: dict[str, float | str] = {"engine": engine_of(course, assignment), "assignment": assignment}
    found["server"] = use_of(now()).mib
    must("fetch")
    with Peak(now) as ran:
        must("run all")
    found |= {"run_peak": ran.mib, "run_seconds": ran.seconds, "open": use_of(now()).mib}
    with Peak(now) as checked:
        must("check")
    found |= {"check_peak": checked.mib, "check_seconds": checked.seconds, "after": use_of(now()).mib}
    before = use_of(now())
    time.sleep(20)  # this measures the cost of doing nothing
    found["idle_seconds_a_minute"] = 3 * (use_of(now()).seconds - before.seconds)
    must("submit")
    found["kernels"] = float(len(student._kernels))
    return found


def class_at_work(hub: Hub, course: Course, assignment: str, names: list[str]) -> dict[str, Any]:
    """Have a class do each step at the same moment, and measure the hub and all servers."""
    students = [Student(hub, name, assignment, course) for name in names]
    steps = {}
    with ThreadPoolExecutor(len(students)) as pool:
        for step in STEPS:
            with Peak(lambda: [*chain(*hub.servers().values())]) as theirs, Peak(hub.own) as own:
                began = time.monotonic()
                list(pool.map(lambda student, step=step: student.step(step), students))
                took = time.monotonic() - began
            each = [student.seconds[step] for student in students if step in student.seconds]
            servers = [use_of(processes).mib for name, processes in hub.servers().items() if name in names]
            steps[step] = {
                "all": took,
                "median": median(each) if each else None,
                "slowest": max(each, default=None),
                "done": len(each),
                "seconds_each": theirs.seconds / len(students),
                "peak_each": theirs.mib / len(students),
                "after_each": sum(servers) / len(servers) if servers else None,
                "hub_seconds": own.seconds,
                "hub_mib": own.mib,
            }
    failed = {student.name: student.failed for student in students if student.failed}
    return {"assignment": assignment, "students": len(students), "steps": steps, "failed": failed}


def sheets(figures: dict[str, Any]) -> Iterator[Sheet]:
    """Yield all tables."""
    rows, loads = [], [each["load"] for each in figures.values()]
    for one in (each["server"] for each in figures.values()):
        rows.append(
            {
                "engine (assignment)": f"{find(one['engine']).title} ({one['assignment']})",
                "server, MiB": f"{one['server']:.0f}",
                "notebook open": f"{one['open']:.0f}",
                "most at run all": f"{one['run_peak']:.0f}",
                "most at a check": f"{one['check_peak']:.0f}",
                "run all, CPU s": f"{one['run_seconds']:.1f}",
                "all checks, CPU s": f"{one['check_seconds']:.1f}",
                "idle, CPU s a minute": f"{one['idle_seconds_a_minute']:.2f}",
            }
        )
    yield Sheet("A student's server", rows)
    for load in loads:
        yield Sheet(
            f"{load['students']} students at the same moment, {load['assignment']}",
            [
                {
                    "step": name,
                    "done": f"{step['done']} of {load['students']}",
                    "median s": "" if step["median"] is None else f"{step['median']:.1f}",
                    "slowest s": "" if step["slowest"] is None else f"{step['slowest']:.1f}",
                    "CPU s each": f"{step['seconds_each']:.1f}",
                    "MiB each, most": f"{step['peak_each']:.0f}",
                    "MiB each, after": "" if step["after_each"] is None else f"{step['after_each']:.0f}",
                    "hub, CPU s": f"{step['hub_seconds']:.1f}",
                    "hub, MiB": f"{step['hub_mib']:.0f}",
                }
                for name, step in load["steps"].items()
            ],
        )
    yield Sheet("Students that a machine holds, each with one open assignment", list(_machines(figures)))


def _machines(figures: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Return a server's memory in a class (shared memory counts once), and that of a check."""
    for one, load in ((each["server"], each["load"]) for each in figures.values()):
        kept = load["steps"]["check"]["after_each"] or one["after"]
        each = kept + CHECKING * max(0.0, one["check_peak"] - one["after"])
        row = {"engine (assignment)": f"{find(one['engine']).title} ({one['assignment']})", "MiB each": f"{each:.0f}"}
        row |= {f"{size} GiB": f"{max(0, int((size - KEPT_FREE) * 1024 / each))}" for size in MACHINES}
        work = one["run_seconds"] + one["check_seconds"]
        yield row | {"students a core, each working once in 10 minutes": f"{600 / work:.0f}"}


def markdown(figures: dict[str, Any]) -> str:
    """Return all tables in Markdown, below the machine and the command."""
    blocks = [f"{each['machine']}: `{each['command']}`." for each in figures.values()]
    for sheet in sheets(figures):
        blocks += [f"### {sheet.title}", report.table(sheet)]
    return "\n\n".join(blocks) + "\n"


@app.command()
def main(
    assignment: Annotated[
        list[str] | None, typer.Option(help="The assignments that students open. Default: one of each engine.")
    ] = None,
    students: Annotated[int, typer.Option(min=1, max=300, help="Number of students who work at the same moment.")] = 10,
    publish: Annotated[bool, typer.Option("--publish", help="Write the tables into the docs.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Measure a student's server of each engine, then a class that works on the hub at the same time.

    Earlier measurements of other assignments are kept in build/bench/hub.json, and also shown.
    """
    with in_one_line(), tempfile.TemporaryDirectory() as place:
        course, wanted = Course.around(folder), assignment or ["async", "torch_streams"]
        screen = console()
        singles = [f"single{number}" for number in range(len(wanted))]
        classes = [[f"s{number}x{one:03}" for one in range(students)] for number in range(len(wanted))]
        path = course.root / "build" / "bench" / "hub.json"
        figures: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        for number, name in enumerate(wanted):
            load = os.getloadavg()[0]
            # A hub for each: no earlier server is left, and pages are shared only inside a class.
            with running(course, [name], [singles[number], *classes[number]], _folder(place, name)) as hub:
                one = one_server(hub, course, name, singles[number])
                screen.print(one)
                for process in hub.servers().get(singles[number], []):
                    with suppress(psutil.Error):
                        process.terminate()
                every = class_at_work(hub, course, name, classes[number])
                screen.print(every)
            command = f"python -m scripts.benchmarks.hub --students {students} --assignment {name}"
            machine = report.machine(load, os.cpu_count() or 1)
            figures[name] = {"server": one, "load": every, "machine": machine, "command": command}
            path.write_text(json.dumps(figures, indent=1))
        for sheet in sheets(figures):
            report.show_sheet(sheet, screen)
        if publish:
            report.put_between(course.root / report.PAGE, BEGIN, END, markdown(figures))


def _folder(place: str, name: str) -> Path:
    folder = Path(place, name)
    folder.mkdir()
    return folder


if __name__ == "__main__":
    app()
