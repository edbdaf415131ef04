"""Fixtures: a small real course, the same course with a whole class graded, and kernels in their sandbox."""

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from accessibility import AXE, NO_AXE
from benchmarks.postgresql import MISSING as MISSING_PROGRAMS
from benchmarks.postgresql import Server, running
from browser import running_browser
from classroom import ROOT, Read, SmallCourse, sandbox_spec
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Browser

from syncpoint.course.folder import Course
from syncpoint.course.intake import StudentNotebook, Template, read_notebook
from syncpoint.doctor.browser import HOW_TO_GET_ONE, MISSING, NoBrowser, find_browser
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import Deadline, Student

PROXY = ROOT / "deploy" / "node_modules" / ".bin" / "configurable-http-proxy"
NO_PROXY = "no proxy for the hub; `bash scripts/setup.sh hub` installs it, and needs npm (apt install npm)"
DOLOS = ROOT / "scripts" / "dolos" / "node_modules" / "@dodona" / "dolos-lib"
NO_DOLOS = "no Dolos; `bash scripts/setup.sh dolos` installs it, and needs npm (apt install npm)"
SITE_PYTHON = ROOT / ".venv-site" / "bin" / "python"
NO_SITE = "no Sphinx for the site; `bash scripts/setup.sh site` installs it"
WEB = ("browser", "hub", "site", "axe")  # `make test-web` runs these, and `make test` all others
LONGEST = (
    *("test_cheats", "test_bank", "test_faults", "test_torch", "test_watch", "test_tries", "test_watch_groups"),
    *("test_limits", "test_pipeline", "test_fork_server", "test_starvation", "test_watch_cluster", "test_acts"),
    *("test_grading", "test_groups", "test_release", "test_several_hands", "test_exchange_collect"),
)


def has_browser() -> bool:
    """Whether this machine can show a web page."""
    try:
        find_browser()
    except NoBrowser:
        return False
    return True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is about web pages, and begin with the files that take longest: then all workers end together.

    Of a test marked `sample(n)`, all but the first n sets of parameters are exhaustive.  Without a browser, the hub's
    proxy, axe-core, Dolos or Sphinx its tests are skipped, but not where a skip is read by nobody (CI=true).
    """
    taken: Counter[str] = Counter()
    for item in items:
        sample = item.get_closest_marker("sample")
        name = item.nodeid.partition("[")[0]
        if sample is not None and taken[name] >= sample.args[0]:
            item.add_marker("exhaustive")
        taken[name] += not item.get_closest_marker("exhaustive")
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))
    in_ci = os.environ.get("CI", "").lower() in ("true", "1")
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            if not in_ci and not has_browser():
                item.add_marker(pytest.mark.skip(reason=MISSING))
        if any(item.get_closest_marker(name) for name in WEB):
            item.add_marker("web")
        if item.get_closest_marker("hub") and not in_ci and not PROXY.exists():
            item.add_marker(pytest.mark.skip(reason=NO_PROXY))
        if item.get_closest_marker("axe") and not in_ci and not AXE.exists():
            item.add_marker(pytest.mark.skip(reason=NO_AXE))
        if item.get_closest_marker("dolos") and not in_ci and not DOLOS.exists():
            item.add_marker(pytest.mark.skip(reason=NO_DOLOS))
        if item.get_closest_marker("site") and not in_ci and not SITE_PYTHON.exists():
            item.add_marker(pytest.mark.skip(reason=NO_SITE))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """Report at the very end which tests a missing browser skipped, and how to get one."""
    yield
    left_out = [report for report in terminalreporter.stats.get("skipped", ()) if MISSING in str(report.longrepr)]
    if left_out:
        files = ", ".join(sorted({report.nodeid.partition("::")[0] for report in left_out}))
        output = f"{len(left_out)} tests of web pages were skipped ({files}): {MISSING}. To run them: {HOW_TO_GET_ONE}"
        terminalreporter.write_line(output, yellow=True, bold=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser.  One for each module, because no other event loop can run next to it."""
    with running_browser() as running:
        yield running


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A PostgreSQL server."""
    if MISSING_PROGRAMS:
        pytest.skip(f"PostgreSQL's server is not installed: no {', '.join(MISSING_PROGRAMS)}")
    with running() as server:
        yield server


@pytest.fixture(autouse=True)
def interruptible() -> None:
    """Signals as on a terminal: a shell, nohup, or a server that another test ran here may have changed them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The small course with its release.  Read only: copy it to change it."""
    course = SmallCourse.make(tmp_path_factory.mktemp("released") / "course")
    course.must_run("nbgrader", "generate_assignment", "async")
    return course


@pytest.fixture
def course(released: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The small course with its release, for this test alone."""
    return released.copy(tmp_path / "course")


@pytest.fixture
def gradebook(course: SmallCourse | Course) -> Iterator[Any]:
    """The gradebook of the test's course."""
    from syncpoint.records.gradebook import open_gradebook  # a second, which most tests need not spend

    with open_gradebook(Course(course.root)) as gradebook:
        yield gradebook


@pytest.fixture(scope="session")
def plain_engine() -> Path:
    """The environment of the engine `plain`, made if it is not there."""
    subprocess.run(["bash", ROOT / "scripts" / "setup.sh", "plain"], check=True, stdin=subprocess.DEVNULL)
    return ROOT / ".venv-plain"


@pytest.fixture(scope="session")
def torch_engine() -> Path:
    """The environment of the engine `torch`, made if it is not there."""
    subprocess.run(["bash", ROOT / "scripts" / "setup.sh", "torch"], check=True, stdin=subprocess.DEVNULL)
    return ROOT / ".venv-torch"


@pytest.fixture
def start(request: pytest.FixtureRequest) -> Iterator[Callable[..., Kernel]]:
    """Start a sandboxed kernel with the given limits; it is stopped after the test."""
    running: list[Kernel] = []

    def start_kernel(**limits: Any) -> Kernel:
        running.append(Kernel(sandbox_spec(**limits)).__enter__())
        return running[-1]

    yield start_kernel
    for kernel in running:
        kernel.__exit__(None, None, None)


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """One kernel for the tests of a module that leave it as they found it."""
    with Kernel(sandbox_spec(cell_seconds=20, disk_mib=8)) as running:
        yield running


@pytest.fixture
def student_of(kernel: Kernel) -> Callable[..., Student]:
    """A student whose notebook holds the given source."""

    def write(source: str) -> Student:
        reply = kernel.execute(source, 20)
        assert reply.content.get("status") == "ok", reply.outputs
        return Student(kernel, Deadline(60))

    return write


@pytest.fixture
def solve(student_of: Callable[..., Student]) -> Callable[[str], Student]:
    """A student whose function f(x) returns the expression."""

    def write(expression: str) -> Student:
        return student_of(f"import mxnet as mx, numpy as np\nfrom mxnet import nd\ndef f(x):\n    return {expression}")

    return write


def _marked(new: Any, source: str, identity: str, **kind: Any) -> Any:
    data = {"grade_id": identity, "schema_version": 3, "grade": False, "solution": False, "locked": False, **kind}
    return new(source, metadata={"nbgrader": data})


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release: an import, some text, an exercise with its tests, a written answer."""
    notebook = new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "P", "language": "python"}})
    notebook.cells = [
        _marked(new_code_cell, "import os", "imports", locked=True, checksum="c1"),
        new_markdown_cell("text"),
        _marked(new_code_cell, "def f(): pass", "f", solution=True),
        _marked(new_code_cell, "# tests", "test_f", grade=True, locked=True, points=4, checksum="c2"),
        _marked(new_markdown_cell, "Why?", "why", grade=True, solution=True, points=2, checksum="c3"),
    ]
    nbformat.write(notebook, tmp_path / "release.ipynb")
    return tmp_path / "release.ipynb"


@pytest.fixture
def plain(release: Path) -> dict[str, Any]:
    """The release as a student hands it in, as JSON."""
    return json.loads(release.read_text())


@pytest.fixture
def read(release: Path, tmp_path: Path) -> Read:
    """Read bytes, text or JSON data as a submission; what comes out must be a valid notebook that can be written."""
    template = Template.read(release)

    def read_content(content: Any) -> StudentNotebook:
        if not isinstance(content, bytes):
            content = (content if isinstance(content, str) else json.dumps(content)).encode()
        (tmp_path / "work.ipynb").write_bytes(content)
        submission = read_notebook(tmp_path / "work.ipynb", template)
        nbformat.validate(submission.notebook)
        nbformat.writes(submission.notebook).encode()
        return submission

    return read_content
