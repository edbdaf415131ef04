"""The bench: what grading a submission costs with our judge, beside its budget and stock nbgrader."""

import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich import box
from rich.table import Table

from .command import CommandFailed, environment, nbgrader_argv, quiet_nbgrader
from .demo.papers import Papers, reference_solutions
from .demo.sample_class import Budget, read_class
from .judge.course import CONFIG, Course
from .judge.verdict import Cost
from .records.read import read_submission
from .scores import console

SUBMISSIONS = 3
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS\n?", re.DOTALL)
STOCK_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.Application.log_level = "ERROR"
"""
STOCK_ENGINE = {"MXNET_ENGINE_TYPE": "ThreadedEnginePerDevice"}
JUDGE_TARGET = 1.0  # seconds of one submission


@dataclass(frozen=True)
class Measured:
    """One grading run.  wall: seconds of the whole command.  peak_mib: of the largest process below nbgrader."""

    wall: float
    peak_mib: float


@dataclass(frozen=True)
class Comparison:
    """What the same submissions cost both ways.  costs: of each with our judge."""

    assignment: str
    budget: Budget
    judged: Measured
    costs: list[Cost]
    plain: Measured


def measure(course: Course, assignments: list[str]) -> None:
    """Grade reference submissions of each assignment both ways and print the cost.

    Raises CommandFailed, or CourseError if an assignment has no budget.
    """
    screen = console()
    budgets = {assignment: read_class(course, assignment).budget for assignment in assignments}
    for assignment, budget in budgets.items():
        screen.print(f"bench: {SUBMISSIONS} reference submissions of {assignment}, graded by Syncpoint's judge,")
        screen.print("       and the same notebooks without hidden tests by stock nbgrader without a sandbox ...")
        screen.print(table(compare(course, assignment, budget)))
    screen.print(
        f"Wall: one `nbgrader autograde` of {SUBMISSIONS} submissions, its start included, divided by {SUBMISSIONS}. "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} now: only an idle machine gives the true figures.",
        style="dim",
    )


def compare(course: Course, assignment: str, budget: Budget) -> Comparison:
    """Grade the reference submissions of one assignment both ways.  Raises CommandFailed."""
    with tempfile.TemporaryDirectory(prefix="syncpoint-bench-") as folder:
        ours, stock = Path(folder, "ours"), Path(folder, "stock")
        set_up_ours(course, assignment, ours)
        judged = grade(ours, assignment, {})
        costs = [submission_cost(ours, student, assignment) for student in students()]
        set_up_stock(course, assignment, stock)
        plain = grade(stock, assignment, {"JUPYTER_PATH": str(stock / "jupyter"), **STOCK_ENGINE})
    return Comparison(assignment, budget, judged, costs, plain)


# --- the two courses ------------------------------------------------------------------------------------------------


def students() -> list[str]:
    """The names of the submissions."""
    return [f"bench_{number}" for number in range(1, SUBMISSIONS + 1)]


def set_up_ours(course: Course, assignment: str, folder: Path) -> None:
    """A copy of the course with reference submissions."""
    course.copy_to(folder)
    hand_in(course, assignment, folder)


def set_up_stock(course: Course, assignment: str, folder: Path) -> None:
    """A course of nbgrader's own: no judge, no sandbox, and grade cells that hold nothing but a comment."""
    shutil.copytree(course.source_folder(assignment), folder / "source" / assignment)
    for path in (folder / "source" / assignment).glob("*.ipynb"):
        path.write_text(json.dumps(without_hidden_tests(json.loads(path.read_text()))))
    (folder / CONFIG).write_text(STOCK_CONFIG)
    kernel = folder / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    python = str(course.world(assignment).python)
    spec = {"argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "engine"}
    (kernel / "kernel.json").write_text(json.dumps({**spec, "language": "python"}))
    hand_in(course, assignment, folder)


def without_hidden_tests(notebook: dict) -> dict:
    """The notebook's plain data with every hidden test cut out."""
    for cell in notebook["cells"]:
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        cell["source"] = HIDDEN.sub("", source)
    return notebook


def hand_in(course: Course, assignment: str, folder: Path) -> None:
    """Generate the release there, and hand in the reference solution for everybody."""
    quiet_nbgrader(folder, "generate_assignment", assignment)
    papers = Papers.released(Course(folder), assignment)
    for exercise, solution in reference_solutions(course, assignment).items():
        papers.cell(exercise).source = solution
    for student in students():
        papers.write(folder / "submitted" / student / assignment)


# --- one run --------------------------------------------------------------------------------------------------------


def grade(folder: Path, assignment: str, more: dict[str, str]) -> Measured:
    """Run `nbgrader autograde` over everybody, and watch it.  Raises CommandFailed."""
    began = time.monotonic()
    process = subprocess.Popen(
        nbgrader_argv("autograde", assignment),
        cwd=folder,
        env={**environment(), **more},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(process, peak), daemon=True)
    watcher.start()
    _, said = process.communicate()
    wall = time.monotonic() - began
    watcher.join()
    if process.returncode:
        raise CommandFailed(f"nbgrader autograde failed in the bench: {(said.strip().splitlines() or ['?'])[-1]}")
    return Measured(wall, peak[0])


def watch(process: subprocess.Popen, peak: list[float]) -> None:
    """Keep the most resident MiB that one process below nbgrader ever had."""
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):  # it may have ended meanwhile
                    peak[0] = max(peak[0], child.memory_info().rss / 2**20)
        time.sleep(0.1)


def submission_cost(folder: Path, student: str, assignment: str) -> Cost:
    """The cost of all notebooks of one submission: seconds added, memory at its highest."""
    kept = read_submission(Course(folder), student, assignment)
    costs = [notebook.judgement.cost for notebook in kept if notebook.judgement.cost is not None]
    if not costs:
        raise CommandFailed(f"the bench graded nothing of {student}")
    return Cost(
        sum(cost.kernel_start for cost in costs),
        sum(cost.kernel_busy for cost in costs),
        sum(cost.kernel_stop for cost in costs),
        sum(cost.total for cost in costs),
        max(cost.peak_mib for cost in costs),
    )


# --- the result -----------------------------------------------------------------------------------------------------


def table(seen: Comparison) -> Table:
    """Our cost beside the budget and stock nbgrader."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column(f"one submission of {seen.assignment}, median of {len(seen.costs)}")
    for name in ("Syncpoint", "target", "stock nbgrader"):
        shown.add_column(name, justify="right")
    wall, plain_wall = seen.judged.wall / SUBMISSIONS, seen.plain.wall / SUBMISSIONS
    seconds, mib = seen.budget.seconds, seen.budget.memory_mib
    shown.add_row("wall", _held(wall, seconds, "s"), f"<= {seconds:g} s", f"{plain_wall:.2f} s")
    middle = {name: statistics.median(getattr(cost, name) for cost in seen.costs) for name in PARTS}
    for name, title in PARTS.items():
        figure = _held(middle[name], JUDGE_TARGET, "s") if name == "judge" else f"{middle[name]:.2f} s"
        shown.add_row(f"  {title}", figure, f"< {JUDGE_TARGET:g} s" if name == "judge" else "", "")
    shown.add_row(
        "most memory of the kernel",
        _held(max(cost.peak_mib for cost in seen.costs), mib, "MiB"),
        f"<= {mib:g} MiB",
        f"{seen.plain.peak_mib:.0f} MiB",
    )
    return shown


PARTS = {
    "kernel_start": "kernel start (imports the engine)",
    "kernel_busy": "kernel busy (cells and tests)",
    "kernel_stop": "kernel stop",
    "judge": "the judge's own share",
}


def _held(figure: float, target: float, unit: str) -> str:
    colour = "green" if figure <= target else "red"
    return f"[{colour}]{figure:.{0 if unit == 'MiB' else 2}f} {unit}[/]"
