"""A small course on the engine `plain`, which is quick: two exercises of two and three points, and a written answer."""

import shutil
import tempfile
from pathlib import Path
from typing import Self

from classroom import BIN, SmallCourse, exercise, notebook_of, written_answer

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

    exercises = RIGHT

    @classmethod
    def make(cls, root: Path, config: str = "") -> Self:
        """Write the course into an empty folder, and release its assignment."""
        cells = [cell for name, points in POINTS.items() for cell in exercise(name, RIGHT[name], points)]
        graders = {f"test_{name}": GRADER.format(name=name, expression=one) for name, one in EXPRESSIONS.items()}
        course = cls(root).write(notebook_of([*cells, written_answer(1)]), graders, "plain", LIMITS + config)
        course.must_run("nbgrader", "generate_assignment", "async")
        course.judge()
        return course

    def judge(self) -> None:
        """Put the results of what tests hand in into the store, so that each is judged once and not by every run."""
        with tempfile.TemporaryDirectory() as place:
            other = self.copy(Path(place, "course"))
            other.submit("untouched", other.release())
            for number, wrong in enumerate(((), ("double",), ("square",), tuple(WRONG))):
                other.hand_in(f"s{number}", **{name: WRONG[name] for name in wrong})
            other.syncpoint("grade", "async")
            shutil.copytree(other.root / ".syncpoint" / "results", self.root / ".syncpoint" / "results")

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
