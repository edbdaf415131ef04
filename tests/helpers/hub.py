"""A hub as an operator runs it: hub.toml, `deploy/hub.py prepare`, `deploy/hub.py run`; and people who log in to it.

With SYNCPOINT_TEST_HUB=accounts its people are users of Linux, made for the test (`make test-hub`); without it they are
names, and everybody is whoever runs the test.
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from classroom import BIN, ROOT, SmallCourse
from dashboard_server import free_port
from nbgrader.api import Gradebook
from playwright.sync_api import Browser, BrowserContext, Page, expect

from syncpoint.course.folder import Course

ACCOUNTS = os.environ.get("SYNCPOINT_TEST_HUB") == "accounts"
PATIENCE = 120_000  # milliseconds, on a busy machine
HUB = [sys.executable, str(ROOT / "deploy" / "hub.py")]
COURSE = "syncpoint"
GRADERS = ("ines", "tom", "otto")
TOML = """\
bind = "http://127.0.0.1:{port}"
hub_port = {hub_port}
proxy_port = {proxy_port}
exchange = "{folder}/exchange"
state = "{folder}/state"
accounts = {accounts}

[courses.{course}]
folder = "{folder}/{course}"
account = "grader"
graders = ["ines", "tom"]
students = ["ada", "ben"]

[courses.other]
folder = "{folder}/other"
account = "grader2"
graders = ["otto"]
students = ["olga"]
"""

LTI = """
[courses.{course}.lti]
client_id = "{client_id}"
deployment_id = "{deployment_id}"
context_id = "{context_id}"

[lti]
issuer = "{issuer}"
authorize_url = "{authorize_url}"
token_url = "{token_url}"
jwks_url = "{jwks_url}"
user = "ext.user_username"
"""


@dataclass(frozen=True)
class Hub:
    """A running hub."""

    url: str
    folder: Path
    password: str
    pid: int  # of JupyterHub

    @property
    def course(self) -> SmallCourse:
        """The course whose work goes through it."""
        return SmallCourse(self.folder / COURSE)

    @property
    def course_folder(self) -> Course:
        """The same, as the tools see it."""
        return Course(self.folder / COURSE)

    def home(self, name: str) -> Path:
        """Where somebody's files lie."""
        return Path("/home", name) if ACCOUNTS else self.folder / "state" / "homes" / name


def write_hub(folder: Path) -> Path:
    """Write a hub.toml with two courses and free ports."""
    port, hub_port, proxy_port = free_port(), free_port(), free_port()
    accounts = str(ACCOUNTS).lower()
    text = TOML.format(
        port=port, hub_port=hub_port, proxy_port=proxy_port, folder=folder, accounts=accounts, course=COURSE
    )
    (folder / "hub.toml").write_text(text)
    return folder / "hub.toml"


def make_folder(place: Path) -> Path:
    """A folder for a hub: where other users of Linux may come in, if there are any."""
    if not ACCOUNTS:
        place.mkdir()
        return place
    folder = Path(tempfile.mkdtemp(prefix="hub-", dir="/srv"))
    folder.chmod(0o755)
    return folder


def prepare(path: Path) -> None:
    """``deploy/hub.py prepare``."""
    done = subprocess.run([*HUB, "prepare", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _as_course(*arguments: str) -> list[str]:
    become = ["setpriv", "--reuid=grader", "--regid=grader", "--init-groups", "--"] if ACCOUNTS else []
    home = ["HOME=/home/grader"] if ACCOUNTS else []
    return [*become, "env", f"PATH={BIN}:{os.environ['PATH']}", *home, *arguments]


def in_course(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the tools in the course folder, as the course's account."""
    return subprocess.run(_as_course(*arguments), cwd=folder, capture_output=True, text=True)


@contextmanager
def begun_in_course(folder: Path, *arguments: str) -> Iterator[psutil.Process]:
    """The same beside what is done in the block; behind it, it has ended well."""
    with subprocess.Popen(_as_course(*arguments), cwd=folder, stdout=subprocess.DEVNULL) as process:
        yield psutil.Process(process.pid)
        assert process.wait() == 0


def give_marks(course: Path, **points: tuple[float, float, float]) -> None:
    """Give marks for `async`, as grading and a teacher do: two exercises and an answer."""
    with Gradebook(f"sqlite:///{course}/gradebook.db", COURSE) as gradebook:
        for name, found in points.items():
            gradebook.update_or_create_submission("async", name)
            gradebook.db.commit()
            for cell, value in zip(("test_queue_work", "test_double", "why"), found, strict=True):
                grade = gradebook.find_grade(cell, "work", "async", name)
                grade.manual_score, grade.needs_manual_grade = value, False
        gradebook.db.commit()


@contextmanager
def running_hub(path: Path) -> Iterator[Hub]:
    """``deploy/hub.py run``, once it answers; ended as systemd ends it."""
    folder = path.parent
    url = re.search(r'bind = "(.*)"', path.read_text())[1]
    if ACCOUNTS:
        password = "a-long-password"
        people = "\n".join(f"{name}:{password}" for name in ("ines", "tom", "ada", "ben", "otto", "olga"))
        subprocess.run(["chpasswd"], input=people, text=True, check=True)
    else:
        password = (folder / "state" / "private" / "password").read_text().strip()
    with (folder / "hub.log").open("w") as log:
        process = subprocess.Popen([*HUB, "run", str(path)], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            _wait_for(f"{url}/hub/health", process, folder / "hub.log")
            yield Hub(url, folder, password, process.pid)
        finally:
            started = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise AssertionError(f"the hub did not end:\n{(folder / 'hub.log').read_text()[-3000:]}") from None
            for left in filter(psutil.Process.is_running, started):  # of a hub that was ended before it was up
                with contextlib.suppress(psutil.Error):
                    left.kill()


@contextmanager
def hub_with_release(path: Path, toml: str = "") -> Iterator[Hub]:
    """The hub of a hub.toml with more text, in whose course the small course's assignment is handed out."""
    path.write_text(f'engine = "mxnet"\n{path.read_text()}{toml}')  # on which the small course computes
    prepare(path)
    for command in ("generate_assignment", "release_assignment"):
        done = in_course(path.parent / COURSE, "nbgrader", command, "async")
        assert done.returncode == 0, done.stderr
    with running_hub(path) as running:
        yield running


def _wait_for(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    ends = time.monotonic() + 3 * PATIENCE / 1000  # the servers of the courses start first
    while time.monotonic() < ends and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=10).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"the hub did not start:\n{log.read_text()}")


@contextmanager
def logged_in(browser: Browser, hub: Hub, name: str) -> Iterator[BrowserContext]:
    """A browser of one person's, who has just logged in: graders arrive at the hub's page, students in JupyterLab."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(f"{hub.url}/hub/login")
        page.fill("input[name=username]", name)
        page.fill("input[name=password]", hub.password)
        page.click("input[type=submit], button[type=submit]")
        page.wait_for_url(re.compile(r"/hub/home$" if name in GRADERS else rf"/user/{name}/lab"))
        page.close()
        yield context
    except Exception:
        for number, page in enumerate(context.pages):  # what they saw last
            page.screenshot(path=hub.folder / f"{name}-{number}.png")
        raise
    finally:
        context.close()


def lab(context: BrowserContext, hub: Hub, name: str, path: str = "") -> Page:
    """JupyterLab in the person's own server."""
    page = context.new_page()
    page.goto(f"{hub.url}/user/{name}/lab{path}")
    wait_for_lab(page)
    return page


def wait_for_lab(page: Page) -> None:
    """JupyterLab is there when its splash is gone."""
    page.locator("#jp-menu-panel").wait_for()
    expect(page.locator("#jupyterlab-splash")).to_have_count(0, timeout=PATIENCE)
