"""The pytest plugin of grader modules: their fixtures, marks, and imported helpers.

Another plugin provides the student: the test runner's in the grading pipeline, that of
:mod:`syncpoint.course.local_run` on the command line.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _pytest.nodes import Node

from ..core.variants import values_of
from .student import Student


class StudentPlugin:
    """Provides the student; the test runner registers it with the student of this pytest run."""

    def __init__(self, student: Student, variant: str = ""):
        self._student, self._variant = student, variant

    def student_at(self, module: Path) -> Student:
        """The student at the grade cell that a grader module judges."""
        return self._student

    def variant_at(self, module: Path) -> str:
        """The student's variant of the module's assignment."""
        return self._variant


def place_of(node: Node) -> Path:
    """Return the folder in which a test's module is collected, even if another folder contains the file."""
    folder = node.getparent(pytest.Dir)
    return (folder.path if folder else node.path.parent) / node.path.name


def helpers(folder: Path) -> set[str]:
    """Return the modules that a folder's graders may import: modules there and above that are not graders."""
    return {path.stem for path in helper_files(folder) if path.stem != "conftest"}


def helper_files(folder: Path) -> list[Path]:
    """The files of these modules and of fixtures."""
    found = (path for place in (folder, folder.parent) for path in sorted(place.glob("*.py")))
    return [path for path in found if not path.stem.startswith("test_")]


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """Rewrite asserts of helpers so that they report values like a grader's, before any conftest.py imports them."""
    paths = [Path(argument.partition("::")[0]) for argument in args]
    folders = {path if path.is_dir() else path.parent for path in paths}
    pytest.register_assert_rewrite(
        *(name for folder in folders if folder.parent.name == "grader_tests" for name in helpers(folder))
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register our marks."""
    config.addinivalue_line("markers", "hint(text): what a student reads when the test fails")
    config.addinivalue_line("markers", "weight(value): how much the test counts in its exercise")
    config.addinivalue_line("markers", "core: a test of what the exercise is about; these share half of its points")
    config.addinivalue_line("markers", "value: a test of a computed value; a failure costs at least a quarter")
    config.addinivalue_line("markers", "misconception(slug): what students who fail the test often believe")


@pytest.fixture(scope="module")
def student(request: pytest.FixtureRequest) -> Student:
    """The student whose code is judged."""
    return _plugin(request).student_at(place_of(request.node))


@pytest.fixture(scope="module")
def variant(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The student's own values of the names below ``[variants]`` in assignment.toml."""
    return values_of(_plugin(request).variant_at(place_of(request.node)))


def _plugin(request: pytest.FixtureRequest) -> StudentPlugin:
    return next(one for one in request.config.pluginmanager.get_plugins() if isinstance(one, StudentPlugin))


@pytest.fixture
def rng() -> np.random.Generator:
    """Fresh random numbers for every test of every run, so that inputs cannot be known beforehand."""
    return np.random.default_rng()
