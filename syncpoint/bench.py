"""The bench: what grading one submission costs with our judge, beside stock nbgrader on the same notebooks."""

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
from .demo.sample_class import ASSIGNMENT
from .judge.course import CONFIG, Course
from .judge.verdict import Cost
from .scores import console
from .why import KeptNotebook

SUBMISSIONS = 3
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS\n?", re.DOTALL)
STOCK_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.Application.log_level = "ERROR"
"""
WALL_TARGET, MEMORY_TARGET, JUDGE_TARGET = 8.0, 1024.0, 1.0  # seconds, MiB, seconds: of one submission


@dataclass(frozen=True)
class Measured:
    """One grading run.  wall: seconds of the whole command.  peak_mib: of the largest process below nbgrader."""

    wall: float
    peak_mib: float


def measure(course: Course) -> None:
    """Grade the same reference submissions both ways and print the cost.  Raises CommandFailed."""
    screen = console()
    with tempfile.TemporaryDirectory(prefix="syncpoint-bench-") as folder:
        ours, stock = Path(folder, "ours"), Path(folder, "stock")
        screen.print(f"bench: {SUBMISSIONS} reference submissions of {ASSIGNMENT}, graded by Syncpoint's judge ...")
        set_up_ours(course, ours)
        judged = grade(ours, {})
        costs = [submission_cost(ours, student) for student in students()]
        screen.print("bench: the same notebooks without hidden tests, graded by stock nbgrader without a sandbox ...")
        set_up_stock(course, stock)
        plain = grade(stock, {"JUPYTER_PATH": str(stock / "jupyter"), "MXNET_ENGINE_TYPE": "ThreadedEnginePerDevice"})
    screen.print(table(judged, costs, plain))
    screen.print(
        f"Wall: one `nbgrader autograde` of {SUBMISSIONS} submissions, its start included, divided by {SUBMISSIONS}. "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} now: only an idle machine gives the true figures.",
        style="dim",
    )


# --- the two courses ------------------------------------------------------------------------------------------------


def students() -> list[str]:
    """The names of the submissions."""
    return [f"bench_{number}" for number in range(1, SUBMISSIONS + 1)]


def set_up_ours(course: Course, folder: Path) -> None:
    """A copy of the course with reference submissions."""
    folder.mkdir()
    for name in ("source", "grader_tests", "probes"):
        shutil.copytree(course.root / name, folder / name)
    shutil.copy(course.root / CONFIG, folder)
    engine = course.world(ASSIGNMENT).engine_prefix
    (folder / engine.name).symlink_to(engine)
    hand_in(course, folder)


def set_up_stock(course: Course, folder: Path) -> None:
    """A course of nbgrader's own: no judge, no sandbox, and grade cells that hold nothing but a comment."""
    shutil.copytree(course.source_folder(ASSIGNMENT), folder / "source" / ASSIGNMENT)
    for path in (folder / "source" / ASSIGNMENT).glob("*.ipynb"):
        path.write_text(json.dumps(without_hidden_tests(json.loads(path.read_text()))))
    (folder / CONFIG).write_text(STOCK_CONFIG)
    kernel = folder / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    python = str(course.world(ASSIGNMENT).python)
    spec = {"argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "engine"}
    (kernel / "kernel.json").write_text(json.dumps({**spec, "language": "python"}))
    hand_in(course, folder)


def without_hidden_tests(notebook: dict) -> dict:
    """The notebook's plain data with every hidden test cut out."""
    for cell in notebook["cells"]:
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        cell["source"] = HIDDEN.sub("", source)
    return notebook


def hand_in(course: Course, folder: Path) -> None:
    """Generate the release there, and hand in the reference solution for everybody."""
    quiet_nbgrader(folder, "generate_assignment", ASSIGNMENT)
    papers = Papers.released(Course(folder), ASSIGNMENT)
    for exercise, solution in reference_solutions(course, ASSIGNMENT).items():
        papers.cell(exercise).source = solution
    for student in students():
        papers.write(folder / "submitted" / student / ASSIGNMENT)


# --- one run --------------------------------------------------------------------------------------------------------


def grade(folder: Path, more: dict[str, str]) -> Measured:
    """Run `nbgrader autograde` over everybody, and watch it.  Raises CommandFailed."""
    began = time.monotonic()
    process = subprocess.Popen(
        nbgrader_argv("autograde", ASSIGNMENT),
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
        try:
            below = psutil.Process(process.pid).children(recursive=True)
            peak[0] = max(peak[0], *(child.memory_info().rss / 2**20 for child in below), 0.0)
        except (psutil.Error, TypeError):
            pass
        time.sleep(0.1)


def submission_cost(folder: Path, student: str) -> Cost:
    """The cost of all notebooks of one submission: seconds added, memory at its highest."""
    paths = sorted((folder / "verdicts" / student / ASSIGNMENT).glob("*.json"))
    costs = [cost for cost in (KeptNotebook.read(path).cost for path in paths) if cost is not None]
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


def table(judged: Measured, costs: list[Cost], plain: Measured) -> Table:
    """Our cost beside the targets and stock nbgrader."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column(f"one submission of {ASSIGNMENT}, median of {len(costs)}")
    for name in ("Syncpoint", "target", "stock nbgrader"):
        shown.add_column(name, justify="right")
    wall, peak = judged.wall / SUBMISSIONS, max(cost.peak_mib for cost in costs)
    middle = {name: statistics.median(getattr(cost, name) for cost in costs) for name in PARTS}
    shown.add_row("wall", _held(wall, WALL_TARGET, "s"), f"<= {WALL_TARGET:g} s", f"{plain.wall / SUBMISSIONS:.2f} s")
    for name, title in PARTS.items():
        figure = _held(middle[name], JUDGE_TARGET, "s") if name == "judge" else f"{middle[name]:.2f} s"
        shown.add_row(f"  {title}", figure, f"< {JUDGE_TARGET:g} s" if name == "judge" else "", "")
    shown.add_row(
        "most memory of the kernel",
        _held(peak, MEMORY_TARGET, "MiB"),
        f"<= {MEMORY_TARGET:g} MiB",
        f"{plain.peak_mib:.0f} MiB",
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
