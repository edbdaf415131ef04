"""Stock `nbgrader validate` on released notebooks, in a student's environment, says which exercises fail.

Every notebook of the course: ``pytest tests/check/test_validate.py -m exhaustive``.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import classroom
import nbformat
import pytest
from classroom import BIN, ROOT, nbgrader_cell, notebook_of
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import is_solution
from student_kernel import add_kernel, install

from syncpoint.course.folder import Course
from syncpoint.course.visible import ABOUT, VISIBLE_FOLDER
from syncpoint.judge.cells import is_autograded
from syncpoint.releases.grade_cells import add_checks

COURSE = Course(ROOT)
# Of each visible test, a wrong solution that it does not let pass, by assignment and exercise.
WRONG = {
    tuple(line.split("/")[:2]): path.parent / line.partition("/")[2]
    for path in ROOT.glob("grader_tests/*/bank/visible.txt")
    for line in reversed(path.read_text().split())
}
FAILED = re.compile(r"^ +(\w+) does not pass its check yet:", re.MULTILINE)
SUCCESS = "Success! Your notebook passes all the tests."


@dataclass(frozen=True)
class Student:
    """A release in a student's folder, and the kernels of their environment."""

    release: Path
    kernels: Path

    def validate(self, name: str) -> str:
        """Return the command's output for a notebook."""
        done = subprocess.run(
            [BIN / "nbgrader", "validate", name],
            cwd=self.release,
            env={**os.environ, "JUPYTER_PATH": str(self.kernels)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def write(self, name: str, book: NotebookNode) -> str:
        """Write a notebook, and return the name of its file."""
        nbformat.write(book, self.release / name)
        return name


StudentOf = Callable[[str], Student]


@pytest.fixture(scope="module")
def student_of(tmp_path_factory: pytest.TempPathFactory) -> StudentOf:
    """``student_of(assignment)``: has its release, and its engine's environment with the wheel."""
    folder = tmp_path_factory.mktemp("validate")

    def made(assignment: str) -> Student:
        release = folder / "release" / assignment
        if not release.exists():
            classroom.released(assignment, release)
        engine = COURSE.settings_of(assignment).engine
        if not (folder / engine).exists():
            (wheel,) = release.glob("syncpoint_check-*.whl")
            add_kernel(install(engine, wheel, folder / engine / "environment"), folder / engine / "kernels", "python3")
        return Student(release, folder / engine)

    return made


def exercises(book: NotebookNode) -> list[str]:
    """The exercises of a notebook that tests grade."""
    return [cell.metadata.nbgrader.grade_id.removeprefix("test_") for cell in filter(is_autograded, book.cells)]


def answered(released: NotebookNode, source: NotebookNode, **others: str) -> NotebookNode:
    """A released notebook with the solutions of its source, or with other answers."""
    solutions = {cell.metadata.nbgrader.grade_id: cell.source for cell in filter(is_solution, source.cells)} | others
    for cell in filter(is_solution, released.cells):
        cell.source = solutions[cell.metadata.nbgrader.grade_id]
    return released


SOURCES = sorted((ROOT / "source").glob("*/*.ipynb"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_an_untouched_notebook_fails_at_each_exercise_and_the_reference_at_none(path: Path, student_of: StudentOf):
    student, source = student_of(path.parent.name), nbformat.read(path, as_version=4)
    output = student.validate(path.name)
    assert FAILED.findall(output) == exercises(source) != [], output
    reference = answered(nbformat.read(student.release / path.name, as_version=4), source)
    output = student.validate(student.write("reference.ipynb", reference))
    assert SUCCESS in output, output


SHORT = {"async_computation-loops", "asynchronous-loops"}  # in `make test-slow`, one of each engine
# Of each exercise that has visible tests, a wrong solution that they do not let pass.
CASES = [
    pytest.param(
        path,
        WRONG[path.parent.name, exercise],
        marks=() if f"{path.stem}-{exercise}" in SHORT else pytest.mark.exhaustive,
        id=f"{path.stem}-{exercise}",
    )
    for path in SOURCES
    for exercise in exercises(nbformat.read(path, as_version=4))
    if (path.parent.name, exercise) in WRONG
]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "wrong"), CASES)
def test_a_wrong_solution_that_a_visible_test_finds_fails_by_name(path: Path, wrong: Path, student_of: StudentOf):
    student, exercise = student_of(path.parent.name), wrong.parent.name
    released = nbformat.read(student.release / path.name, as_version=4)
    book = answered(released, nbformat.read(path, as_version=4), **{exercise: wrong.read_text()})
    output = student.validate(student.write("wrong.ipynb", book))
    assert exercise in FAILED.findall(output), output


NOISY = """
def check_noisy():
    import os, subprocess, sys, warnings
    warnings.warn("spoken by Python")
    print("spoken", file=sys.stderr)
    os.write(2, b"spoken by an engine")
    subprocess.run([sys.executable, "-c", "import sys; print('spoken by another', file=sys.stderr)"])
    display(7)
    return 0.5
"""
STUB = "def {}():\n    raise NotImplementedError()"


def notebook(**sources: str) -> NotebookNode:
    """A released notebook: of each exercise one cell, and its grade cell."""
    book = notebook_of([])
    for name, source in sources.items():
        book.cells.append(new_code_cell(source.strip()))
        grade = nbgrader_cell(new_code_cell, "# Tests.", f"test_{name}", grade=True, locked=True, points=1)
        book.cells.append(grade)
    add_checks(COURSE, "torch_memory", book)
    return book


@pytest.mark.exhaustive
def test_an_exercise_without_a_visible_test_has_its_own_check_or_must_not_be_a_stub(student_of: StudentOf):
    student = student_of("torch_memory")
    book = notebook(
        noisy=NOISY,
        solved="def solved():\n    return 1",
        stub=STUB.format("stub"),
        top_level_stub="raise NotImplementedError()",
        after_a_stub="x = 1",
        silent="def check_silent():\n    assert False",
        leaves="import sys\ndef check_leaves():\n    sys.exit()",
        lacks="def check_lacks():\n    raise NotImplementedError('no such operation')",
        keeps="def validate():\n    return 'mine'",
        kept="def check_kept():\n    assert validate() == 'mine'",
    )
    output = student.validate(student.write("small.ipynb", book))
    assert FAILED.findall(output) == ["stub", "top_level_stub", "silent", "leaves", "lacks"], output
    assert "VALIDATION FAILED ON 5 CELL(S)!" in output
    for text in ("check_silent failed.", "SystemExit", "NotImplementedError: no such operation"):
        assert text in output
    assert "Traceback" not in output
    output = student.validate(student.write("fine.ipynb", notebook(noisy=NOISY, solved="def solved():\n    return 1")))
    assert SUCCESS in output, output


@pytest.mark.slow
def test_what_is_missing_is_said_in_a_sentence(student_of: StudentOf, tmp_path: Path):
    """The tests beside the notebook, or the wheel in the environment."""
    student = student_of("torch_memory")
    (tmp_path / "alone").mkdir()
    alone = Student(tmp_path / "alone", student.kernels)
    book = notebook(solved="def solved():\n    return 1")
    output = alone.validate(alone.write("small.ipynb", book))
    assert FAILED.findall(output) == ["solved"]
    assert f"folder `{VISIBLE_FOLDER}` is missing" in output

    shutil.copytree(student.release / VISIBLE_FOLDER, alone.release / VISIBLE_FOLDER)
    assert (alone.release / VISIBLE_FOLDER / ABOUT).is_file()
    assert SUCCESS in alone.validate("small.ipynb")
    add_kernel(install("torch", None, tmp_path / "environment"), tmp_path / "kernels", "python3")
    output = Student(alone.release, tmp_path).validate("small.ipynb")
    assert "VALIDATION FAILED ON 1 CELL(S)!" in output
    assert "AssertionError: Run `pip install syncpoint_check-*.whl`, then restart the kernel." in output
