"""`syncpoint viva` on a small class: only what the gradebook calls right, in the order of the roster."""

import re

import pytest
from classroom import SmallCourse

pytestmark = [pytest.mark.engine, pytest.mark.sandbox, pytest.mark.slow]
WHAT_IF = '''
import numpy as np

WAIT = "nd.waitall()"


def queue_work(probe, seed):
    """One matrix."""
    values = np.random.default_rng(seed).normal(size=(3, 3)).astype("float32")
    with probe.run() as seen:
        x = probe.array(values)
        seen.trace.gate_results = True
        seen.mark("begin")
        result = seen.call(probe.find("queue_work"), x)
        seen.mark("end")
        pending, found = list(seen.trace.pending), probe.fix([result])
    return seen.report(results=None if seen.error else found, pending=pending)
'''
PREPARED = """
[[questions]]
question = "PREPARED-QUESTION"
answer = "PREPARED-ANSWER"
"""
WAITS = "def queue_work(x):\n    y = nd.dot(x, x)\n    z = y.sum()\n    return z"
WRONG = "def queue_work(x):\n    return nd.dot(x, x).sum() + 1"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = SmallCourse.make(tmp_path_factory.mktemp("viva"))
    folder = course.root / "grader_tests" / "async"
    (folder / "visible").mkdir()
    (folder / "visible" / "what_if.py").write_text(WHAT_IF)
    (folder / "viva.toml").write_text(PREPARED)
    course.nbgrader("generate_assignment", "async", "--create")
    course.submit("ada", course.solved(queue_work=WAITS))
    course.submit("bob", course.solved(queue_work=WRONG, double="def double(x):\n    return x"))
    course.submit("cleo", course.solved())
    assert course.run("syncpoint", "grade", "async", "--student", "ada", "--student", "bob").returncode == 0
    return course


def test_right_work_is_asked_about_and_everybody_else_is_named_with_the_reason(course):
    run = course.run("syncpoint", "viva", "async", "--output", "sheet.html")
    assert run.returncode == 0, run.stderr
    page = (course.root / "sheet.html").read_text()
    assert "Student: ada" in page and "Student: bob" not in page and "Student: cleo" not in page
    assert "nd.waitall()" in page and "PREPARED-QUESTION" in page
    assert "HIDDEN" not in page
    said = " ".join(run.stdout.split())
    assert "bob has no exercise right" in said
    assert "cleo is not graded" in said


def test_the_same_seed_gives_the_same_sheet(course):
    pages = []
    for _ in range(2):
        assert course.run("syncpoint", "viva", "async", "--output", "again.html", "--seed", "7").returncode == 0
        pages.append(re.sub(r"\s+", " ", (course.root / "again.html").read_text()))
    assert pages[0] == pages[1]


def test_work_that_was_submitted_again_is_not_asked_about_before_it_is_graded(course):
    course.submit("ada", course.solved())
    run = course.run("syncpoint", "viva", "async", "--student", "ada", "--output", "later.html")
    assert "since the last grading" in " ".join((run.stdout + run.stderr).split())
    assert not (course.root / "later.html").exists()
