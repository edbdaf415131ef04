"""Stock `nbgrader validate` on released notebooks, in a student's environment, says which exercises fail.

Every notebook of the course: ``pytest tests/check/test_validate.py -m exhaustive``.
"""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from classroom import BIN, ROOT
from nbformat import NotebookNode
from nbgrader.utils import is_solution
from student_kernel import add_kernel, install

from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.judge.submission import is_autograded

COURSE = Course(ROOT)
WRONG = [Path(line) for line in (ROOT / "bank" / "visible.txt").read_text().split()]
FAILED = re.compile(r"^ +(\w+) does not pass its check yet\.", re.MULTILINE)
SUCCESS = "Success! Your notebook passes all the tests."
SHORT = {"async_computation", "asynchronous"}  # in `make test`, one notebook of each engine
Release = Callable[[str], Path]


def marked(path: Path) -> list[pytest.MarkDecorator]:
    """What a notebook's test needs."""
    engine = pytest.mark.torch if path.parent.name.startswith("torch") else pytest.mark.engine
    return [engine, pytest.mark.slow] + ([] if path.stem in SHORT else [pytest.mark.exhaustive])


SOURCES = sorted((ROOT / "source").glob("*/*.ipynb"))
BOOKS = [pytest.param(path, marks=marked(path), id=path.stem) for path in SOURCES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For releases, environments and kernels."""
    return tmp_path_factory.mktemp("validate")


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    """``release(assignment)``: a fresh release of it, and its engine's environment."""

    def made(assignment: str) -> Path:
        place = folder / "release" / assignment
        if not place.exists():
            quiet_nbgrader(
                ROOT,
                *("generate_assignment", assignment, "--force", "--db", f"sqlite:///{folder}/gradebook.db"),
                f"--CourseDirectory.release_directory={folder}/release",
            )
        engine = COURSE.settings_of(assignment).engine
        if not (folder / engine).exists():
            (wheel,) = place.glob("syncpoint_check-*.whl")
            add_kernel(install(engine, wheel, folder / engine / "environment"), folder / engine / "kernels", "python3")
        return place

    return made


def validate(path: Path, jupyter: Path) -> str:
    """What the command says of a notebook, in the kernel of that folder."""
    done = subprocess.run(
        [BIN / "nbgrader", "validate", path.name],
        cwd=path.parent,
        env={**os.environ, "JUPYTER_PATH": str(jupyter)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def exercises(book: NotebookNode) -> list[str]:
    return [cell.metadata.nbgrader.grade_id.removeprefix("test_") for cell in book.cells if is_autograded(cell)]


def answered(released: Path, source: Path, name: str, **others: str) -> Path:
    """A released notebook with the solutions of its source, or with other answers."""
    solutions = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in nbformat.read(source, as_version=4).cells
        if is_solution(cell)
    }
    book = nbformat.read(released / source.name, as_version=4)
    for cell in filter(is_solution, book.cells):
        identity = cell.metadata.nbgrader.grade_id
        cell.source = others.get(identity, solutions[identity])
    path = released / f"{name}.ipynb"
    nbformat.write(book, path)
    return path


@pytest.mark.parametrize("source", BOOKS)
def test_an_untouched_notebook_fails_at_each_exercise_and_the_reference_at_none(source: Path, release: Release):
    assignment = source.parent.name
    released, jupyter = release(assignment), release(assignment).parents[1] / COURSE.settings_of(assignment).engine
    said = validate(released / source.name, jupyter)
    names = exercises(nbformat.read(source, as_version=4))
    assert names
    assert FAILED.findall(said) == names, said
    said = validate(answered(released, source, "reference"), jupyter)
    assert SUCCESS in said, said


def wrong_of(source: Path) -> list[Path]:
    """Of each exercise that has visible tests, a wrong solution that they do not let pass."""
    names = exercises(nbformat.read(source, as_version=4))
    first: dict[str, Path] = {}
    for path in WRONG:
        assignment, exercise, _ = path.parts
        if assignment == source.parent.name and exercise in names:
            first.setdefault(exercise, ROOT / "bank" / path)
    return list(first.values())


CASES = [
    pytest.param(
        source,
        path,
        # `make test` takes one of each engine.
        marks=marked(source) + ([] if path.parent.name == "loops" else [pytest.mark.exhaustive]),
        id=f"{source.stem}-{path.parent.name}",
    )
    for source in SOURCES
    for path in wrong_of(source)
]


@pytest.mark.parametrize(("source", "wrong"), CASES)
def test_a_wrong_solution_that_a_visible_test_finds_fails_by_name(source: Path, wrong: Path, release: Release):
    assignment, exercise = source.parent.name, wrong.parent.name
    released, jupyter = release(assignment), release(assignment).parents[1] / COURSE.settings_of(assignment).engine
    said = validate(answered(released, source, "wrong", **{exercise: wrong.read_text()}), jupyter)
    assert exercise in FAILED.findall(said), said
