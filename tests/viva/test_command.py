"""`syncpoint viva` on a small class: only what the gradebook calls right, in the order of the roster."""

import json
import re
from pathlib import Path

import pytest
from classroom import SmallCourse
from exchange import inbound, with_exchange

from syncpoint.check.status import SECRET, Exchange
from syncpoint.check.viva import LETTERS, viva
from syncpoint.course.folder import Course
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.viva import questions

pytestmark = pytest.mark.slow
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
kind = "order"
"""
WAITS = "def queue_work(x):\n    y = nd.dot(x, x)\n    z = y.sum()\n    return z"
WRONG = "def queue_work(x):\n    return nd.dot(x, x).sum() + 1"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = SmallCourse.make(tmp_path_factory.mktemp("viva") / "course")
    folder = course.root / "grader_tests" / "async"
    (folder / "visible").mkdir()
    (folder / "visible" / "what_if.py").write_text(WHAT_IF)
    (folder / "viva.toml").write_text(PREPARED)
    course.nbgrader("generate_assignment", "async", "--create")
    with_exchange(course, course.root.parent / "exchange")
    course.configure("c.ExchangeCollect.check_owner = False\n")
    course.submit("ada", course.solved(queue_work=WAITS))
    course.submit("bob", course.solved(queue_work=WRONG, double="def double(x):\n    return x"))
    course.submit("cleo", course.solved())
    course.must_run("syncpoint", "grade", "async", "--student", "ada", "--student", "bob")
    return course


def test_right_work_is_asked_about_and_everybody_else_is_named_with_the_reason(course):
    run = course.must_run("syncpoint", "viva", "async", "--output", "sheet.html")
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
        course.must_run("syncpoint", "viva", "async", "--output", "again.html", "--seed", "7")
        pages.append(re.sub(r"\s+", " ", (course.root / "again.html").read_text()))
    assert pages[0] == pages[1]


def test_in_the_notebook_the_student_predicts_first_and_then_sees_what_was_measured(course):
    mine = course.root.parent / "cache" / "syncpoint" / "ada+async+2026-10-01 10:00:00 UTC"
    mine.mkdir(parents=True)
    for folder in (mine, course.folder("ada")):  # as `nbgrader submit` and `nbgrader collect` leave it
        (folder / SECRET).write_text("the secret of ada")
    exchange = Exchange(inbound(course).parents[1], course.root.parent / "cache")

    def notebook(*words: str) -> tuple[str, str]:
        said, reports = viva(Path("ada", "async"), list(words), exchange)
        return said, "".join(reports)

    run = course.must_run("syncpoint", "viva", "async", "--written")
    assert "Answered: 0." in run.stdout and "bob has no exercise right" in " ".join(run.stdout.split())
    with open_gradebook(Course(course.root)) as gradebook:
        found = questions(gradebook.db(), "async")
    assert {one.student for one in found} == {"ada"}
    first = next(one for one in found if "PREPARED" not in one.question)
    rest = [one for one in found if one is not first]
    assert "PREPARED-ANSWER" in "".join(one.answer for one in rest)
    letter = next(letter for letter, kind in LETTERS.items() if kind == first.kind)
    before = notebook()[1]
    assert first.question in before and first.answer not in before and "<svg" not in before
    number = str(first.number)
    assert "was sent" in notebook(number, letter, "It waits.")[0]
    course.must_run("syncpoint", "watch", "--once", "--workers", "1")
    after = notebook()[1]
    assert first.answer in after and "It waits." in after and "<svg" in after
    assert not any(one.answer in after for one in rest)
    (file,) = (inbound(course).parent / "feedback").glob("*.json")
    assert json.loads(file.read_text())["open"] == [one.number for one in rest]
    assert "already" in notebook(number, "c", "Later.")[0]

    run = course.run("syncpoint", "viva", "async", "--written")  # asks who was graded since, and nobody twice
    assert "ada: " not in run.stdout and "cleo: " in run.stdout and "Answered: 1." in run.stdout
    assert "cleo has not submitted through the exchange" in " ".join(run.stdout.split())


def test_a_language_that_the_course_does_not_have_is_refused_with_those_that_it_has(course):
    run = course.run("syncpoint", "viva", "async", "--language", "pt_BR")
    assert run.returncode == 1
    assert "choose one of en" in run.stderr


def test_work_that_was_submitted_again_is_not_asked_about_before_it_is_graded(course):
    course.submit("ada", course.solved())
    run = course.run("syncpoint", "viva", "async", "--student", "ada", "--output", "later.html")
    assert "since the last grading" in " ".join((run.stdout + run.stderr).split())
    assert not (course.root / "later.html").exists()
