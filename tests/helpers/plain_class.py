"""A small course on the engine `plain`, which is quick: two exercises of two and three points, and a written answer."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from classroom import BIN, ROOT, SmallCourse, nbgrader_cell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

RIGHT = {"double": "def double(x):\n    return 2 * x", "square": "def square(x):\n    return x * x"}
WRONG = {"double": "def double(x):\n    return x", "square": "def square(x):\n    return x"}
POINTS = {"double": 2, "square": 3}
GRADER = '''
"""{name}(x)."""


def test_value(student, rng):
    """The value is right."""
    x = float(rng.integers(3, 99))
    assert student.call("{name}", x).returned == {expression}
'''
EXPRESSIONS = {"double": "2 * x", "square": "x * x"}
LIMITS = "\nc.GradeSubmission.cell_seconds = 20\nc.GradeSubmission.processes = 60\n"


class PlainCourse(SmallCourse):
    """Its one assignment is called as the other small course's."""

    @classmethod
    def make(cls, root: Path, config: str = "") -> "PlainCourse":
        """Write the course into an empty folder, and release its assignment."""
        course = cls(root)
        cells: list[Any] = []
        for name, points in POINTS.items():
            head, body = RIGHT[name].split("\n", 1)
            text = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
            cells.append(nbgrader_cell(new_code_cell, text, name, solution=True))
            hidden = "### BEGIN HIDDEN TESTS\nraise RuntimeError\n### END HIDDEN TESTS"
            cells.append(nbgrader_cell(new_code_cell, hidden, f"test_{name}", grade=True, locked=True, points=points))
        cells.append(nbgrader_cell(new_markdown_cell, "Why?", "why", grade=True, solution=True, points=1))
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
        (root / "source" / "async").mkdir(parents=True)
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), root / "source/async/work.ipynb")
        (root / "grader_tests" / "async").mkdir(parents=True)
        for name, expression in EXPRESSIONS.items():
            course.grader(f"test_{name}").write_text(GRADER.format(name=name, expression=expression))
        shutil.copy(ROOT / "nbgrader_config.py", root)
        course.configure(f'c.GradeSubmission.engine = "plain"\n{LIMITS}{config}')
        (root / ".venv-plain").symlink_to(ROOT / ".venv-plain")
        course.must_run("nbgrader", "generate_assignment", "async")
        course.judge()
        return course

    def judge(self) -> None:
        """Put the results of what tests hand in into the store, so that each is judged once and not by every run."""
        with tempfile.TemporaryDirectory() as place:
            other = PlainCourse(shutil.copytree(self.root, Path(place, "course"), symlinks=True))
            other.submit("untouched", other.release())
            for number, wrong in enumerate(((), ("double",), ("square",), tuple(WRONG))):
                other.hand_in(f"s{number}", **{name: WRONG[name] for name in wrong})
            other.syncpoint("grade", "async")
            shutil.copytree(other.root / ".syncpoint" / "results", self.root / ".syncpoint" / "results")

    def solved(self, **sources: str) -> dict[str, Any]:
        """The released notebook with right solutions, or with the given sources of the named cells."""
        return super().solved(**RIGHT | sources)

    def settings(self, text: str) -> None:
        """Write the assignment.toml."""
        (self.root / "grader_tests" / "async" / "assignment.toml").write_text(text)

    def hand_in(self, student: str, time: str = "", files: dict[str, str] | None = None, **sources: str) -> Path:
        """Submit a notebook at a time, with other files."""
        path = self.submit(student, self.solved(**sources))
        if time:
            (path.parent / "timestamp.txt").write_text(time)
        for name, text in (files or {}).items():
            (path.parent / name).write_text(text)
        return path.parent

    def syncpoint(self, *arguments: str, status: int = 0) -> str:
        """Run ``syncpoint ...``; its output and errors."""
        done = self.run(str(BIN / "syncpoint"), *arguments)
        output = done.stdout + done.stderr
        assert done.returncode == status, output
        return output

    def points(self) -> dict[str, tuple[float, float]]:
        """Student -> points of double and of square."""
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{self.root}/gradebook.db", "syncpoint") as gradebook:
            return {
                submission.student.id: tuple(
                    gradebook.find_grade(f"test_{name}", "work", "async", submission.student.id).score
                    for name in POINTS
                )
                for submission in gradebook.assignment_submissions("async")
            }
