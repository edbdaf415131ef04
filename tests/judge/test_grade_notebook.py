"""The judge on a machine of its own: a spec and a job as JSON, an engine, and no course folder."""

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import ROOT, SmallCourse
from results import points

from syncpoint.core.messages import words
from syncpoint.core.results import Note
from syncpoint.course.folder import Course
from syncpoint.judge import test_runner
from syncpoint.judge.grade_notebook import grade_notebook
from syncpoint.judge.job import GradingSpec, NotebookJob, Result, from_json, to_json
from syncpoint.judge.kernel import Kernel, Reply
from syncpoint.judge.student import Deadline, Student
from syncpoint.sandbox.spec import read_files

Judge = Callable[..., Result]


@pytest.fixture
def judge(course: SmallCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Judge a notebook with these solutions where neither the course nor the submission is."""

    def run(files: dict[str, str] | None = None, **sources: str) -> Result:
        folder = tmp_path / "handed-in"
        folder.mkdir()
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
        spec = Course(course.root).spec("async")
        notebook = nbformat.reads(json.dumps(course.solved(**sources)), as_version=4)
        job = NotebookJob.of("work", notebook, [Note(words("A note."))], read_files(sorted(folder.iterdir())), spec)
        as_bytes = to_json(spec), to_json(job)
        course.root.rename(tmp_path / "away")
        (tmp_path / "empty").mkdir()
        monkeypatch.chdir(tmp_path / "empty")
        return grade_notebook(from_json(GradingSpec, as_bytes[0]), from_json(NotebookJob, as_bytes[1]), ROOT)

    return run


def test_a_result_needs_no_course_folder(judge: Judge):
    result = judge({"mine.py": "FACTOR = 2"}, double="from mine import FACTOR\ndef double(x):\n    return x * FACTOR")
    assert (points(result), result.cacheable, result.warnings) == ([4, 2], True, ())
    assert [str(incident.message) for incident in result.notebook_result.incidents] == ["A note."]
    assert from_json(Result, to_json(result)) == result


def test_a_detail_names_the_grader_as_the_course_does(judge: Judge):
    result = judge(double="def double(x):\n    return x")
    details = "".join(outcome.detail for outcome in result.notebook_result.exercises[1].tests)
    assert points(result) == [4, 0]
    assert "\ngrader_tests/async/test_double.py:" in details
    assert "sp-" not in details


def test_a_grader_that_cannot_be_imported_is_named_and_the_result_does_not_last(course: SmallCourse, judge: Judge):
    course.grader("test_double").write_text("import nowhere\n")
    result = judge()
    (warning,) = map(str, result.warnings)
    assert (points(result), result.cacheable) == ([4, 0], False)
    assert warning.startswith("grader_tests/async/test_double.py cannot be imported")
    assert "sp-" not in warning


@pytest.mark.parametrize(
    ("crashes", "expected", "warnings"),
    [(1, [4, 2], ["crashed_by_itself"]), (2, [4, 0], ["crashed_by_itself", "crashed_by_itself_again"])],
)
def test_a_crash_of_the_kernel_counts_only_if_it_comes_again(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, crashes: int, expected: list[float], warnings: list[str]
):
    usual, crashed = Kernel.ask, set[Kernel]()

    def ask(self: Kernel, content: dict[str, Any], *arguments: Any) -> Reply:
        if content.get("name") == "double" and self not in crashed and len(crashed) < crashes:
            crashed.add(self)
            assert self._process is not None
            self._process.send_signal(signal.SIGABRT)
        return usual(self, content, *arguments)

    monkeypatch.setattr(Kernel, "ask", ask)
    result = judge()
    assert (points(result), result.cacheable, [warning.code for warning in result.warnings]) == (
        expected,
        True,
        warnings,
    )


@pytest.mark.parametrize("planted", ["conftest.py", "__init__.py", "../__init__.py"])
def test_a_file_that_somebody_put_above_the_graders_is_not_run(tmp_path: Path, planted: str):
    folder = tmp_path / "temporary" / "course"
    module = folder / "grader_tests" / "async" / "test_x.py"
    module.parent.mkdir(parents=True)
    module.write_text("def test_passes():\n    pass\n")
    (folder / "grader_tests" / "conftest.py").touch()
    (folder / planted).write_text("raise RuntimeError('planted')\n")
    (outcome,) = test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(1)))
    assert outcome.passed
    assert "grader_tests.conftest" not in sys.modules
