"""The pytest plugin of a course: ``pytest grader_tests/async`` runs graders by hand, and knows ``--submission``.

It runs the reference notebooks, or the notebook given with ``--submission``, in the same sandbox as the pipeline, which
does without this plugin.
"""

import functools
from pathlib import Path

import pytest

from ..judge.pytest_plugin import StudentPlugin
from ..judge.student import Student
from ..judge.submission import SubmissionRun, is_autograded
from .folder import Course
from .intake import read_submission


class LocalRun(StudentPlugin):
    """A pytest run by hand: one kernel for each notebook, advanced from grade cell to grade cell.

    submission: the notebook to run in the place of the reference, or None.  folder: one in the course.
    """

    def __init__(self, submission: Path | None, folder: Path):
        self.submission, self._folder = submission, folder
        self._runs: dict[Path, SubmissionRun] = {}

    @functools.cached_property
    def course(self) -> Course:
        """The course around the folder.  Raises CourseError if there is none."""
        return Course.around(self._folder)

    def student_at(self, module: Path) -> Student:
        """The student at the grade cell that ``module`` judges."""
        assignment, exercise = module.parent.name, module.stem
        path = self.notebook_of(assignment, exercise)
        if path not in self._runs:
            if self.submission is None:
                notebook = self.course.reference(assignment, path.stem)
            else:
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

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Judge exercises in the order of their cells, as the pipeline does."""
        if self.submission is None and not any(_is_grader(item.path) for item in items):
            return
        places: dict[tuple[str, str], int] = {}
        for assignment in {item.path.parent.name for item in items if _is_grader(item.path)}:
            places |= {(assignment, name): place for place, name in enumerate(self.course.exercises(assignment))}
        items.sort(key=lambda item: places.get((item.path.parent.name, item.path.stem), -1))

    def pytest_unconfigure(self) -> None:
        """Stop every kernel."""
        for run in self._runs.values():
            run.__exit__(None, None, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--submission``."""
    parser.addoption("--submission", type=Path, help="grade this notebook instead of the reference solution")


def pytest_configure(config: pytest.Config) -> None:
    """Bring the student."""
    config.pluginmanager.register(LocalRun(config.getoption("--submission"), config.invocation_params.dir))


def _is_grader(path: Path) -> bool:
    return path.parent.parent.name == "grader_tests"
