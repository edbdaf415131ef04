"""What a result depends on, and that nothing but plain, whole, fitting data is taken for a spec, a job or a result."""

import copy
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import LIMITS, SmallCourse
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from results import result_of

from syncpoint.core.messages import Message, words
from syncpoint.core.results import (
    ExerciseResult,
    Incident,
    Note,
    NotebookResult,
    Status,
    SuspiciousAct,
    TestResult,
    Versions,
)
from syncpoint.course.folder import Course
from syncpoint.judge import judge_version
from syncpoint.judge.errors import EngineDiffers, Malformed
from syncpoint.judge.grade_notebook import grade_notebook
from syncpoint.judge.job import Files, GradingSpec, NotebookJob, Result, from_json, key, to_json
from syncpoint.judge.judge_version import environment, judge_digest
from syncpoint.report.exercise import BARE
from syncpoint.report.notebook import apply
from syncpoint.sandbox.spec import read_files


@pytest.fixture
def small(tmp_path: Path) -> SmallCourse:
    """The small course with one more assignment, a scenario, a file beside the notebooks and an engine of file names.

    Nothing can run in it.
    """
    course = SmallCourse.make(tmp_path / "course", LIMITS)
    shutil.copytree(course.root / "source" / "async", course.root / "source" / "other")
    shutil.copytree(course.root / "grader_tests" / "async", course.root / "grader_tests" / "other")
    (course.root / "grader_tests" / "conftest.py").write_text('"""Shared."""\n')
    (course.root / "grader_tests" / "async" / "helper.py").write_text('"""For the graders."""\n')
    (course.root / "source" / "async" / "data.csv").write_text("1,2\n")
    (course.root / "grader_tests" / "async" / "scenarios.py").write_text('"""Scenarios."""\n')
    page = course.root / "docs" / "students" / "misconceptions.md"
    page.parent.mkdir(parents=True)
    page.write_text('# Page\n\n<a id="x"></a>\n## Title\n\nText.\n')
    (course.root / ".venv-mxnet").unlink()
    site = course.root / ".venv-mxnet" / "lib" / "python3.11" / "site-packages"
    for name in ("mxnet-1.9.1", "numpy-1.23.5"):
        (site / f"{name}.dist-info").mkdir(parents=True)
    (course.root / ".venv-mxnet" / "pyvenv.cfg").write_text(f"home = {tmp_path}\nversion_info = 3.11.7\n")
    return course


def spec_of(course: SmallCourse, assignment: str = "async") -> GradingSpec:
    return Course(course.root).spec(assignment)


def notebook(seed: int = 0, text: str = "Because.") -> Any:
    """A notebook with ids of its own, and its metadata in an order of its own."""
    dice = random.Random(seed)

    def cell(new: Callable[..., Any], source: str, **marks: Any) -> Any:
        shuffled = dict(dice.sample(sorted(marks.items()), len(marks)))
        made = new(source, metadata={"nbgrader": shuffled} if marks else {})
        made.id = f"{dice.getrandbits(32):08x}"
        return made

    marks = {"solution": False, "grade": False, "locked": False, "schema_version": 3}
    return new_notebook(
        cells=[
            cell(new_code_cell, "x = 1", **{**marks, "grade_id": "x", "solution": True}),
            cell(new_markdown_cell, text),
            cell(new_code_cell, "# tests", **{**marks, "grade_id": "test_x", "grade": True, "points": 2}),
        ]
    )


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """A folder with what lies beside a student's notebook."""
    folder = tmp_path / "autograded" / "ada" / "async"
    folder.mkdir(parents=True)
    (folder / "data.csv").write_text("1,2\n")
    (folder / "mine.py").write_text("y = 1\n")
    return folder


def lying(folder: Path) -> Files:
    """The files in a folder."""
    return read_files(sorted(folder.iterdir()))


# --- the key ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_ids_order_and_text_do_not_change_the_key(small: SmallCourse, submitted: Path, seed: int):
    spec = spec_of(small)
    first = NotebookJob.of("work", notebook(0), [Note(words("mended"))], lying(submitted), spec)
    other = NotebookJob.of(
        "work", notebook(seed, text=f"Another answer, {seed}."), [Note(words("mended"))], lying(submitted), spec
    )
    assert key(spec, first) == key(spec, other)


def test_the_student_the_place_and_the_time_do_not_change_the_key(small: SmallCourse, submitted: Path, tmp_path: Path):
    spec = spec_of(small)
    before = key(spec, NotebookJob.of("work", notebook(), [], lying(submitted), spec))
    other_place = small.copy(tmp_path / "elsewhere")
    for path in other_place.root.rglob("*"):
        os.utime(path, (0, 0))
    later = shutil.copytree(submitted, tmp_path / "autograded" / "bob" / "async")
    spec = spec_of(other_place)
    assert key(spec, NotebookJob.of("work", notebook(), [], lying(later), spec)) == before


def _append(path: str, text: str = "more = 1\n") -> Callable[[SmallCourse], None]:
    def change(course: SmallCourse) -> None:
        with (course.root / path).open("a") as file:
            file.write(text)

    return change


def _replace(path: str, old: str, new: str) -> Callable[[SmallCourse], None]:
    def change(course: SmallCourse) -> None:
        text = (course.root / path).read_text()
        assert old in text
        (course.root / path).write_text(text.replace(old, new))

    return change


def _upgrade_numpy(course: SmallCourse) -> None:
    site = course.root / ".venv-mxnet" / "lib" / "python3.11" / "site-packages"
    (site / "numpy-1.23.5.dist-info").rename(site / "numpy-1.24.0.dist-info")


MODULE = "grader_tests/async/test_double.py"
CHANGES = {
    "a grader": _append(MODULE),
    "an assertion": _replace(MODULE, "> 1", "> 2"),
    "a number in what was seen": _replace(MODULE, "{x:.1f}", "{x:.2f}"),
    "what was seen": _replace(MODULE, "It was ", "It is "),
    "a weight": _replace(MODULE, "@weight(2)", "@weight(3)"),
    "a core test": _replace(MODULE, "@core\n", ""),
    "a helper of graders": _append("grader_tests/async/helper.py"),
    "what graders share": _append("grader_tests/conftest.py"),
    "a scenario": _append("grader_tests/async/scenarios.py"),
    "a file beside the notebooks": _append("source/async/data.csv"),
    "a limit": lambda course: course.configure("c.GradeSubmission.memory_mib = 999\n"),
    "the isolation": lambda course: course.configure('c.GradeSubmission.isolation = "none"\n'),
    "a package of the engine": _upgrade_numpy,
}
WORDS = {
    "the title of a test": _replace(MODULE, "The title.", "A title."),
    "a hint": _replace(MODULE, "Which way to look.", "Look there."),
    "a misconception": _replace(MODULE, "x-slug", "y-slug"),
}
OTHER_PLACES = {
    "a source notebook": _append("source/async/work.ipynb", "\n"),
    "the page of misconceptions": _append("docs/students/misconceptions.md"),
    "where that page is": lambda course: course.configure('c.GradeSubmission.misconceptions_url = "https://x"\n'),
}


@pytest.fixture
def worded(small: SmallCourse) -> SmallCourse:
    """The course with a grader that has words of every kind.  It is read, and never run."""
    (small.root / MODULE).write_text(WORDED)
    return small


WORDED = '''
"""The module."""

import mine
from syncpoint.graders import core, hint, misconception, saw, weight

TEXT = 'a'


def helper():
    """Nothing else."""


@core
@weight(2)
@hint("Which way to look.")
@misconception("x-slug")
def test_one(student):
    """The title."""
    x = student.call("double", 1).returned
    with saw("It was {x:.1f}.", x=x):
        assert x > 1


@hint(TEXT)
@mine.hint('a')
def test_two(student):
    pass
'''


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_judges_changes_the_key(worded: SmallCourse, change: Callable[[SmallCourse], None]):
    before = spec_of(worded).digest
    change(worded)
    assert spec_of(worded).digest != before


@pytest.mark.parametrize("change", OTHER_PLACES.values(), ids=OTHER_PLACES)
def test_what_does_not_judge_changes_no_key(worded: SmallCourse, change: Callable[[SmallCourse], None]):
    before = spec_of(worded)
    change(worded)
    after = spec_of(worded)
    assert (after.digest, after.versions) == (before.digest, before.versions)


def test_the_words_are_those_of_today(worded: SmallCourse):
    for change in WORDS.values():
        change(worded)
    test = TestResult("test_one[3]", Status.FAILED)
    spec = spec_of(worded)
    (reported,) = ExerciseResult("test_double", 1.0, (test,)).with_words(spec.words("test_double")).tests
    assert (reported.title, reported.hint, reported.misconception) == ("A title.", "Look there.", "y-slug")


def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, whose digests are taken."""
    copied = shutil.copytree(judge_version.PACKAGE, tmp_path / "syncpoint")
    monkeypatch.setattr(judge_version, "PACKAGE", copied)
    return copied


@pytest.mark.parametrize(
    ("file", "text", "same"),
    [
        ("judge/student.py", "more = 1\n", False),
        ("probe/trace.py", "more = 1\n", False),
        ("core/results.py", "more = 1\n", False),
        ("graders/__init__.py", "more = 1\n", False),
        ("report/exercise.py", "more = 1\n", True),
        ("dashboard/page.py", "more = 1\n", True),
    ],
)
def test_only_code_that_judges_has_a_part_in_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, same: bool
):
    package = _package(tmp_path, monkeypatch)
    before = judge_version.judge_digest.__wrapped__("mxnet")
    with (package / file).open("a") as changed:
        changed.write(text)
    assert (judge_version.judge_digest.__wrapped__("mxnet") == before) is same


def test_all_code_that_the_judge_loads_has_a_part_in_the_key():
    program = "import syncpoint.judge.judging_main, syncpoint.judge.grade_notebook, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name for name in run.stdout.split() if name.startswith("syncpoint.")}
    # Of engines the one that is used is.
    outside = {"syncpoint.engines", "syncpoint.engines.find", "syncpoint.engines.terms"}
    deciding = tuple(f"syncpoint.{name.removesuffix('.py').replace('/', '.')}" for name in judge_version.DECIDING)
    assert {name for name in loaded if not name.startswith(deciding)} <= outside


@pytest.mark.parametrize("name", ["a grader", "a helper of graders", "a scenario", "a file beside the notebooks"])
def test_what_belongs_to_one_assignment_changes_no_other(small: SmallCourse, name: str):
    before = spec_of(small, "other").digest
    CHANGES[name](small)
    assert spec_of(small, "other").digest == before


def test_whatever_is_judged_changes_the_key(small: SmallCourse, submitted: Path, tmp_path: Path):
    spec = spec_of(small)
    other_files = shutil.copytree(submitted, tmp_path / "other")
    (other_files / "mine.py").write_text("y = 2\n")
    other_code = notebook()
    other_code.cells[0].source = "x = 2"
    jobs = [
        NotebookJob.of("work", notebook(), [], lying(submitted), spec),
        NotebookJob.of("work2", notebook(), [], lying(submitted), spec),
        NotebookJob.of("work", notebook(), [Note(words("A cell was missing."))], lying(submitted), spec),
        NotebookJob.of("work", notebook(), [], lying(other_files), spec),
        NotebookJob.of("work", other_code, [], lying(submitted), spec),
    ]
    assert len({key(spec, job) for job in jobs}) == len(jobs)


def test_other_points_leave_the_key(small: SmallCourse, submitted: Path):
    spec, other = spec_of(small), notebook()
    other.cells[2].metadata.nbgrader.points = 3
    one, two = (NotebookJob.of("work", nb, [], lying(submitted), spec) for nb in (notebook(), other))
    assert key(spec, one) == key(spec, two)


def test_a_job_carries_the_students_files_and_the_sandbox_has_all(small: SmallCourse, submitted: Path):
    spec = spec_of(small)
    job = NotebookJob.of("work", notebook(), [], lying(submitted), spec)
    assert job.files == (("mine.py", b"y = 1\n"),)
    assert dict(spec.sandbox_spec(small.root, job.files).files) == {"data.csv": b"1,2\n", "mine.py": b"y = 1\n"}


def test_a_job_holds_no_text_of_the_student(small: SmallCourse, submitted: Path):
    job = NotebookJob.of("work", notebook(text="My name is Ada."), [], lying(submitted), spec_of(small))
    assert b"Ada" not in to_json(job)


# --- as bytes -----------------------------------------------------------------------------------------------------

A = result_of("a", "A", "", 1.0, True, "", "", 0.5)
JUDGED = NotebookResult(
    Versions("mxnet 1.9.1", "0123456789ab"),
    (ExerciseResult("test_x", 2.0, (A, replace(A, status=Status.FAILED)), (words("n"),)),),
    (Incident("repaired", words("A cell was missing.")),),
    (SuspiciousAct("patched", words("after cell 1")),),
)


def ran() -> Any:
    """The notebook after the judge."""
    done = notebook()
    done.cells[0].outputs = [
        new_output("stream", name="stdout", text="half a pair: \ud800"),
        new_output("display_data", {"image/png": "eA=="}),
        new_output("execute_result", {"text/plain": "1"}, execution_count=1),
        new_output("error", ename="E", evalue="v", traceback=["line"]),
    ]
    done.cells[0].execution_count = 1
    return done


def test_what_was_written_is_read(small: SmallCourse, submitted: Path):
    spec = spec_of(small)
    job = NotebookJob.of("work", notebook(), [Note(words("mended"))], lying(submitted), spec)
    result = Result.of(ran(), JUDGED, [words("a warning")])
    assert from_json(GradingSpec, to_json(spec)) == spec
    assert from_json(GradingSpec, to_json(spec)).digest == spec.digest
    assert from_json(NotebookJob, to_json(job)) == job
    assert from_json(Result, to_json(result)) == result


def test_a_result_puts_the_outputs_back(small: SmallCourse):
    result, fresh, right = Result.of(ran(), JUDGED), notebook(), ran()
    apply(result, fresh, spec_of(small), BARE)
    right.cells[0].outputs[0].text = "half a pair: ?"
    assert fresh.cells[0].outputs == right.cells[0].outputs
    assert [cell.get("execution_count") for cell in fresh.cells] == [1, None, None]
    (report,) = fresh.cells[2].outputs
    assert report.data["text/plain"] == "1.0" and "1 of 2 points" in report.data["text/html"]
    nbformat.validate(fresh)
    nbformat.writes(fresh).encode()


def test_a_stored_result_is_worth_what_its_notebook_says(small: SmallCourse):
    result, other = Result.of(ran(), JUDGED), notebook()
    other.cells[2].metadata.nbgrader.points = 3
    (exercise,) = apply(result, other, spec_of(small), BARE).exercises
    (report,) = other.cells[2].outputs
    assert (exercise.points, exercise.max_points, report.data["text/plain"]) == (1.5, 3.0, "1.5")
    assert "1.5 of 3 points" in report.data["text/html"]


def test_a_cell_that_was_stopped_says_so(small: SmallCourse):
    output = Message.of("timeout", who=Message.of("cell", number=1), seconds=30)
    stopped, fresh = replace(JUDGED, incidents=(Incident("timeout", output, 0),)), notebook()
    apply(Result.of(ran(), stopped), fresh, spec_of(small), BARE)
    assert fresh.cells[0].outputs[-1].text == "[judge] Cell 1 did not finish within 30 s and was stopped.\n"
    lost = replace(stopped, incidents=(Incident("timeout", output, 1),))  # no code cell
    assert not Result.of(ran(), lost).fits(notebook())


def _without_the_first(nb: Any) -> None:
    del nb.cells[0]


def _with_another_exercise(nb: Any) -> None:
    nb.cells[2].metadata.nbgrader.grade_id = "test_y"


@pytest.mark.parametrize("change", [_without_the_first, _with_another_exercise])
def test_a_result_of_another_notebook_does_not_fit(small: SmallCourse, change: Callable[[Any], None]):
    other = notebook()
    change(other)
    result, before = Result.of(ran(), JUDGED), copy.deepcopy(other)
    with pytest.raises(Malformed):
        apply(result, other, spec_of(small), BARE)
    assert other == before


def _changed(**values: Any) -> bytes:
    return json.dumps({**json.loads(to_json(Result.of(ran(), JUDGED))), **values}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"{}",
        b"[]",
        to_json(Result.of(ran(), JUDGED))[:-5],
        _changed(more=1),
        _changed(notebook_result=None),
        _changed(cacheable="yes"),
        _changed(cells=[{"index": 0, "outputs": [{"output_type": "pickle"}], "execution_count": None}]),
        _changed(
            cells=[
                {
                    "index": 0,
                    "outputs": [{"output_type": "display_data", "data": {"application/javascript": "x"}}],
                    "execution_count": None,
                }
            ]
        ),
    ],
)
def test_what_is_no_result_is_refused(data: bytes):
    with pytest.raises(Malformed, match="this is no Result: "):
        from_json(Result, data)


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", "", "a\0b"])
def test_no_file_leads_out_of_its_folder(name: str):
    job = {"notebook": "work", "cells": [], "files": [[name, ""]]}
    with pytest.raises(Malformed, match="no path inside a folder"):
        from_json(NotebookJob, json.dumps(job).encode())


# --- this machine -------------------------------------------------------------------------------------------------


def test_an_environment_is_read_from_the_names_of_its_files(small: SmallCourse):
    assert environment(small.root / ".venv-mxnet") == ("python 3.11.7", "mxnet 1.9.1", "numpy 1.23.5")
    assert environment(small.root / ".venv-torch") == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda spec: replace(spec, environment=("python 3.11.7", "numpy 1.23.5")), "here mxnet 1.9.1; there nothing"),
        (lambda spec: replace(spec, engine="plain", judge=judge_digest("plain")), "here nothing; there mxnet 1.9.1"),
        (lambda spec: replace(spec, engine="jax"), "on this machine there is no engine 'jax': the engines are"),
        (lambda spec: replace(spec, judge="0"), "another version of Syncpoint"),
    ],
)
def test_a_machine_that_judges_otherwise_says_what_differs(
    small: SmallCourse, submitted: Path, change: Callable[[GradingSpec], GradingSpec], words: str
):
    spec = change(spec_of(small))
    with pytest.raises(EngineDiffers, match=words):
        grade_notebook(spec, NotebookJob.of("work", notebook(), [], lying(submitted), spec), small.root)
