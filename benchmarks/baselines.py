"""What grading is held against: the cells in one bare process, stock nbgrader's autograde, and Otter."""

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import CommandFailed, environment, nbgrader_argv

from . import meter
from .courses import Classroom
from .trivial import IMPORT, KERNEL, OTTER_TEST, SOLUTION

OTTER = ".venv-otter"
BARE = Path(__file__).with_name("bare.py")


@dataclass(frozen=True)
class Bare:
    """Processor seconds of one submission: of its cells alone, and with Python's start and the engine's import."""

    cells: float
    process: float


def run_bare(classroom: Classroom) -> Bare:
    """Run the cells of a submission, each notebook in one bare process.  Raises CommandFailed."""
    costs = []
    with tempfile.TemporaryDirectory(prefix="syncpoint-bare-") as folder:
        home = shutil.copytree(classroom.course.source_folder(classroom.assignment), Path(folder, "home"))
        sandbox_spec = classroom.course.sandbox_spec(classroom.assignment)
        for name, cells in classroom.cells().items():
            done = subprocess.run(
                [str(sandbox_spec.python), str(BARE), sandbox_spec.engine.environment.check],
                cwd=home,
                env={**sandbox_spec.environment(str(home)), "PYTHONPATH": str(home), "MPLBACKEND": "agg"},
                input=json.dumps(cells),
                capture_output=True,
                text=True,
            )
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
                raise CommandFailed(f"the cells of {name}.ipynb fail in a bare process: {last}")
            costs.append(json.loads(done.stdout))
    return Bare(sum(cost["cells"] for cost in costs), sum(cost["process"] for cost in costs))


def run_stock(classroom: Classroom) -> meter.Reading:
    """Grade the class with stock nbgrader.  Raises CommandFailed."""
    kernels = {"JUPYTER_PATH": str(classroom.root / "jupyter"), "MXNET_ENGINE_TYPE": "ThreadedEnginePerDevice"}
    argv = nbgrader_argv("autograde", classroom.assignment)
    return meter.read(argv, classroom.root, {**environment(), **kernels})


class Otter:
    """Otter in its own environment, and trivial submissions for it."""

    def __init__(self, course: Course, folder: Path):
        self._bin = course.root / OTTER / "bin"
        self._folder = folder

    @property
    def is_installed(self) -> bool:
        """Whether there is an environment with Otter."""
        return (self._bin / "otter").is_file()

    def seat(self, number: int) -> None:
        """Write the test and so many submissions.  Raises CommandFailed."""
        (self._folder / "tests").mkdir(parents=True)
        (self._folder / "tests" / "double.py").write_text(OTTER_TEST)
        for index in range(1, number + 1):
            notebook = new_notebook(metadata={"kernelspec": KERNEL})
            notebook.cells = [new_code_cell(IMPORT), new_code_cell(f"# Submission {index}\n{SOLUTION}")]
            nbformat.write(notebook, str(self._folder / f"student_{index:04}.ipynb"))
        argv = [str(self._bin / "otter"), "generate", "-t", "tests", "-o", "autograder.zip"]
        done = subprocess.run(argv, cwd=self._folder, env=self._environment(), capture_output=True, text=True)
        if done.returncode:
            raise CommandFailed(f"otter generate failed (exit status {done.returncode}): {done.stderr.strip()}")

    def run(self) -> list[meter.Reading]:
        """Grade every submission, one `otter run` after the other: it has no other way without containers."""
        return [self._grade(path) for path in sorted(self._folder.glob("*.ipynb"))]

    def _grade(self, notebook: Path) -> meter.Reading:
        argv = [str(self._bin / "otter"), "run", "--no-logo", "-a", "autograder.zip", notebook.name]
        reading = meter.read(argv, self._folder, self._environment())
        tests = json.loads((self._folder / "results.json").read_text())["tests"]
        if sum(test.get("score", 0) for test in tests) != 1:
            raise CommandFailed(f"Otter did not give the trivial submission its point: {tests}")
        return reading

    def _environment(self) -> dict[str, str]:
        plain = environment()
        return {**plain, "PATH": f"{self._bin}:{plain['PATH']}"}
