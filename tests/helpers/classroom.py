"""A small real course in a folder of its own: its notebook, its graders, its submissions, and nbgrader to run on it."""

import copy
import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Self

import commands
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from syncpoint.course.folder import Course
from syncpoint.course.intake import StudentNotebook
from syncpoint.course.release import add_engine_files, add_requirements
from syncpoint.sandbox.spec import Limits, SandboxSpec

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
ENGINE = ROOT / ".venv-mxnet"
Read = Callable[[Any], StudentNotebook]

HIDDEN = 'raise RuntimeError("not judged: the hidden part of this cell has no points to give")'
QUEUE_WORK = "def queue_work(x):\n    return nd.dot(x, x).sum()"
DOUBLE = "def double(x):\n    return x * 2"

GRADERS = {
    "test_queue_work": '''
        """queue_work(x) only puts work into the queue."""
        from syncpoint.graders import array, hint, weight
        import numpy as np

        @hint("HINT-OF-VALUE: dot, then sum.")
        def test_value(student, rng):
            """TITLE-OF-VALUE: the sum of the product."""
            x = rng.normal(size=(3, 3))
            seen = student.call("queue_work", array(x))
            right = (x @ x).sum()
            np.testing.assert_allclose(np.ravel(seen.returned), [right], rtol=1e-3, atol=1e-4, err_msg="HIDDEN-DETAIL")

        @weight(3)
        @hint("HINT-OF-WAITING: look for a wait.")
        def test_does_not_wait(student, rng):
            """TITLE-OF-WAITING: it does not wait."""
            seen = student.call("queue_work", array(rng.normal(size=(3, 3)), gated=True))
            assert seen.returned_while_gated and seen.events, "HIDDEN-DETAIL"
        ''',
    "test_double": '''
        """double(x) doubles."""
        from syncpoint.graders import array, hint
        import numpy as np

        @hint("HINT-OF-DOUBLE")
        def test_small(student, rng):
            """TITLE-OF-SMALL: double of a vector."""
            x = rng.normal(size=4).astype("float32")
            assert np.array_equal(np.asarray(student.call("double", array(x)).returned), 2 * x), "HIDDEN-DETAIL"

        def test_large(student, rng):
            """TITLE-OF-LARGE: double of a matrix."""
            x = rng.normal(size=(20, 30)).astype("float32")
            assert np.array_equal(np.asarray(student.call("double", array(x)).returned), 2 * x), "HIDDEN-DETAIL"
        ''',
}

# No score hangs on the clock of a busy machine.
PATIENT = "c.GradeSubmission.cell_seconds = 120\nc.GradeSubmission.notebook_seconds = 900\n"
# Small limits, so that whoever runs into one costs the tests seconds.
LIMITS = """
c.GradeSubmission.cell_seconds = 8
c.GradeSubmission.notebook_seconds = 90
c.GradeSubmission.memory_mib = 1024
c.GradeSubmission.processes = 60
"""


def environment(**more: str) -> dict[str, str]:
    """The variables that a person's shell has, in which the tools are on the path."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "SYNCPOINT"))}
    return {**usual, "PATH": f"{BIN}:{usual['PATH']}", **more}


def nbgrader_cell(new: Callable[..., Any], source: str, identity: str, **kind: Any) -> Any:
    """A cell as nbgrader's authors write it; ``kind``: grade, solution, locked, points."""
    data = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    cell = new(source, metadata={"nbgrader": {**data, "grade_id": identity, **kind}})
    cell.id = identity.replace("_", "-")
    return cell


def exercise(name: str, source: str, points: int) -> list[Any]:
    """The cells of an exercise: its solution, and its hidden tests."""
    head, body = source.split("\n", 1)
    solution = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
    tests = f"# Hidden tests grade this.\n### BEGIN HIDDEN TESTS\n{HIDDEN}\n### END HIDDEN TESTS"
    return [
        nbgrader_cell(new_code_cell, solution, name, solution=True),
        nbgrader_cell(new_code_cell, tests, f"test_{name}", grade=True, locked=True, points=points),
    ]


def written_answer(points: int) -> Any:
    """A question that a person marks."""
    return nbgrader_cell(new_markdown_cell, "Why?", "why", grade=True, solution=True, points=points)


def notebook_of(cells: list[Any]) -> Any:
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def source_notebook() -> Any:
    """An import, two exercises with hidden tests (4 and 2 points), and a written answer (2 points)."""
    imports = nbgrader_cell(new_code_cell, "from mxnet import nd", "imports", locked=True)
    exercises = [*exercise("queue_work", QUEUE_WORK, 4), *exercise("double", DOUBLE, 2)]
    return notebook_of([imports, *exercises, written_answer(2)])


class SmallCourse:
    """A course folder with one assignment, `async`, whose one notebook is work.ipynb."""

    exercises = {"queue_work": QUEUE_WORK, "double": DOUBLE}  # with right solutions

    def __init__(self, root: Path):
        self.root = root

    @classmethod
    def make(cls, root: Path, config: str = LIMITS) -> Self:
        """Write the course into an empty folder."""
        graders = {name: dedent(text).lstrip("\n") for name, text in GRADERS.items()}
        return cls(root).write(source_notebook(), graders, "mxnet", config)

    def write(self, notebook: Any, graders: Mapping[str, str], engine: str, config: str) -> Self:
        """Write the files of a course."""
        (self.root / "source" / "async").mkdir(parents=True)
        nbformat.write(notebook, self.root / "source" / "async" / "work.ipynb")
        (self.root / "grader_tests" / "async").mkdir(parents=True)
        for name, text in graders.items():
            self.grader(name).write_text(text)
        shutil.copy(ROOT / "nbgrader_config.py", self.root)
        self.configure(f'c.GradeSubmission.engine = "{engine}"\n{config}')
        (self.root / f".venv-{engine}").symlink_to(ROOT / f".venv-{engine}")
        return self

    def copy(self, root: Path) -> Self:
        """The same course, with everything that was graded in it, in another folder."""
        return type(self)(shutil.copytree(self.root, root, symlinks=True))

    def configure(self, lines: str) -> None:
        """Add lines to the configuration."""
        with (self.root / "nbgrader_config.py").open("a") as config:
            config.write(lines)

    def grader(self, name: str) -> Path:
        """The file of a grader module."""
        return self.root / "grader_tests" / "async" / f"{name}.py"

    def release(self) -> dict[str, Any]:
        """The released notebook, as plain JSON."""
        return json.loads((self.root / "release" / "async" / "work.ipynb").read_text())

    def solved(self, **sources: str) -> dict[str, Any]:
        """The released notebook with right solutions, or with the given sources of the named cells."""
        notebook = copy.deepcopy(self.release())
        for cell in notebook["cells"]:
            identity = cell["metadata"]["nbgrader"]["grade_id"]
            given = (self.exercises | sources).get(identity)
            if given is not None:
                cell["source"] = given
        return notebook

    def folder(self, student: str) -> Path:
        """The submission's folder, made if it is not there."""
        folder = self.root / "submitted" / student / "async"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def submit(self, student: str, notebook: dict[str, Any] | str) -> Path:
        """Submit a notebook, or any text, as work.ipynb."""
        path = self.folder(student) / "work.ipynb"
        path.write_text(notebook if isinstance(notebook, str) else json.dumps(notebook))
        return path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the tools in the course folder."""
        return commands.run(arguments, self.root, environment())

    def must_run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command that has to end well."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def nbgrader(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run ``nbgrader ...`` in the course folder."""
        return self.run("nbgrader", *arguments)

    def gradebook(self) -> "Gradebook":
        """The gradebook that nbgrader keeps, to be used in a ``with``."""
        from nbgrader.api import Gradebook

        return Gradebook(f"sqlite:///{self.root}/gradebook.db", "syncpoint")

    def scores(self) -> dict[str, tuple[float, ...]]:
        """Student -> points of each exercise, from the gradebook."""
        with self.gradebook() as gradebook:
            return {
                submission.student.id: tuple(
                    gradebook.find_grade(f"test_{name}", "work", "async", submission.student.id).score
                    for name in self.exercises
                )
                for submission in gradebook.assignment_submissions("async")
            }

    def feedback(self, student: str) -> str:
        """The page that the student gets."""
        return (self.root / "feedback" / student / "async" / "work.html").read_text()

    def feedback_text(self, student: str) -> str:
        """What that page says, without its markup; what is shown as code stands between backticks."""
        return html.unescape(re.sub("<[^>]+>", "", re.sub("</?code[^>]*>", "`", self.feedback(student))))


def released(assignment: str, folder: Path) -> Path:
    """A release of the repository as students get it: git does not keep its wheels, nor the list of what to install."""
    shutil.copytree(ROOT / "release" / assignment, folder, dirs_exist_ok=True)
    add_engine_files(Course(ROOT), assignment, folder)
    add_requirements(Course(ROOT), assignment, folder)
    return folder


def sandbox_spec(**limits: Any) -> SandboxSpec:
    """A sandbox of the real engine, with these limits."""
    return SandboxSpec(engine_prefix=ENGINE, limits=Limits(**limits))
