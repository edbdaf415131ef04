"""The graded classes: one assignment for our judge and for stock nbgrader, with different submissions."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.course.cells import grade_id
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import CONFIG, OF_STUDENTS, STATE_FOLDER, Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.demo.sample_submission import SampleSubmission, reference_solutions

TRIVIAL = "trivial"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
IMPORT = "from mxnet import nd"
SOLUTION = "def double(x):\n    ### BEGIN SOLUTION\n    return x * 2\n    ### END SOLUTION\n"
CHECK = "assert double(nd.array([1, 2, 3])).asnumpy().tolist() == [2, 4, 6]"
BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
GRADER = '''\
"""double(x) is twice x."""

import numpy as np

from syncpoint.graders import array


def test_double(student, rng):
    """It doubles every element."""
    x = rng.normal(size=4).astype("float32")
    assert np.array_equal(np.asarray(student.call("double", array(x)).returned), 2 * x)
'''
STOCK_CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "stock"\nc.Application.log_level = "ERROR"\n'
# Each notebook measures the processor time of its own kernel: the work itself, without the overhead.
COUNT = "import time\ncounted_from = time.process_time()"
PRINT = "print('processor seconds:', time.process_time() - counted_from)"
PRINTED = re.compile(r"processor seconds: ([\d.e-]+)")


@dataclass(frozen=True)
class Classroom:
    """A released assignment in its own folder, with its class."""

    course: Course
    assignment: str

    def seat(self, number: int) -> None:
        """Start again with N different submissions, and nothing graded."""
        root = self.course.root
        for folder in (*OF_STUDENTS, STATE_FOLDER):
            shutil.rmtree(root / folder, ignore_errors=True)
        shutil.copy(root / "released.db", root / "gradebook.db")
        solutions = reference_solutions(self.course, self.assignment)
        for index in range(1, number + 1):
            submission = SampleSubmission.released(self.course, self.assignment)
            for exercise, source in solutions.items():
                submission.cell(exercise).source = f"# Submission {index}\n{source}"
            for notebook in submission.notebooks.values():
                notebook.cells = [new_code_cell(COUNT), *notebook.cells, new_code_cell(PRINT)]
            submission.write(root / "submitted" / f"student_{index:04}" / self.assignment)

    def students(self) -> list[str]:
        """The students of the class."""
        return sorted(path.name for path in (self.course.root / "submitted").iterdir())

    def graded(self) -> dict[str, list[Path]]:
        """The graded notebooks of each student.

        Raises:
            CommandFailed: If one is missing.
        """
        found = {
            student: sorted((self.course.root / "autograded" / student / self.assignment).glob("*.ipynb"))
            for student in self.students()
        }
        missing = len(list(self.course.root.glob(f"submitted/*/{self.assignment}/*.ipynb"))) - sum(
            map(len, found.values())
        )
        if missing:
            raise CommandFailed(f"{missing} notebooks of {self.assignment} were not graded.")
        return found

    def kernel_seconds(self) -> list[float]:
        """Processor seconds of each submission's kernels: its cells, and the calls of the tests."""
        return [
            sum(float(number) for path in paths for number in PRINTED.findall(_outputs(path)))
            for paths in self.graded().values()
        ]

    def cells(self) -> dict[str, list[str]]:
        """The code cells of the first submission, by notebook, without those that are judged."""
        folder = self.course.root / "submitted" / self.students()[0] / self.assignment
        return {
            path.stem: [
                cell.source
                for cell in nbformat.read(path, as_version=4).cells
                if cell.cell_type == "code" and not _is_judged(cell)
            ]
            for path in sorted(folder.glob("*.ipynb"))
        }


def our_classroom(course: Course, assignment: str, folder: Path) -> Classroom:
    """A copy of the course, with the assignment released."""
    return _released(course.copy_to(folder), assignment)


def stock_classroom(course: Course, assignment: str, folder: Path) -> Classroom:
    """The same assignment for stock nbgrader: no judge, no sandbox, and visible checks as its hidden tests."""
    source = folder / "source" / assignment
    shutil.copytree(course.source(assignment).folder, source)
    for path in source.glob("*.ipynb"):
        nbformat.write(with_asserts(nbformat.read(path, as_version=4)), path)
    (folder / CONFIG).write_text(STOCK_CONFIG)
    kernel = folder / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    argv = [str(course.sandbox_spec(assignment).python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "engine", "language": "python"}))
    return _released(Course(folder), assignment)


def trivial_course(course: Course, folder: Path) -> Course:
    """Return a course with only the trivial assignment, and the settings and engines of ``course``."""
    source, graders = folder / "source" / TRIVIAL, folder / "grader_tests" / TRIVIAL
    source.mkdir(parents=True)
    graders.mkdir(parents=True)
    shutil.copy(course.root / CONFIG, folder)
    for engine in course.root.glob(".venv-*"):
        (folder / engine.name).symlink_to(engine)
    notebook = new_notebook(metadata={"kernelspec": KERNEL})
    notebook.cells = [
        _cell("imports", IMPORT, locked=True),
        _cell("double", SOLUTION, solution=True),
        _cell("check_double", CHECK, locked=True),
        _cell("test_double", f'{BEGIN}\nraise RuntimeError("not judged")\n{END}\n', grade=True, locked=True, points=1),
    ]
    nbformat.write(notebook, source / f"{TRIVIAL}.ipynb")
    (graders / "test_double.py").write_text(GRADER)
    (graders / "assignment.toml").write_text('engine = "mxnet"\n')
    return Course(folder)


def with_asserts(notebook: NotebookNode) -> NotebookNode:
    """The notebook with the asserts of ``check_x`` as the hidden tests of each grade cell ``test_x``."""
    sources = {grade_id(cell): cell.source for cell in notebook.cells}
    for cell in notebook.cells:
        check = sources.get(re.sub("^test_", "check_", grade_id(cell)), "pass")
        visible, found, rest = cell.source.partition(BEGIN)
        if found:
            cell.source = f"{visible}{BEGIN}\n{check}\n{END}{rest.partition(END)[2]}"
    return notebook


def _released(course: Course, assignment: str) -> Classroom:
    quiet_nbgrader(course.root, "generate_assignment", assignment)
    shutil.move(course.root / "gradebook.db", course.root / "released.db")
    return Classroom(course, assignment)


def _cell(identity: str, source: str, **kind: bool | int) -> NotebookNode:
    data = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    cell = new_code_cell(source, metadata={"nbgrader": {**data, "grade_id": identity, **kind}})
    cell.id = identity.replace("_", "-")
    return cell


def _outputs(path: Path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(str(output.get("text", "")) for cell in cells for output in cell.get("outputs", ()))


def _is_judged(cell: NotebookNode) -> bool:
    data = cell.metadata.get("nbgrader", {})
    return bool(data.get("grade") and not data.get("solution"))
