"""Measured answers of PyTorch's streams, in real sandboxes: races, waits, order, nothing, and code that never ends."""

import random
from dataclasses import replace

import pytest
from classroom import ROOT

from syncpoint.course.folder import Course
from syncpoint.judge.job import NotebookJob
from syncpoint.vet.trial import notebook_for
from syncpoint.viva.changes import Change, changes
from syncpoint.viva.measure import Lab, Work, source_of, with_source

pytestmark = pytest.mark.slow
COURSE = Course(ROOT)
EXERCISE = "prefetcher"


@pytest.fixture(scope="module")
def lab():
    lab = Lab.of(COURSE, "torch_streams")
    return replace(lab, spec=replace(lab.spec, limits=replace(lab.spec.limits, cell_seconds=20.0)))


@pytest.fixture(scope="module")
def job(lab):
    source = COURSE.source("torch_streams")
    path = COURSE.graders("torch_streams").bank / EXERCISE / "01_ok_book.py"
    reference = source.notebook(source.notebook_with(f"test_{EXERCISE}"))
    notebook, _ = notebook_for(reference, EXERCISE, path.read_text())
    return NotebookJob.of("notebook", notebook, (), (), lab.spec)


@pytest.fixture(scope="module")
def before(lab, job):
    return lab.run(job, EXERCISE, 1)


def change_of(job, rule: str, text: str = "") -> Change:
    """The change of this rule whose code has the text."""
    found = changes(source_of(job, EXERCISE), "gpu.synchronize()")
    return next(one for one in found if one.rule == rule and text in one.code)


@pytest.mark.parametrize(
    ("rule", "text", "kind", "said"),
    [
        ("without_order", "wait_stream", "breaks", "Race: the caller's `mm` and `copy from the host` in line 11"),
        ("without_record_stream", "", "breaks", "gets memory that the caller's `mm` may still use"),
        ("no_stream", "", "order", "Can no longer run at the same time"),
        ("without_non_blocking", "", "order", "Waits of the host: 4 (before: 0)"),
    ],
)
def test_the_answer_is_measured_confirmed_and_found_again(lab, job, before, rule, text, kind, said):
    question = lab.question(job, EXERCISE, change_of(job, rule, text), before, 1)
    assert question.kind == kind
    assert any(said in str(sentence) for sentence in question.sentences)
    confirmed, about = lab.confirm(job, question)
    assert confirmed and about
    assert lab.again(job, question, 2) == question.answer


def test_a_line_that_the_what_if_never_runs_is_no_question(lab, job, before):
    source = source_of(job, EXERCISE).replace(
        "    copying = gpu.Stream()\n", "    copying = gpu.Stream()\n    if not batches:\n        gpu.synchronize()\n"
    )
    with_branch = with_source(job, EXERCISE, source)
    change = next(one for one in changes(source) if one.rule == "without_wait")
    assert lab.question(with_branch, EXERCISE, change, lab.run(with_branch, EXERCISE, 1), 1) is None


@pytest.mark.parametrize(
    "source", ["def prefetcher(batches):\n    while True:\n        pass\n", "import os\nos._exit(1)\n"]
)
def test_code_that_hangs_or_ends_its_kernel_is_no_question(lab, job, source):
    assert lab.run(with_source(job, EXERCISE, source), EXERCISE, 1) is None


def test_an_exception_is_an_answer_and_a_name_that_is_missing_is_none(lab, job, before):
    change = change_of(job, "without_order")
    raising = replace(change, edit=replace(change.edit, source="def prefetcher(batches):\n    raise ValueError\n"))
    assert lab.question(job, EXERCISE, raising, before, 1).kind == "breaks"
    unknown = replace(change, edit=replace(change.edit, source="def prefetcher(batches):\n    return nobody\n"))
    assert lab.question(job, EXERCISE, unknown, before, 1) is None


def test_no_change_of_a_student_runs_outside_the_sandbox(lab, job, tmp_path):
    mark = tmp_path / "was_here"
    source = f"open({str(mark)!r}, 'w').close()\n" + source_of(job, EXERCISE)
    lab.ask(Work("ada", ((EXERCISE, with_source(job, EXERCISE, source)),)), "1", most=1)
    assert not mark.exists()


def test_every_exercise_with_a_what_if_runs(lab):
    """Each what-if of the assignment runs the first right solution, and the host reads what it returns."""
    source = COURSE.source("torch_streams")
    for exercise in lab.exercises:
        path = min((COURSE.graders("torch_streams").bank / exercise).glob("*_ok_*.py"))
        reference = source.notebook(source.notebook_with(f"test_{exercise}"))
        notebook, _ = notebook_for(reference, exercise, path.read_text())
        seen = lab.run(NotebookJob.of("notebook", notebook, (), (), lab.spec), exercise, random.randrange(1000))
        assert seen is not None and seen.error is None and seen.results and not seen.races, exercise


def test_numbers_that_are_read_too_early_are_wrong_by_bad_luck(lab):
    exercise, source = "copy_and_compute", COURSE.source("torch_streams")
    path = COURSE.graders("torch_streams").bank / exercise / "01_ok_book.py"
    notebook, _ = notebook_for(source.notebook(source.notebook_with(f"test_{exercise}")), exercise, path.read_text())
    job = NotebookJob.of("notebook", notebook, (), (), lab.spec)
    change = next(one for one in changes(source_of(job, exercise)) if one.rule == "without_wait")
    question = lab.question(job, exercise, change, lab.run(job, exercise, 1), 1)
    assert question.kind == "breaks" and not question.plain
    assert str(question.sentences[0]) == "The numbers are no longer right every time."
