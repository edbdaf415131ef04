"""What a result depends on, and that nothing but plain, whole, fitting data is taken for a kit, a paper or a result."""

import copy
import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import LIMITS, SmallCourse
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from syncpoint.judge.course import Course
from syncpoint.judge.fingerprint import environment, judge_digest
from syncpoint.judge.judging import judge_paper
from syncpoint.judge.observation import NO_LOG, Event, Log
from syncpoint.judge.paper import EngineDiffers, Kit, Malformed, Paper, Result, from_json, key, to_json
from syncpoint.judge.verdict import Flag, Incident, Judgement, Outcome, Verdict, Versions


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
    (course.root / "probes").mkdir()
    (course.root / "probes" / "async.py").write_text('"""Scenarios."""\n')
    (course.root / "docs").mkdir()
    (course.root / "docs" / "misconceptions.md").write_text('# Page\n\n<a id="x"></a>\n## Title\n\nText.\n')
    (course.root / ".venv-mxnet").unlink()
    site = course.root / ".venv-mxnet" / "lib" / "python3.11" / "site-packages"
    for name in ("mxnet-1.9.1", "numpy-1.23.5"):
        (site / f"{name}.dist-info").mkdir(parents=True)
    (course.root / ".venv-mxnet" / "pyvenv.cfg").write_text(f"home = {tmp_path}\nversion_info = 3.11.7\n")
    return course


def kit_of(course: SmallCourse, assignment: str = "async") -> Kit:
    return Course(course.root).kit(assignment)


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
def handed_in(tmp_path: Path) -> Path:
    """A student's folder as nbgrader lays it out for the judge."""
    folder = tmp_path / "autograded" / "ada" / "async"
    folder.mkdir(parents=True)
    (folder / "data.csv").write_text("1,2\n")
    (folder / "mine.py").write_text("y = 1\n")
    return folder


# --- the key ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_ids_order_and_text_do_not_change_the_key(small: SmallCourse, handed_in: Path, seed: int):
    kit = kit_of(small)
    first = Paper.of("work", notebook(0), ["mended"], handed_in, kit)
    other = Paper.of("work", notebook(seed, text=f"Another answer, {seed}."), ["mended"], handed_in, kit)
    assert key(kit, first) == key(kit, other)


def test_the_student_the_place_and_the_time_do_not_change_the_key(small: SmallCourse, handed_in: Path, tmp_path: Path):
    kit = kit_of(small)
    before = key(kit, Paper.of("work", notebook(), [], handed_in, kit))
    elsewhere = small.copy(tmp_path / "elsewhere")
    for path in elsewhere.root.rglob("*"):
        os.utime(path, (0, 0))
    later = shutil.copytree(handed_in, tmp_path / "autograded" / "bob" / "async")
    (later / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC\n")
    (later / "work.ipynb").write_text("{}")
    kit = kit_of(elsewhere)
    assert key(kit, Paper.of("work", notebook(), [], later, kit)) == before


def _append(path: str) -> Callable[[SmallCourse], None]:
    def change(course: SmallCourse) -> None:
        with (course.root / path).open("a") as file:
            file.write("\n")

    return change


def _upgrade_numpy(course: SmallCourse) -> None:
    site = course.root / ".venv-mxnet" / "lib" / "python3.11" / "site-packages"
    (site / "numpy-1.23.5.dist-info").rename(site / "numpy-1.24.0.dist-info")


CHANGES = {
    "a grader": _append("grader_tests/async/test_double.py"),
    "a helper of graders": _append("grader_tests/async/helper.py"),
    "what graders share": _append("grader_tests/conftest.py"),
    "a scenario": _append("probes/async.py"),
    "a file beside the notebooks": _append("source/async/data.csv"),
    "a source notebook": _append("source/async/work.ipynb"),
    "the misconceptions": _append("docs/misconceptions.md"),
    "a limit": lambda course: course.configure("c.GradeSubmission.memory_mib = 999\n"),
    "the isolation": lambda course: course.configure('c.GradeSubmission.isolation = "none"\n'),
    "a package of the engine": _upgrade_numpy,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_judges_changes_the_key(small: SmallCourse, change: Callable[[SmallCourse], None]):
    before = kit_of(small).digest
    change(small)
    assert kit_of(small).digest != before


@pytest.mark.parametrize(
    "name", ["a grader", "a helper of graders", "a scenario", "a file beside the notebooks", "a source notebook"]
)
def test_what_belongs_to_one_assignment_changes_no_other(small: SmallCourse, name: str):
    before = kit_of(small, "other").digest
    CHANGES[name](small)
    assert kit_of(small, "other").digest == before


def test_whatever_is_judged_changes_the_key(small: SmallCourse, handed_in: Path, tmp_path: Path):
    kit = kit_of(small)
    other_files = shutil.copytree(handed_in, tmp_path / "other")
    (other_files / "mine.py").write_text("y = 2\n")
    other_code, other_points = notebook(), notebook()
    other_code.cells[0].source = "x = 2"
    other_points.cells[2].metadata.nbgrader.points = 3
    papers = [
        Paper.of("work", notebook(), [], handed_in, kit),
        Paper.of("work2", notebook(), [], handed_in, kit),
        Paper.of("work", notebook(), ["A cell was missing."], handed_in, kit),
        Paper.of("work", notebook(), [], other_files, kit),
        Paper.of("work", other_code, [], handed_in, kit),
        Paper.of("work", other_points, [], handed_in, kit),
    ]
    assert len({key(kit, paper) for paper in papers}) == len(papers)


def test_a_paper_carries_the_students_files_and_the_world_has_all(small: SmallCourse, handed_in: Path):
    kit = kit_of(small)
    paper = Paper.of("work", notebook(), [], handed_in, kit)
    assert paper.files == (("mine.py", b"y = 1\n"),)
    assert dict(kit.world(small.root, paper.files).files) == {"data.csv": b"1,2\n", "mine.py": b"y = 1\n"}


def test_a_paper_holds_no_text_of_the_student(small: SmallCourse, handed_in: Path):
    paper = Paper.of("work", notebook(text="My name is Ada."), [], handed_in, kit_of(small))
    assert b"Ada" not in to_json(paper)


# --- as bytes -----------------------------------------------------------------------------------------------------

REPORT = new_output("execute_result", {"text/plain": "1.0", "text/html": "<b>report</b>"})
JUDGED = Judgement(
    Versions("mxnet 1.9.1", "0123456789ab"),
    (Verdict("test_x", 2.0, (_A := Outcome("a", "A", "", 1.0, True, "", "", 0.5), replace(_A, passed=False)), ("n",)),),
    (Incident("mended", "A cell was missing."),),
    (Flag("patched", "after cell 1"),),
)


def ran(report: Any = REPORT) -> Any:
    """The notebook after the judge."""
    done = notebook()
    done.cells[0].outputs = [
        new_output("stream", name="stdout", text="half a pair: \ud800"),
        new_output("display_data", {"image/png": "eA=="}),
        new_output("execute_result", {"text/plain": "1"}, execution_count=1),
        new_output("error", ename="E", evalue="v", traceback=["line"]),
    ]
    done.cells[0].execution_count = 1
    done.cells[2].outputs = [report]
    return done


def test_what_was_written_is_read(small: SmallCourse, handed_in: Path):
    kit = kit_of(small)
    paper = Paper.of("work", notebook(), ["mended"], handed_in, kit)
    result = Result.of(ran(), JUDGED, ["a remark"])
    assert from_json(Kit, to_json(kit)) == kit
    assert from_json(Kit, to_json(kit)).digest == kit.digest
    assert from_json(Paper, to_json(paper)) == paper
    assert from_json(Result, to_json(result)) == result


def test_a_result_keeps_no_log(small: SmallCourse):
    log = Log((Event("wait", "w", (), 0, 0.0),))
    (verdict,) = JUDGED.verdicts
    logged = replace(verdict, outcomes=tuple(replace(outcome, log=log) for outcome in verdict.outcomes))
    kept = Result.of(ran(), replace(JUDGED, verdicts=(logged,))).judgement
    assert {outcome.log for verdict in kept.verdicts for outcome in verdict.outcomes} == {NO_LOG}


def test_a_result_puts_the_outputs_back():
    result, fresh, right = Result.of(ran(), JUDGED), notebook(), ran()
    result.apply(fresh)
    right.cells[0].outputs[0].text = "half a pair: ?"
    for cell, expected in zip(fresh.cells, right.cells, strict=True):
        assert (cell.get("outputs"), cell.get("execution_count")) == (
            expected.get("outputs"),
            expected.get("execution_count"),
        )
    nbformat.validate(fresh)
    nbformat.writes(fresh).encode()


def _without_the_first(nb: Any) -> None:
    del nb.cells[0]


def _with_another_exercise(nb: Any) -> None:
    nb.cells[2].metadata.nbgrader.grade_id = "test_y"


@pytest.mark.parametrize("change", [_without_the_first, _with_another_exercise])
def test_a_result_of_another_notebook_does_not_fit(change: Callable[[Any], None]):
    other = notebook()
    change(other)
    result, before = Result.of(ran(), JUDGED), copy.deepcopy(other)
    with pytest.raises(Malformed):
        result.apply(other)
    assert other == before


@pytest.mark.parametrize("points", ["2.0", "nan", "x"])
def test_a_result_whose_points_are_not_those_of_its_verdicts_does_not_fit(points: str):
    result = Result.of(ran(new_output("execute_result", {"text/plain": points})), JUDGED)
    assert not result.fits(notebook())


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
        _changed(judgement=None),
        _changed(lasting="yes"),
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
    paper = {"notebook": "work", "cells": [], "files": [[name, ""]]}
    with pytest.raises(Malformed, match="no path inside a folder"):
        from_json(Paper, json.dumps(paper).encode())


# --- this machine -------------------------------------------------------------------------------------------------


def test_an_environment_is_read_from_the_names_of_its_files(small: SmallCourse):
    assert environment(small.root / ".venv-mxnet") == ("python 3.11.7", "mxnet 1.9.1", "numpy 1.23.5")
    assert environment(small.root / ".venv-torch") == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda kit: replace(kit, environment=("python 3.11.7", "numpy 1.23.5")), "here mxnet 1.9.1; there nothing"),
        (lambda kit: replace(kit, engine="plain", judge=judge_digest("plain")), "here nothing; there mxnet 1.9.1"),
        (lambda kit: replace(kit, engine="jax"), "on this machine there is no engine 'jax': the engines are"),
        (lambda kit: replace(kit, judge="0"), "another version of Syncpoint"),
    ],
)
def test_a_machine_that_judges_otherwise_says_what_differs(
    small: SmallCourse, handed_in: Path, change: Callable[[Kit], Kit], words: str
):
    kit = change(kit_of(small))
    with pytest.raises(EngineDiffers, match=words):
        judge_paper(kit, Paper.of("work", notebook(), [], handed_in, kit), small.root)
