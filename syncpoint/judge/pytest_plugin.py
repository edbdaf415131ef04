"""The pytest plugin: the fixtures ``student`` and ``rng``, and ``--submission`` for instructors who debug a grader.

Inside the grading pipeline the test runner brings the student; on the command line (``pytest grader_tests/async``)
this plugin runs the reference notebooks, or the notebook given with ``--submission``, in the same sandbox.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .student import Student
from .submission import SubmissionRun, is_autograded


class StudentPlugin:
    """Registered by the test runner: the one student of this pytest run."""

    def __init__(self, student: Student):
        self.student = student


class LocalRun:
    """A pytest run by hand: one kernel for each notebook, advanced from grade cell to grade cell."""

    def __init__(self, submission: Path | None):
        from .course import Course  # with nbgrader, which a judging process does without

        self.submission = submission
        self.course = Course.around(Path.cwd())
        self._runs: dict[Path, SubmissionRun] = {}

    def student(self, module: Path) -> Student:
        """The student at the grade cell that ``module`` judges."""
        assignment, exercise = module.parent.name, module.stem
        path = self.notebook_of(assignment, exercise)
        if path not in self._runs:
            if self.submission is None:
                notebook = self.course.reference(assignment, path.stem)
            else:
                from .intake import read_submission

                notebook = read_submission(path, self.course.release(assignment, path.stem)).notebook
            self._runs[path] = SubmissionRun(notebook, self.course.sandbox_spec(assignment))
            self._runs[path].__enter__()
        run = self._runs[path]
        for index, cell in enumerate(run.notebook.cells):
            if is_autograded(cell) and cell.metadata.nbgrader.grade_id == exercise:
                run.advance_to(index)
                return run.student()
        raise pytest.UsageError(f"{path} has no grade cell {exercise}")

    def notebook_of(self, assignment: str, exercise: str) -> Path:
        """The notebook that holds the exercise: the submission's file, or the reference."""
        name = self.course.notebook_with(assignment, exercise)
        if self.submission is None:
            return self.course.source_folder(assignment) / f"{name}.ipynb"
        if self.submission.stem != name:
            pytest.skip(f"{exercise} belongs to {name}.ipynb, not to {self.submission.name}")
        return self.submission

    def close(self) -> None:
        """Stop every kernel."""
        for run in self._runs.values():
            run.__exit__(None, None, None)


def helpers(folder: Path) -> set[str]:
    """The modules that the graders in a folder may import: what is no grader there, and in the folder above."""
    names = {path.stem for place in (folder, folder.parent) for path in place.glob("*.py")}
    return {name for name in names if name != "conftest" and not name.startswith("test_")}


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """Have a failed assert of a helper say what it saw, as one of a grader does.  Before any conftest.py imports it."""
    paths = [Path(argument.partition("::")[0]) for argument in args]
    folders = {path if path.is_dir() else path.parent for path in paths}
    pytest.register_assert_rewrite(
        *(name for folder in folders if folder.parent.name == "grader_tests" for name in helpers(folder))
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--submission``."""
    parser.addoption("--submission", type=Path, help="grade this notebook instead of the reference solution")


def pytest_configure(config: pytest.Config) -> None:
    """Name our marks."""
    config.addinivalue_line("markers", "hint(text): what a student reads when the test fails")
    config.addinivalue_line("markers", "weight(value): how much the test counts in its exercise")
    config.addinivalue_line("markers", "core: a test of what the exercise is named after; half of its points")
    config.addinivalue_line("markers", "misconception(slug): what whoever fails the test often believes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Judge exercises in the order of their cells, as the pipeline does; the test runner brings one exercise only."""
    if _student_plugin(config) is not None:
        return
    if config.getoption("submission", None) is None and not any(_is_grader(item.path) for item in items):
        return
    from .course import Course

    places: dict[tuple[str, str], int] = {}
    for assignment in {item.path.parent.name for item in items if _is_grader(item.path)}:
        exercises = Course.around(config.invocation_params.dir).exercises(assignment)
        places |= {(assignment, exercise): place for place, exercise in enumerate(exercises)}
    items.sort(key=lambda item: places.get((item.path.parent.name, item.path.stem), -1))


def _student_plugin(config: pytest.Config) -> StudentPlugin | None:
    return next((p for p in config.pluginmanager.get_plugins() if isinstance(p, StudentPlugin)), None)


def _is_grader(path: Path) -> bool:
    return path.parent.parent.name == "grader_tests"


@pytest.fixture(scope="session")
def _local_run(request: pytest.FixtureRequest) -> Iterator[Any]:
    plugin = _student_plugin(request.config)
    if plugin is not None:
        yield lambda module: plugin.student
        return
    local_run = LocalRun(request.config.getoption("--submission"))
    yield local_run.student
    local_run.close()


@pytest.fixture(scope="module")
def student(request: pytest.FixtureRequest, _local_run: Any) -> Student:
    """The student whose code is judged."""
    return _local_run(request.path)


@pytest.fixture
def rng() -> np.random.Generator:
    """Fresh random numbers for every test of every run: nobody can know the inputs beforehand."""
    return np.random.default_rng()
