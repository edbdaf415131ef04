"""The pytest plugin of a course: ``pytest grader_tests/async`` runs graders by hand, with ``--submission``.

It runs the reference notebooks, or the notebook given with ``--submission``, in the same sandbox as the pipeline, which
does without this plugin.
"""

import functools
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..judge.cells import is_autograded
from ..judge.notebook_run import NotebookRun
from ..judge.pytest_plugin import StudentPlugin, helpers, place_of
from ..judge.student import Student
from .errors import CourseError
from .folder import Course
from .intake import read_notebook


class LocalRun(StudentPlugin):
    """A pytest run by hand, in the course around ``folder``.

    One kernel for each notebook, advanced from grade cell to grade cell. ``submission`` is run instead of the
    reference.
    """

    def __init__(self, submission: Path | None, folder: Path):
        self.submission, self._folder = submission, folder
        self._runs: dict[Path, NotebookRun] = {}

    @functools.cached_property
    def course(self) -> Course:
        return Course.around(self._folder)

    def student_at(self, module: Path) -> Student:
        assignment, exercise = module.parent.name, module.stem
        path = self.notebook_of(assignment, exercise)
        if path not in self._runs:
            if self.submission is None:
                notebook = self.course.source(assignment).notebook(path.stem, self.variant_at(module))
            else:
                notebook = read_notebook(path, self.course.release(assignment).template(path.stem)).notebook
            self._runs[path] = NotebookRun(notebook, self.course.sandbox_spec(assignment))
            self._runs[path].__enter__()
        run = self._runs[path]
        for index, cell in enumerate(run.notebook.cells):
            if is_autograded(cell) and cell.metadata.nbgrader.grade_id == exercise:
                run.advance_to(index)
                return run.student().using(self.course.graders(assignment).settings().interface or "")
        raise pytest.UsageError(f"{path} has no grade cell {exercise}")

    def variant_at(self, module: Path) -> str:
        """Return the variant of the release."""
        return self.course.graders(module.parent.name).settings().variants.number()

    def notebook_of(self, assignment: str, exercise: str) -> Path:
        """Return the notebook with the exercise: the submission's file, or the reference."""
        name = self.course.source(assignment).notebook_with(exercise)
        if self.submission is None:
            return self.course.source(assignment).folder / f"{name}.ipynb"
        if self.submission.stem != name:
            pytest.skip(f"{exercise} belongs to {name}.ipynb, not to {self.submission.name}")
        return self.submission

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Judge exercises in the order of their cells, as the pipeline does."""
        graders = [path for path in map(place_of, items) if path.parent.parent.name == "grader_tests"]
        if self.submission is None and not graders:
            return
        places = {
            (assignment, name): place
            for assignment in {grader.parent.name for grader in graders}
            for place, name in enumerate(self.course.source(assignment).exercises())
        }
        items.sort(key=lambda item: places.get((place_of(item).parent.name, item.path.stem), -1))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Also collect the graders that an assignment shares, as if they were in its folder."""
        report = yield
        if isinstance(collector, pytest.Dir) and collector.path.parent.name == "grader_tests" and report.passed:
            report.result += _shared(collector)
        return report

    def pytest_unconfigure(self) -> None:
        for run in self._runs.values():
            run.__exit__(None, None, None)


def _shared(folder: pytest.Dir) -> Iterator[pytest.Module]:
    try:
        shared = [
            path
            for path in Course(folder.path.parent.parent).graders(folder.path.name).tests()
            if path.parent != folder.path
        ]
    except CourseError as problem:
        raise pytest.UsageError(str(problem)) from None
    for place in {path.parent for path in shared}:
        pytest.register_assert_rewrite(*helpers(place))
    for path in shared:
        yield pytest.Module.from_parent(folder, path=path, nodeid=f"{folder.nodeid}/{path.name}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--submission", type=Path, help="grade this notebook instead of the reference solution")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LocalRun(config.getoption("--submission"), config.invocation_params.dir))
