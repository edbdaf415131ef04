"""The timeline in a report: which wait is marked, what is told, and that nothing of the student's becomes markup."""

import re
from collections.abc import Callable

import pytest
from classroom import ROOT, SmallCourse
from elements import Elements

from syncpoint.core.results import TestResult
from syncpoint.course.folder import Course
from syncpoint.judge.grade_notebook import ExerciseGrader
from syncpoint.judge.submission import SubmissionRun
from syncpoint.observe.observation import Event, Log
from syncpoint.observe.timeline import MOST_STEPS, timeline
from syncpoint.report.timeline import describe, draw
from syncpoint.vet.trial import notebook_for

MARKUP = "<script>alert('&\"')</script>"


def enqueue(name: str = "dot", device: int = 0, pending: int = 1) -> Event:
    return Event("enqueue", name, (), pending, 0.0, (device,), (device,))


def wait(*opened: str, label: str = "wait_to_read", target: str = "array") -> Event:
    return Event("wait", label, opened, 0, 0.0, target=target)


def log_of(*events: Event, missing_wait: bool = False) -> Log:
    return Log(events, missing_wait)


# --- which wait ---------------------------------------------------------------------------------------------------


def test_the_first_wait_that_held_the_code_up_is_marked():
    shown = timeline(log_of(enqueue(), wait(), enqueue(), wait("dot 0"), enqueue(), wait("dot 1")))
    assert shown.marked == 3


def test_a_wait_that_let_unrelated_work_go_is_marked_before_all_others():
    shown = timeline(log_of(enqueue(), wait("argument 0"), wait("unrelated", label="waitall", target="all")))
    assert shown.marked == 2


def test_an_operation_that_blocks_inside_is_a_wait():
    shown = timeline(log_of(enqueue(), Event("timeout_open", "", ("dot 0",), 0, 5.0), enqueue()))
    assert (shown.marked, shown.steps[1].kind) == (1, "inside")


@pytest.mark.parametrize(
    ("hidden", "words"),
    [
        (wait("dot 0", label=""), "wait (a wait)"),
        (wait("dot 0", label="boolean_mask", target="operation"), "wait (inside an operation)"),
    ],
)
def test_a_wait_that_nobody_has_a_word_for_is_named_by_where_it_is(hidden: Event, words: str):
    assert f"; {words} <- HERE; " in describe(timeline(log_of(enqueue(), hidden)))


def test_code_that_never_waited_is_told_so():
    shown = timeline(log_of(enqueue("dot"), enqueue("sum")))
    assert (shown.marked, str(shown.said)) == (
        None,
        "Your code enqueued 2 operations and returned before all of it was done. No wait held it up.",
    )


def test_the_sentence_counts_operations_before_and_after_the_wait():
    shown = timeline(log_of(enqueue(), wait("dot 0"), enqueue("dot"), enqueue("sum")))
    assert str(shown.said).endswith("Enqueued before it: 1 operation; after it: 2 operations.")


def test_where_a_wait_is_missing_none_is_marked_and_the_rows_are_counted():
    log = [enqueue(), enqueue(), enqueue(), wait("dot 0"), enqueue(), wait(), enqueue(), wait("dot 1"), enqueue()]
    shown = timeline(log_of(*log, missing_wait=True))
    assert (shown.marked, str(shown.said)) == (
        None,
        "No wait is marked: one is missing, or waits for too little. "
        "Enqueued in a row without a wait: up to 3 operations; after the last wait: 1 operation.",
    )


def test_work_for_one_device_in_a_row_is_one_step():
    shown = timeline(log_of(enqueue(device=1), enqueue("sum", 1), enqueue(device=2), enqueue(device=1)))
    assert [(step.names, step.devices) for step in shown.steps] == [
        (("dot", "sum"), (1,)),
        (("dot",), (2,)),
        (("dot",), (1,)),
    ]


# --- how much -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps_before", [0, 1, 40, 400])
def test_the_marked_wait_is_drawn_however_long_the_log_is(steps_before: int):
    log = [event for _ in range(steps_before) for event in (enqueue(), wait())]
    log += [enqueue(), wait("dot"), *[event for _ in range(100) for event in (enqueue(), wait("dot"))]]
    shown = timeline(log_of(*log))
    assert len(shown.steps) == MOST_STEPS
    assert shown.steps[shown.marked].held
    assert shown.before + len(shown.steps) + shown.after == len(log)


@pytest.mark.parametrize("missing_wait", [True, False])
def test_without_a_marked_wait_the_end_is_drawn(missing_wait: bool):
    log = [wait("dot")] * missing_wait + [event for _ in range(40) for event in (enqueue(), wait())] + [enqueue("last")]
    shown = timeline(log_of(*log, missing_wait=missing_wait))
    assert (shown.marked, len(shown.steps), shown.after) == (None, MOST_STEPS, 0)
    assert shown.steps[-1].names == ("last",)


def test_a_forged_log_makes_no_large_picture():
    log = [Event("enqueue", "x" * 1000, (), 0, 0.0, tuple(range(k, k + 50)), ()) for k in range(2000)]
    assert len(draw(timeline(log_of(*log)))) < 30_000


@pytest.mark.parametrize("steps", [1, 40])
def test_on_a_narrow_page_the_picture_scrolls_before_its_words_become_too_small(steps: int):
    picture = draw(timeline(log_of(*[event for _ in range(steps) for event in (enqueue(), wait())])))
    width, smallest = re.search(
        r'<div style="overflow-x:auto"><svg viewBox="0 0 (\d+) .*?min-width:(\d+)px;font:11px ', picture
    ).groups()
    assert 11 * int(smallest) / int(width) > 9


# --- what it holds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        Event("enqueue", MARKUP, (MARKUP,), 0, 0.0, (0,), (0,)),
        Event("wait", MARKUP, (MARKUP,), 0, 0.0),
        Event("start", MARKUP, (), 0, 0.0),
        Event(MARKUP, MARKUP, (MARKUP,), 0, 0.0),
    ],
    ids=["enqueue", "wait", "start", "kind"],
)
def test_texts_of_a_log_are_escaped(event: Event):
    picture = Elements(draw(timeline(log_of(enqueue(), event, wait("x")))))
    assert set(picture.tags) <= {"div", "svg", "g", "title", "rect", "text", "path"}


def test_there_is_nothing_that_a_browser_runs_or_fetches():
    attributes = Elements(draw(timeline(log_of(enqueue(), wait(), enqueue(device=1), wait("x"))))).attributes
    assert not {name for name in attributes if name.startswith("on") or "href" in name or name == "src"}


def test_every_element_is_closed():
    assert Elements(draw(timeline(log_of(enqueue(), wait(), enqueue(device=1), wait("x"), enqueue())))).open == 0


def test_who_cannot_see_the_picture_is_told_what_is_in_it():
    log = timeline(log_of(enqueue(), wait("dot 0"), enqueue()))
    assert Elements(draw(log)).labels == [describe(log)]
    assert "wait (wait_to_read) <- HERE" in describe(log)


@pytest.mark.parametrize("render", [draw, describe])
def test_without_a_log_there_is_nothing(render: Callable[..., str]):
    assert timeline(Log()) is None and render(None) == ""


def test_labels_of_gates_stay_out_of_the_picture():
    assert "SECRET" not in draw(timeline(log_of(enqueue(), wait("SECRET"))))


# --- what the course's own graders say ----------------------------------------------------------------------------


def outcomes(exercise: str, solution: str) -> dict[str, TestResult]:
    """The tests of an exercise of ``async`` that this solution of the bank fails."""
    course = Course(ROOT)
    reference = course.reference("async", course.notebook_with("async", f"test_{exercise}"))
    code = (ROOT / "bank" / "async" / exercise / f"{solution}.py").read_text()
    notebook, place = notebook_for(reference, exercise, code)
    spec = course.spec("async")
    with SubmissionRun(notebook, spec.sandbox_spec(ROOT)) as run:
        run.advance_to(place)
        exercise = ExerciseGrader.of(spec).judge_cell(run, notebook.cells[place])
    return {outcome.name: outcome for outcome in exercise.tests if not outcome.passed}


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize(
    ("exercise", "solution", "test", "row"),
    [
        ("train_sync", "11_bad_no_wait_in_the_loop", "test_one_batch_in_flight", 55),
        ("train_bounded", "16_bad_no_wait_in_the_loop", "test_never_more", 45),
    ],
)
def test_the_right_wait_at_the_end_of_a_loop_without_waits_is_not_marked(
    exercise: str, solution: str, test: str, row: int
):
    log = outcomes(exercise, solution)[test].timeline
    (words,) = Elements(draw(log)).labels
    assert words == describe(log)
    assert "HERE" not in words and words.endswith("); return.")
    assert (
        f"No wait is marked: one is missing, or waits for too little. Enqueued in a row without a wait: up to {row} "
        in words
    )


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_a_wait_that_comes_too_early_is_marked():
    log = outcomes("train_async", "11_bad_asscalar_each_batch")["test_no_wait_in_the_loop"].timeline
    assert describe(log).count("wait (asnumpy or the like) <- HERE") == 1


# --- in the feedback ----------------------------------------------------------------------------------------------

WAITING = "def queue_work(x):\n    y = nd.dot(x, x)\n    y.wait_to_read()\n    return y.sum()"
GRADER = '''
import numpy as np
from syncpoint.graders import array, saw

def test_does_not_wait(student, rng):
    """It does not wait."""
    seen = student.call("queue_work", array(rng.normal(size=(3, 3)), gated=True))
    with saw("It waited.", seen.events):
        assert seen.returned_while_gated

def test_value(student, rng):
    """The sum is right."""
    x = rng.normal(size=(3, 3))
    seen = student.call("queue_work", array(x))
    np.testing.assert_allclose(np.ravel(seen.returned), [(x @ x).sum()], rtol=1e-3)
'''


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_the_feedback_shows_the_students_own_order_and_the_score_stays(course: SmallCourse):
    course.grader("test_queue_work").write_text(GRADER)
    course.submit("ada", course.solved(queue_work=WAITING))
    assert course.nbgrader("autograde", "async", "--student", "ada").returncode == 0
    assert course.nbgrader("generate_feedback", "async", "--student", "ada").returncode == 0
    page = course.feedback("ada")
    pictures = re.findall(r'<svg [^>]*aria-label="([^"]*)"', page)
    assert [words for words in pictures if "wait (wait_to_read) &lt;- HERE" in words] == [
        "The marked wait held your code up. Enqueued before it: 1 operation; after it: 1 operation. In order: "
        "enqueue 1 (dot) for the host; wait (wait_to_read) &lt;- HERE; enqueue 1 (sum) for the host; return."
    ]
    assert re.search(r'<div style="overflow-x:auto"><svg [^>]*style="[^"]*min-width:\d+px', page)
    assert course.scores() == {"ada": (2, 2)}
