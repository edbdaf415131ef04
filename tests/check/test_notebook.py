"""`%syncpoint check` in a real kernel of a student's environment, in which the released wheel is installed."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import ROOT, released
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from student_kernel import add_kernel, install

from syncpoint.course.folder import Course
from syncpoint.course.visible import visible_tests

ENGINES = {"async": "mxnet", "torch_async": "torch"}
IMPORTS = {
    "async": "from mxnet import nd",
    "torch_async": "import simgpu, torch\ngpu = torch.get_device_module('simgpu')",
}
Run = Callable[..., list[dict[str, str]]]


def shown(cell: Any) -> dict[str, str]:
    """The output of a cell: its text, its HTML, and its exception."""
    parts = {"text": "", "html": "", "error": ""}
    for output in cell.outputs:
        if output.output_type == "stream":
            parts["text"] += output.text if output.name == "stdout" else ""
        elif output.output_type == "error":
            parts["error"] += f"{output.ename}: {output.evalue}"
        else:
            parts["text"] += output.data.get("text/plain", "")
            parts["html"] += output.data.get("text/html", "")
    return parts


@pytest.fixture(scope="module", params=["async", "torch_async"])
def assignment(request: pytest.FixtureRequest) -> str:
    """One of each engine."""
    return str(request.param)


@pytest.fixture(scope="module")
def run(assignment: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """``run(cell, ...)`` runs cells in one kernel in the release's folder, and returns the output of each."""
    folder = tmp_path_factory.mktemp("student")
    release = released(assignment, folder / "release")
    for name, text in visible_tests(Course(ROOT), assignment).items():  # as the next release has them
        (release / "visible" / name).write_text(text)
    (wheel,) = release.glob("syncpoint_check-*.whl")
    python = install(ENGINES[assignment], wheel, folder / "environment")
    add_kernel(python, folder / "kernels", "student")
    specs = KernelSpecManager(kernel_dirs=[str(folder / "kernels")], ensure_native_kernel=False)
    manager = KernelManager(kernel_name="student", kernel_spec_manager=specs)
    book = nbformat.v4.new_notebook()
    client = NotebookClient(
        book, km=manager, timeout=120, allow_errors=True, resources={"metadata": {"path": str(release)}}
    )

    def execute(*cells: str) -> list[dict[str, str]]:
        found = []
        for source in cells:
            book.cells.append(nbformat.v4.new_code_cell(source))
            client.execute_cell(book.cells[-1], len(book.cells) - 1)
            found.append(shown(book.cells[-1]))
        return found

    before = contents(release)
    with client.setup_kernel():
        yield execute
    assert contents(release) == before


def contents(folder: Path) -> dict[Path, bytes]:
    """All files of a folder."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def solution(assignment: str, name: str) -> str:
    """A solution of `loops` in the bank."""
    (path,) = (ROOT / "grader_tests" / assignment / "bank" / "loops").glob(f"*{name}*.py")
    return path.read_text()


@pytest.mark.sample(1)
@pytest.mark.slow
def test_a_right_and_a_wrong_solution(run: Run, assignment: str):
    first, none, _, right, _, wrong = run(
        "%syncpoint check",
        f"{IMPORTS[assignment]}\n%syncpoint check loops",
        solution(assignment, "01_ok"),
        "%syncpoint check loops",
        solution(assignment, "15_bad_async_waits_every" if assignment == "async" else "14_bad_async_waits_in_the_loop"),
        "%syncpoint check `loops`",
    )
    assert "the name of an exercise: " in first["text"]
    assert "loops" in first["text"]
    assert none["error"] == ""
    assert "`synchronous_loop` is not defined." in none["text"]
    assert "3 of 3 properties" in right["text"]
    assert "3 of 3 properties" in right["html"]
    assert "This is not your score" in right["text"]
    assert "[core] marks what this exercise is about. This is not your score" in right["html"]

    assert "2 of 3 properties" in wrong["text"]
    words = " ".join(wrong["text"].split())
    steps = 6 if assignment == "async" else 120
    assert f"Seen: With {steps} steps, at most 1 operations were in the queue without a wait." in words
    assert "Hint: The loop itself only enqueues." in words
    assert "Your code paused at the marked wait" in words  # the timeline, in words
    assert "HERE" in words
    for part in ("Seen:", "Hint:", "<svg", "Your code paused at the marked wait", "here</text>"):
        assert part in wrong["html"]
    assert "<script" not in wrong["html"]


@pytest.mark.slow
def test_who_returns_a_number_reads_which_wait_it_took_and_sees_it_in_the_timeline(run: Run, assignment: str):
    """As in the feedback: that it is no array is the lesser news."""
    number = "nd.dot(x, x).sum().asscalar()" if assignment == "async" else "(x @ x).sum().item()"
    said = (
        "waited for its input." if assignment == "async" else "waited. The first wait: a copy of the values to the host"
    )
    *_, asked = run(IMPORTS[assignment], f"def queue_work(x):\n    return {number}", "%syncpoint check queue_work")
    assert f"Seen: queue_work {said}" in " ".join(asked["text"].split())
    assert "<svg" in asked["html"]


@pytest.mark.sample(1)
@pytest.mark.slow
def test_a_line_is_left_out_or_swapped_and_the_code_of_the_notebook_stays(run: Run, assignment: str):
    number = next(n for n, line in enumerate(solution(assignment, "01_ok").split("\n"), 1) if "def async" in line) + 4
    *_, lines, without, swapped, usual = run(
        IMPORTS[assignment],
        solution(assignment, "01_ok"),
        "%syncpoint what-if loops",
        f"%syncpoint what-if loops {number}",
        f"%syncpoint what-if loops {number - 1} swap",
        "%syncpoint check loops",
    )
    assert re.search(rf"^ +{number}  ", lines["text"], re.MULTILINE)
    assert "Type `%syncpoint what-if loops` and the number of a line" in lines["text"]
    assert f"Line {number} is left out" in without["text"]
    assert "Waits of the host: 4 (before: 5)." in without["text"]
    assert without["html"].count('role="img"') == 2 and "<script" not in without["html"]
    assert "is the last statement of its block." in swapped["text"]
    assert "3 of 3 properties" in usual["text"]


READ_ON_THE_HOST = """\
def queue_work(x):
    there = (x @ x).sum()
    here = torch.empty_like(there, device="cpu").pin_memory()
    here.copy_(there, non_blocking=True)
    gpu.synchronize()
    return here.clone()
"""


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["torch_async"], indirect=True)
def test_without_a_wait_numbers_are_wrong_only_by_bad_luck(run: Run, assignment: str):
    *_, without, swapped, other = run(
        IMPORTS[assignment],
        READ_ON_THE_HOST,
        "%syncpoint what-if queue_work 5",
        "%syncpoint what-if queue_work 4 swap",
        "%syncpoint what-if queue_work 4",
    )
    assert "Line 5 is left out" in without["text"]
    assert "Lines 4 and 5 change places" in swapped["text"]
    for shown in (without, swapped):
        assert "The numbers are no longer right every time." in shown["text"]
    assert "The numbers are wrong." in other["text"]


IN_A_SIDE_STREAM = """\
def queue_work(x):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        y = (x @ x).sum()
    gpu.current_stream().wait_stream(side)
    return y
"""


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["torch_async"], indirect=True)
def test_a_race_is_told_with_the_line_of_the_cell_and_not_with_that_of_the_command(run: Run, assignment: str):
    *_, found = run(IMPORTS[assignment], IN_A_SIDE_STREAM, "%syncpoint what-if queue_work 6")
    assert "`sum` in line 5" in found["text"] and "the caller's" in found["text"]
    assert "<code>sum</code> in line 5" in found["html"]


def test_a_what_if_that_is_not_there_is_a_sentence(run: Run):
    (odd,) = run("%syncpoint what-if lops")
    assert odd["text"].startswith("Nothing was checked: `lops` cannot be used with what-if. Available: ")
    assert odd["error"] == ""


def test_what_is_not_there_is_a_sentence(run: Run):
    odd, nothing = run("%syncpoint check lops", "%syncpoint")
    assert odd["text"].startswith("Nothing was checked: there is no check for `lops`. Available: ")
    assert "loops" in odd["text"]
    assert nothing["text"].startswith("Type `%syncpoint check` and the name of an exercise: ")
    assert odd["error"] == nothing["error"] == ""


def test_the_kernel_stays_as_it_was(run: Run, assignment: str):
    ones = "nd.ones((2, 2))" if assignment == "async" else "torch.ones(2, 2, device='simgpu')"
    *_, raised, after, modules = run(
        f"{IMPORTS[assignment]}\n{solution(assignment, '01_ok')}".replace("y = x + 1", "raise ValueError('1')"),
        "%syncpoint check loops",
        f"print(float(({ones} + 1).sum().{'asscalar' if assignment == 'async' else 'item'}()))",
        "import sys\nprint(sorted({'probe', 'visible', 'training', 'order'} & set(sys.modules)))\n"
        "print([name for name in globals() if 'syncpoint' in name or name == 'student'])",
    )
    assert "raised ValueError" in raised["text"]
    assert after["text"].strip() == "8.0"
    assert modules["text"].split() == ["[]", "[]"]


def test_a_loop_without_end_is_stopped(run: Run):
    """The limit of a test is set to a second; the student's own stop button does the same."""
    endless = "def synchronous_loop(x, steps):\n    while True:\n        pass\n\nasynchronous_loop = synchronous_loop"
    _, _, stopped, usable, _ = run(
        endless,
        "import syncpoint_check.check.student as s; s.SECONDS = 1.0",
        "%syncpoint check loops",
        "print(6 * 7)",
        "s.SECONDS = 30.0",
    )
    assert "`synchronous_loop` did not finish within 1 s and was stopped." in " ".join(stopped["text"].split())
    assert usable["text"].strip() == "42"
