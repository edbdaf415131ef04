"""The graders that are measured: ours, stock nbgrader, Otter, and the cells in a bare process."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import TOOLS, environment, nbgrader_argv

from . import meter
from .classes import CHECK, IMPORT, KERNEL, SOLUTION, Classroom

OTTER = ".venv-otter"
BARE = Path(__file__).with_name("bare.py")
OTTER_TEST = f"""\
from otter.test_files import test_case

OK_FORMAT = False
name = "double"
points = 1


@test_case()
def test_double(double, nd):
    {CHECK}
"""


def run_ours(classroom: Classroom, workers: int, *options: str) -> meter.Reading:
    """Grade the class with `syncpoint grade`."""
    argv = [str(TOOLS / "syncpoint"), "grade", classroom.assignment, "--workers", str(workers), *options]
    return meter.read(argv, classroom.course.root, environment())


def run_stock(classroom: Classroom) -> meter.Reading:
    """Grade the class with stock nbgrader."""
    root = classroom.course.root
    kernels = {"JUPYTER_PATH": str(root / "jupyter"), "MXNET_ENGINE_TYPE": "ThreadedEnginePerDevice"}
    return meter.read(nbgrader_argv("autograde", classroom.assignment), root, {**environment(), **kernels})


def run_bare(classroom: Classroom) -> tuple[float, float]:
    """Run the cells of one submission, each notebook in a bare process.

    Returns:
        Processor seconds of the cells alone, and with Python's start and the engine's import.

    Raises:
        CommandFailed: If a cell fails.
    """
    cells_alone = whole = 0.0
    with tempfile.TemporaryDirectory(prefix="syncpoint-bare-") as folder:
        home = shutil.copytree(classroom.course.source(classroom.assignment).folder, Path(folder, "home"))
        spec = classroom.course.sandbox_spec(classroom.assignment)
        for name, cells in classroom.cells().items():
            done = subprocess.run(
                [str(spec.python), str(BARE), spec.engine.environment.check],
                cwd=home,
                env={**spec.environment(str(home)), "PYTHONPATH": str(home), "MPLBACKEND": "agg"},
                input=json.dumps(cells),
                capture_output=True,
                text=True,
            )
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["it wrote nothing"])[-1]
                raise CommandFailed(f"the cells of {name}.ipynb fail in a bare process: {last}")
            cost = json.loads(done.stdout)
            cells_alone, whole = cells_alone + cost["cells"], whole + cost["process"]
    return cells_alone, whole


def run_otter(course: Course, folder: Path, number: int) -> list[meter.Reading]:
    """Grade N trivial submissions, one `otter run` after the other: Otter has no other way without containers.

    Raises:
        CommandFailed: If it fails, or does not give the point.
    """
    programs, plain = course.root / OTTER / "bin", environment()
    paths = {**plain, "PATH": f"{programs}:{plain['PATH']}"}
    (folder / "tests").mkdir(parents=True, exist_ok=True)
    (folder / "tests" / "double.py").write_text(OTTER_TEST)
    meter.read([str(programs / "otter"), "generate", "-t", "tests", "-o", "autograder.zip"], folder, paths)
    readings = []
    for index in range(1, number + 1):
        notebook = new_notebook(metadata={"kernelspec": KERNEL})
        notebook.cells = [new_code_cell(IMPORT), new_code_cell(f"# Submission {index}\n{SOLUTION}")]
        nbformat.write(notebook, folder / "student.ipynb")
        argv = [str(programs / "otter"), "run", "--no-logo", "-a", "autograder.zip", "student.ipynb"]
        readings.append(meter.read(argv, folder, paths))
        tests = json.loads((folder / "results.json").read_text())["tests"]
        if sum(test.get("score", 0) for test in tests) != 1:
            raise CommandFailed(f"Otter did not give the trivial submission its point: {tests}")
    return readings
