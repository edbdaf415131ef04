"""The timeline in a report: the marked wait, the texts, and that no student text becomes markup."""

import re
from collections.abc import Callable

import pytest
from classroom import ROOT, SmallCourse
from elements import Elements

from syncpoint.core.results import TestResult
from syncpoint.core.timeline_data import LetGo, Timeline
from syncpoint.course.folder import Course
from syncpoint.judge.grade_notebook import ExerciseGrader
from syncpoint.judge.job import from_json, to_json
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.observe.observation import Log
from syncpoint.observe.timeline_from_log import MOST_STEPS, timeline
from syncpoint.probe.trace import Event
from syncpoint.report.timeline_picture import describe, section
from syncpoint.vet.trial import notebook_for

MARKUP = "<script>alert('&\"')</script>"


def enqueue(name: str = "dot", device: int = 0, pending: int = 1) -> Event:
    return Event("enqueue", label=name, pending=pending, reads=(device,), writes=(device,))


def wait(*opened: str, label: str = "wait_to_read", target: str = "array") -> Event:
    return Event("wait", label=label, opened=opened, target=target)


def log_of(*events: Event, missing_wait: bool = False) -> Log:
    return Log(events, missing_wait)


def test_the_first_wait_that_held_the_code_up_is_marked():
    shown = timeline(log_of(enqueue(), wait(), enqueue(), wait("dot 0"), enqueue(), wait("dot 1")))
    assert shown.marked == 3


def test_a_wait_that_let_unrelated_work_go_is_marked_before_all_others():
    shown = timeline(log_of(enqueue(), wait("argument 0"), wait("unrelated", label="waitall", target="all")))
    assert shown.marked == 2


def test_an_operation_that_blocks_inside_is_a_wait():
    shown = timeline(log_of(enqueue(), Event("timeout_open", opened=("dot 0",), seconds=5.0), enqueue()))
    assert (shown.marked, shown.steps[1].kind) == (1, "inside")


@pytest.mark.parametrize(
    ("hidden", "words"),
    [
        (wait("dot 0", label=""), "wait (a wait)"),
        (wait("dot 0", label="boolean_mask", target="operation"), "wait (inside an operation)"),
    ],
)
def test_a_wait_without_a_name_is_named_by_its_place(hidden: Event, words: str):
    assert f"; {words} <- HERE, and the grader lets 1 result finish; " in describe(timeline(log_of(enqueue(), hidden)))


def test_code_that_never_waited_is_reported():
    shown = timeline(log_of(enqueue("dot"), enqueue("sum")))
    assert (shown.marked, str(shown.message)) == (
        None,
        "Your code enqueued 2 operations and returned before all of them had finished. It never had to wait.",
    )


def test_waits_that_nothing_held_back_are_not_denied():
    output = timeline(log_of(enqueue("dot", pending=0), wait(), wait())).message
    assert str(output) == (
        "Your code enqueued 1 operation. Everything it waited for was already finished, so no wait blocked it."
    )


def test_the_sentence_counts_operations_before_and_after_the_wait():
    shown = timeline(log_of(enqueue(), wait("dot 0"), enqueue("dot"), enqueue("sum")))
    assert str(shown.message).endswith("By then it had enqueued 1 operation; afterwards it enqueued 2 operations.")


def test_where_a_wait_is_missing_none_is_marked_and_the_rows_are_counted():
    log = [enqueue(), enqueue(), enqueue(), wait("dot 0"), enqueue(), wait(), enqueue(), wait("dot 1"), enqueue()]
    shown = timeline(log_of(*log, missing_wait=True))
    assert (shown.marked, str(shown.message)) == (
        None,
        "No wait is marked, because a wait is missing or waits for too little. "
        "Enqueued in a row without a wait: up to 3 operations. Enqueued after the last wait: 1 operation.",
    )


def test_work_for_one_device_in_a_row_is_one_step():
    shown = timeline(log_of(enqueue(device=1), enqueue("sum", 1), enqueue(device=2), enqueue(device=1)))
    assert [(step.names, step.devices) for step in shown.steps] == [
        (("dot", "sum"), (1,)),
        (("dot",), (2,)),
        (("dot",), (1,)),
    ]


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
    log = [Event("enqueue", label="x" * 1000, reads=tuple(range(k, k + 50))) for k in range(2000)]
    assert len(section(timeline(log_of(*log)))) < 30_000


@pytest.mark.parametrize("steps", [1, 40])
def test_on_a_narrow_page_the_picture_scrolls_before_its_words_become_too_small(steps: int):
    picture = section(timeline(log_of(*[event for _ in range(steps) for event in (enqueue(), wait())])))
    width, smallest = re.search(
        r'<div style="overflow-x:auto" tabindex="0"><svg viewBox="0 0 (\d+) .*?min-width:(\d+)px;font:11px ', picture
    ).groups()
    assert 11 * int(smallest) / int(width) > 9


def on(label: str, queue: int = 0, device: int = 1, pending: int = 1) -> Event:
    return Event("enqueue", label=label, pending=pending, reads=(device,), writes=(device,), queue=queue)


def copy(source: int, target: int, queue: int = 0) -> Event:
    return Event(
        "enqueue", label="copy to the host", pending=1, reads=(source,), writes=(target,), crosses=True, queue=queue
    )


def collective(device: int, queue: int = 65) -> Event:
    return Event("enqueue", label="all_reduce", pending=1, reads=(device,), writes=(device,), crosses=True, queue=queue)


def record(mark: int, queue: int = 0, device: int = 1) -> Event:
    return Event("record", label="record", pending=1, reads=(device,), outputs=(mark,), queue=queue)


def follow(mark: int, queue: int, device: int = 1) -> Event:
    return Event("follow", label="stream wait", pending=1, reads=(device,), inputs=(mark,), queue=queue)


def rows_of(picture: str) -> list[str]:
    return re.findall(r'<text x="0" [^>]*>([^<]*)</text>', picture)


def test_each_stream_is_a_row_of_its_device():
    shown = timeline(log_of(on("mm"), on("mm", 2), on("mm", device=2), collective(2)))
    assert rows_of(section(shown)) == [
        *("front end", "held back", "device 1, default", "device 1, stream 2"),
        *("device 2, default", "device 2, collectives"),
    ]
    assert "enqueue 1 (mm) for stream 2 of device 1; enqueue 1 (mm) for the default stream of device 2" in describe(
        shown
    )


def test_a_device_with_one_stream_has_a_row_of_its_own_name():
    shown = timeline(log_of(on("mm"), on("mm", device=2)))
    assert rows_of(section(shown)) == ["front end", "held back", "device 1", "device 2"]


def test_a_copy_and_a_collective_differ_from_work_in_words_and_lines():
    shown = timeline(log_of(on("mm"), copy(1, 0), collective(1)))
    assert [step.kind for step in shown.steps] == ["enqueue", "copy", "collective"]
    assert "enqueue 1 (copy from device 1 to the host) for the default stream of device 1; " in describe(shown)
    assert "enqueue 1 (collective all_reduce) for the communicator of device 1; " in describe(shown)
    legend = re.findall(r'aria-hidden="true"[^>]*>(.*?)</svg>([^<]*)</div>', section(shown))
    assert [words for _, words in legend] == ["work", "copy", "collective of several devices"]
    assert len({re.sub(r"#\w+", "", look) for look, _ in legend}) == 3  # without their colours


def test_a_page_explains_each_sign_once():
    explained = set()
    first = section(timeline(log_of(on("mm"), copy(1, 0))), explained)
    again = section(timeline(log_of(on("mm"), copy(1, 0))), explained)
    more = section(timeline(log_of(on("mm"), collective(1))), explained)
    assert "Time runs" in first and ">copy</div>" in first
    assert "Time runs" not in again + more and ">copy</div>" not in again
    assert "collective of several devices</div>" in more


def test_the_host_has_a_row_only_where_it_computes():
    assert "the host" not in rows_of(section(timeline(log_of(on("mm"), copy(1, 0)))))
    assert "the host" in rows_of(section(timeline(log_of(enqueue(device=1), copy(1, 0), enqueue()))))


def test_a_stream_that_waits_says_for_which_one_and_up_to_where():
    log = [on("mm"), record(7), on("sum"), follow(7, 2), on("add", 2), record(8, 2), follow(8, 0)]
    shown = timeline(log_of(*log))
    first, second = (step for step in shown.steps if step.kind == "follow")
    assert (first.home, first.source, first.since) == ((1, 2), (1, 0), 0)
    assert (second.home, second.source, shown.steps[second.since].names) == ((1, 0), (1, 2), ("add",))
    words = describe(shown)
    assert (
        "stream 2 of device 1 waits for what was in the default stream of device 1 when an earlier event was recorded; "
        in words
    )
    assert "the default stream of device 1 waits for everything enqueued in stream 2 of device 1 so far; " in words


def test_a_stream_that_waits_for_itself_is_no_step():
    assert [step.kind for step in timeline(log_of(on("mm"), record(7), follow(7, 0))).steps] == ["enqueue"]


def test_a_mark_before_the_drawn_part_is_not_a_drawn_step():
    log = [on("mm"), record(7), *[event for _ in range(40) for event in (on("mm"), wait())], follow(7, 2)]
    assert timeline(log_of(*log)).steps[-1].since is None


def test_what_the_judge_held_and_when_it_let_go_is_told():
    log = [on("mm", pending=3), wait("argument 0", "mm 1"), on("mm", pending=2), wait("unrelated")]
    shown = timeline(log_of(*log))
    assert [step.closed for step in shown.steps] == [3, 0, 2, 0]
    assert [step.let_go for step in shown.steps[1::2]] == [LetGo(1, 1, 0), LetGo(0, 0, 1)]
    assert "and the grader lets 1 input and 1 result finish; " in describe(shown)
    assert "<- HERE, and the grader lets unrelated work finish; return." in describe(shown)
    picture = section(shown)
    assert re.findall(r">([\d\u2212]+)</text>", picture) == ["1", "3", "\u22122", "1", "2", "\u22121"]


def test_the_words_tell_each_number_of_the_row_of_what_is_held_back():
    first, second = on("mm", pending=3), on("mm", 2, pending=3)
    shown = timeline(log_of(first, second, wait("argument 0", "mm 1"), first, on("mm", 2, pending=4), wait()))
    drawn = re.findall(r'y="60" text-anchor="middle"[^>]*>([\d\u2212]+)</text>', section(shown))
    assert drawn == ["3", "3", "\u22122", "3", "4"]
    received = []
    for step in describe(shown).partition("In order: ")[2].split("; ")[: len(drawn)]:
        gone = re.findall(r"lets (\d+) input and (\d+) result finish", step)
        held = re.findall(r"held back: (\d+)", step) or received[-1:]  # said once where it stays
        received.append(f"\u2212{sum(map(int, gone[0]))}" if gone else "".join(held))
    assert received == drawn


def test_what_is_still_held_at_the_end_is_told():
    assert describe(timeline(log_of(on("mm", pending=2)))).endswith("; still held back by the grader: 2; return.")


def test_where_nothing_was_held_there_is_no_row_for_it():
    assert "held back" not in rows_of(section(timeline(log_of(on("mm", pending=0), wait()))))
    assert "held back" in rows_of(section(timeline(log_of(on("mm"), wait("mm")))))


def test_a_result_stored_before_there_were_streams_is_still_drawn():
    known = from_json(Timeline, to_json(timeline(log_of(enqueue(), wait("dot"))))).steps
    old = (
        '{"steps":[{"kind":"enqueue","names":["queue 3: mm"],"count":1,"devices":[1],"held":false},'
        '{"kind":"wait","names":["item"],"count":1,"devices":[],"held":true}],"marked":1,'
        '"message":{"code":"wait_marked","parameters":{"before":"1","after":"0"}},"before":0,"after":0}'
    )
    shown = from_json(Timeline, old.encode())
    assert known[1].let_go == LetGo(results=1)
    assert "enqueue 1 (queue 3: mm) for device 1; wait (item) <- HERE; return." in describe(shown)
    assert rows_of(section(shown)) == ["front end", "device 1"]


@pytest.mark.torch
@pytest.mark.sandbox
def test_the_streams_of_a_judged_solution_are_drawn_from_the_log_of_its_device():
    log = outcomes("torch_streams", "copy_and_compute", "18_bad_waits_both_ways")[
        "test_copy_beside_the_next_product"
    ].timeline
    # The judge makes the current stream, and the solution one of its own.
    assert rows_of(section(log)) == ["front end", "held back", "device 1, stream 1", "device 1, stream 2"]
    copies = [place for place, step in enumerate(log.steps) if step.kind == "copy" and place]
    assert {(log.steps[place].devices, log.steps[place].home) for place in copies} == {((1, 0), (1, 2))}
    before = [log.steps[place - 1] for place in copies]  # the copying stream waits for the product
    assert {(step.kind, step.home, step.source) for step in before} == {("follow", (1, 2), (1, 1))}
    waits = [step for step in log.steps if step.kind == "wait"]
    assert len(waits) >= 3 and all(step.let_go == LetGo(results=2) for step in waits[1:])
    closed = [step.closed for step in waits]
    assert closed == sorted(closed, reverse=True) and closed[-1] < closed[0]
    assert "stream 1 of device 1 waits for everything enqueued in stream 2 of device 1 so far" in describe(log)


@pytest.mark.parametrize(
    "event",
    [
        Event("enqueue", label=MARKUP, opened=(MARKUP,), reads=(0,), writes=(0,)),
        Event("wait", label=MARKUP, opened=(MARKUP,)),
        Event("start", label=MARKUP),
        Event(MARKUP, label=MARKUP, opened=(MARKUP,)),
    ],
    ids=["enqueue", "wait", "start", "kind"],
)
def test_texts_of_a_log_are_escaped(event: Event):
    picture = Elements(section(timeline(log_of(enqueue(), event, wait("x")))))
    assert set(picture.tags) <= {
        *("div", "svg", "g", "title", "rect", "text", "path", "details", "summary", "ul", "li")
    }


def test_there_is_nothing_that_a_browser_runs_or_fetches():
    attributes = Elements(section(timeline(log_of(enqueue(), wait(), enqueue(device=1), wait("x"))))).attributes
    assert not {name for name in attributes if name.startswith("on") or "href" in name or name == "src"}


def test_every_element_is_closed():
    assert Elements(section(timeline(log_of(enqueue(), wait(), enqueue(device=1), wait("x"), enqueue())))).open == 0


def test_who_cannot_see_the_picture_is_told_what_is_in_it():
    log = timeline(log_of(enqueue(), wait("dot 0"), enqueue()))
    assert Elements(section(log)).labels == [describe(log)]
    assert "wait (wait_to_read) <- HERE" in describe(log)


@pytest.mark.parametrize("render", [section, describe])
def test_without_a_log_there_is_nothing(render: Callable[..., str]):
    assert timeline(Log()) is None and render(None) == ""


def test_labels_of_gates_stay_out_of_the_picture():
    assert "SECRET" not in section(timeline(log_of(enqueue(), wait("SECRET"))))


def outcomes(assignment: str, exercise: str, solution: str) -> dict[str, TestResult]:
    """The tests of an exercise that this solution of the bank fails."""
    course = Course(ROOT)
    reference = course.source(assignment).notebook(course.source(assignment).notebook_with(f"test_{exercise}"))
    code = (course.graders(assignment).bank / exercise / f"{solution}.py").read_text()
    notebook, place = notebook_for(reference, exercise, code)
    spec = course.spec(assignment)
    with NotebookRun(notebook, spec.sandbox_spec(ROOT)) as run:
        run.advance_to(place)
        exercise = ExerciseGrader.of(spec).judge_cell(run, notebook.cells[place])
    return {outcome.name: outcome for outcome in exercise.tests if not outcome.passed}


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize(
    ("exercise", "solution", "test", "row"),
    [
        ("train_sync", "11_bad_no_wait_in_the_loop", "test_one_batch_in_flight", 54),
        ("train_bounded", "16_bad_no_wait_in_the_loop", "test_never_more", 44),
    ],
)
def test_the_right_wait_at_the_end_of_a_loop_without_waits_is_not_marked(
    exercise: str, solution: str, test: str, row: int
):
    log = outcomes("async", exercise, solution)[test].timeline
    (words,) = Elements(section(log)).labels
    assert words == describe(log)
    end = r"; wait \([^;]*\), and the grader lets \d+ results finish; (still held back by the grader: \d+; )?return\.$"
    assert "HERE" not in words and re.search(end, words)
    assert "No wait is marked, because a wait is missing or waits for too little. Enqueued" in words
    assert f" in a row without a wait: up to {row} " in words


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_a_wait_that_comes_too_early_is_marked():
    log = outcomes("async", "train_async", "11_bad_asscalar_each_batch")["test_no_wait_in_the_loop"].timeline
    assert describe(log).count("wait (asnumpy or the like) <- HERE") == 1


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
    np.testing.assert_allclose(np.ravel(seen.returned), [(x @ x).sum()], rtol=1e-3, atol=1e-4)
'''


@pytest.mark.exhaustive
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
        "Your code paused at the marked wait. By then it had enqueued 1 operation; afterwards it enqueued 1 "
        "operation. In order: enqueue 1 (dot) for the host, held back: 1; wait (wait_to_read) &lt;- HERE, and the "
        "grader lets 1 input finish; enqueue 1 (sum) for the host; return."
    ]
    assert re.search(r'<div style="overflow-x:auto" tabindex="0"><svg [^>]*style="[^"]*min-width:\d+px', page)
    assert course.scores() == {"ada": (2, 2)}
