"""The probe: gates hold work back, and the log tells waiting from queueing without a clock."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

from syncpoint.graders import array
from syncpoint.judge.student import Student
from syncpoint.observe.observation import Observation
from syncpoint.probe.trace import Gate, Trace

StudentOf = Callable[..., Student]
ONES = np.ones((4, 4), dtype=np.float32)

QUEUES = {
    "an operation": "nd.dot(x, x)",
    "a chain": "nd.dot(x, x).sum() + 1",
    "in place": "x.__iadd__(1)",
    "the array itself": "x",
    "a view": "x[1]",
    "a reshape": "x.reshape((16,))",
    "its shape printed": "print(x.shape, x.dtype, x.context)",
    "a copy to another device": "x.copyto(mx.cpu(1))",
    "a list of results": "[x + 1, x + 2]",
    "work on something else": "nd.ones((2, 2)).asnumpy()",
}
WAITS = {
    "wait_to_read": "x.wait_to_read()",
    "wait_to_read of a result": "(x + 1).wait_to_read()",
    "waitall": "nd.waitall()",
    "asnumpy": "x.asnumpy()",
    "asscalar": "x.sum().asscalar()",
    "print": "print(x)",
    "str": "str(x)",
    "bool": "bool(x.sum() > 0)",
    "save": "nd.save('/tmp/saved', x)",
    "a view read": "x[1].asnumpy()",
    "a reshape read": "x.reshape((16,)).asnumpy()",
    "a transposed view read": "x.T.asnumpy()",
    "a long chain read": "((((x + 1) * 2) - 3) / 4).asnumpy()",
    "a row after in-place work": "x.__iadd__(1)[0].asnumpy()",
    "a copy on another device read": "x.as_in_context(mx.cpu(1)).asnumpy()",
    "numpy's own conversion": "np.array(x.asnumpy())",
    "tolist": "x.asnumpy().tolist()",
    "writing into it": "x.__setitem__(slice(None), np.zeros((4, 4)))",
}


# --- a gated argument ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUEUES)
def test_code_that_queues_returns_while_its_input_is_gated(solve, name: str):
    assert solve(QUEUES[name]).call("f", array(ONES, gated=True)).pending == ("argument 0",)


@pytest.mark.parametrize(
    ("expression", "wait"),
    [
        ("nd.dot(x, x).wait_to_read()", ("array", "wait_to_read")),
        ("nd.waitall()", ("all", "waitall")),
        ("nd.dot(x, x).asnumpy()", ("host copy", "asnumpy or the like")),
    ],
)
def test_the_log_tells_what_a_wait_was_for_and_what_students_call_it(solve, expression, wait):
    seen = solve(expression).call("f", array(ONES, gated=True))
    assert [(event.target, event.label) for event in seen.waits] == [wait]


def test_the_log_names_the_arrays_that_operations_read_and_write(solve):
    seen = solve("(lambda y: (nd.dot(x, y), y.wait_to_read()))(nd.dot(x, x))").call("f", array(ONES))
    first, second, wait = seen.events
    assert (len(first.inputs), len(first.outputs), len(second.outputs)) == (2, 1, 1)
    assert first.inputs[0] == first.inputs[1] == second.inputs[0]  # x
    assert (second.inputs[1],) == first.outputs == wait.inputs  # y
    assert len({*first.inputs, *first.outputs, *second.outputs}) == 3


def test_views_of_one_array_have_one_number_in_the_log(solve):
    seen = solve("(nd.dot(x, x), x[1] * 2, x.reshape((-1,)) + 1)").call("f", array(ONES))
    assert {event.inputs[0] for event in seen.events if event.label != "_slice"} == {1}


@pytest.mark.parametrize("name", WAITS)
def test_code_that_waits_opens_the_gate(solve, name: str):
    seen = solve(WAITS[name]).call("f", array(ONES, gated=True))
    assert [event.opened for event in seen.waits if event.opened] == [("argument 0",)]


@pytest.mark.parametrize("name", [*QUEUES, *WAITS])
def test_no_gate_needs_to_be_let_go_after_a_while(solve, name: str):
    expression = {**QUEUES, **WAITS}[name]
    seen = solve(expression).call("f", array(ONES, gated=True))
    assert [event for event in seen.events if event.kind == "timeout_open"] == []


def test_a_gate_does_not_change_the_value(solve):
    seen = solve("nd.dot(x, x)").call("f", array(2 * ONES, gated=True))
    assert np.array_equal(seen.returned, 16 * ONES)


def test_a_wait_for_one_of_two_gated_arrays_opens_that_one(student_of: StudentOf):
    seen = student_of("def g(x, y): y.wait_to_read()").call("g", array(ONES, gated=True), array(ONES, gated=True))
    assert seen.pending == ("argument 0",)


def test_waitall_opens_both(student_of: StudentOf):
    seen = student_of("def g(x, y): nd.waitall()").call("g", array(ONES, gated=True), array(ONES, gated=True))
    assert seen.pending == ()


def test_arguments_show_what_was_done_in_place(student_of: StudentOf):
    seen = student_of("def g(x): x += 1").call("g", array(ONES, gated=True))
    assert np.array_equal(seen.arguments[0], 2 * ONES)


def test_a_result_that_waits_for_a_gate_is_not_ready(solve):
    assert not solve("x + 1").call("f", array(ONES, gated=True)).ready


def test_a_result_that_was_waited_for_is_ready(solve):
    assert solve("[y.wait_to_read() or y for y in [x + 1]][0]").call("f", array(ONES, gated=True)).ready


# --- results_gated ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait", "pending"), [("pass", ("dot 0", "dot 1")), ("a.wait_to_read()", ("dot 1",)), ("nd.waitall()", ())]
)
def test_gated_results_open_only_for_a_wait_that_needs_them(student_of: StudentOf, wait: str, pending):
    student = student_of(f"def g(x):\n    a, b = nd.dot(x, x), nd.dot(x, x)\n    {wait}\n    return a, b")
    assert student.results_gated.call("g", array(ONES)).pending == pending


def test_a_wait_for_a_derived_array_opens_what_it_is_made_of(student_of: StudentOf):
    student = student_of("def g(x):\n    a = x + 1\n    b = a * 2\n    b.wait_to_read()\n    return b")
    assert student.results_gated.call("g", array(ONES)).pending == ()


def test_a_wait_leaves_older_work_alone_that_it_does_not_need(student_of: StudentOf):
    student = student_of(
        "def g(x):\n    a, b = x + 1, x + 2\n    c, d = a * 2, b * 2\n    d.wait_to_read()\n    return c"
    )
    pending = student.results_gated.call("g", array(ONES)).pending
    assert [label.split()[-1] for label in pending] == ["0", "2"]


def test_gated_results_have_the_right_values(solve):
    assert np.array_equal(solve("(x + 1) * 2").results_gated.call("f", array(ONES)).returned, 4 * ONES)


# --- beside unrelated work ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait", "waited_for_all"),
    [
        ("y.wait_to_read()", False),
        ("y.asnumpy()", False),
        ("print(y)", False),
        ("nd.waitall()", True),
        ("nd.save('/tmp/saved', y)", False),
    ],
)
def test_only_a_wait_for_everything_waits_for_unrelated_work(student_of: StudentOf, wait: str, waited_for_all: bool):
    student = student_of(f"def g(x):\n    y = nd.dot(x, x)\n    {wait}\n    return y")
    seen = student.beside_unrelated_work.call("g", array(ONES))
    assert ("unrelated" not in seen.pending) is waited_for_all


def test_a_long_chain_behind_a_gate_is_run_to_its_end_before_the_next_gate_opens(student_of: StudentOf):
    # Each product takes longer than a round of the probe, so each round moves one link.
    function = "def g(x):\n    y = x\n    for _ in range(300):\n        y = nd.dot(y, x)\n    y.wait_to_read()"
    student = student_of(f"from mxnet import nd\n{function}")
    seen = student.beside_unrelated_work.call("g", array(np.eye(256, dtype=np.float32), gated=True))
    assert seen.pending == ("unrelated",)


def test_unrelated_work_stays_pending_for_a_wait_on_gated_results(student_of: StudentOf):
    student = student_of("def g(x):\n    y = x + 1\n    y.wait_to_read()\n    return y")
    assert student.results_gated.beside_unrelated_work.call("g", array(ONES)).pending == ("unrelated",)


# --- loops --------------------------------------------------------------------------------------------------------

LOOPS = """
def synchronous(x, steps):
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y
def asynchronous(x, steps):
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
def in_tens(x, steps):
    for step in range(1, steps + 1):
        y = x + 1
        if step % 10 == 0:
            y.wait_to_read()
    return y
"""


@pytest.mark.parametrize(
    ("name", "backlogs"), [("synchronous", [1] * 50), ("asynchronous", [50]), ("in_tens", [10] * 5)]
)
def test_backlogs_tell_the_loops_apart(student_of: StudentOf, name: str, backlogs: list[int]):
    assert student_of(LOOPS).results_gated.call(name, array(ONES), 50).backlogs == backlogs


def test_a_loop_of_fifty_gated_steps_needs_no_timeout(student_of: StudentOf):
    seen = student_of(LOOPS).results_gated.call("synchronous", array(ONES), 50)
    assert {event.kind for event in seen.events} == {"enqueue", "wait"}


# --- autograd and devices -----------------------------------------------------------------------------------------

GRADIENT = """
from mxnet import autograd
def gradient(x):
    x.attach_grad()
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    return x.grad
"""


def test_backward_only_queues(student_of: StudentOf):
    seen = student_of(GRADIENT).call("gradient", array(3 * ONES, gated=True))
    assert seen.pending == ("argument 0",)


def test_gradients_are_right_behind_a_gate(student_of: StudentOf):
    seen = student_of(GRADIENT).call("gradient", array(3 * ONES, gated=True))
    assert np.array_equal(seen.returned, 6 * ONES)


def test_backward_is_in_the_log(student_of: StudentOf):
    seen = student_of(GRADIENT).call("gradient", array(ONES))
    assert "backward" in [event.label for event in seen.events]


def test_a_gate_on_one_device_leaves_the_other_alone(student_of: StudentOf):
    student = student_of("def g(x, y):\n    (y + 1).wait_to_read()\n    return x, y")
    assert student.call("g", array(ONES, device=0, gated=True), array(ONES, device=1)).pending == ("argument 0",)


def test_devices_of_arguments_and_results_are_reported(student_of: StudentOf):
    seen = student_of("def g(x, y): return y + 1").call("g", array(ONES), array(ONES, device=1))
    assert (seen.returned.device, [each.device for each in seen.arguments]) == (1, [0, 1])


# --- other threads ------------------------------------------------------------------------------------------------

WAITER = """
import _thread, ctypes, select, threading, time
from concurrent.futures import ThreadPoolExecutor, wait
from mxnet import nd
import mxnet as mx
def waiting(x):
    thread = threading.Thread(target=x.wait_to_read)
    thread.start()
    return thread
def again(x, wait):
    # One wait may end before anybody could look at it; who waits so often is seen.
    thread, moment = waiting(x), 0.01
    for _ in range(50):
        if thread.is_alive():
            wait(thread, moment)
def future(x, limit):
    with ThreadPoolExecutor(1) as pool:
        wait([pool.submit(x.wait_to_read)], timeout=limit)
def lock(x, limit):
    held = _thread.allocate_lock()
    held.acquire()
    _thread.start_new_thread(lambda: (x.wait_to_read(), held.release()), ())
    held.acquire(timeout=limit)
def circles(thread, seconds):
    until = time.thread_time() + seconds
    while thread.is_alive() and time.thread_time() < until:
        pass
"""
LOOKS_FOR_A_GATE = {
    "join": "waiting(x).join()",
    "join for ten seconds": "waiting(x).join(10)",
    "a lock for ten seconds": "lock(x, 10)",
    "a future for ten seconds": "future(x, 10)",
    "joins": "again(x, lambda thread, moment: thread.join(moment))",
    "events": "again(x, lambda _, moment: threading.Event().wait(moment))",
    "sleeps": "again(x, lambda _, moment: time.sleep(moment))",
    "selects": "again(x, lambda _, moment: select.select([], [], [], moment))",
    "polls": "again(x, lambda _, moment: select.poll().poll(1000 * moment))",
    "circles": "circles(waiting(x), 2)",
}
LEFT_BEHIND = {
    "and nothing else": "waiting(x) and None",
    "and enqueues": "waiting(x) and [x + 1 for _ in range(500)][-1]",
    "and computes a little": "waiting(x) and sum(range(20000))",
}


@pytest.mark.parametrize("name", LOOKS_FOR_A_GATE)
def test_who_waits_for_a_waiting_thread_waits_also_with_a_limit(student_of: StudentOf, name: str):
    student = student_of(WAITER + f"def f(x): return {LOOKS_FOR_A_GATE[name]}")
    seen = student.call("f", array(ONES, gated=True))
    assert [event.opened for event in seen.events if event.opened] == [("argument 0",)]
    assert not [event for event in seen.events if event.kind == "timeout_open"]


@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_who_leaves_a_waiting_thread_behind_does_not_wait(student_of: StudentOf, name: str):
    student = student_of(WAITER + f"def f(x): return {LEFT_BEHIND[name]}")
    assert student.call("f", array(ONES, gated=True)).pending == ("argument 0",)


UNSEEN = """
import _thread, ctypes, functools, threading
import mxnet as mx
from mxnet import nd
done, made, kept = threading.Event(), [], []


class Name(str):
    def encode(self, *_):
        work()
        return b"unseen"


def work():
    made.append(THERE + 1)
    done.set()


def foreign(function):
    kept.append(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda _: function() and 0))
    thread = ctypes.c_ulong()
    ctypes.CDLL(None).pthread_create(ctypes.byref(thread), None, kept[-1], None)


def f(x):
    global THERE
    THERE = x
    START
    done.wait()
    return made[-1]
"""
STARTS = {
    "below an operator": "_thread.start_new_thread(mx.operator.register(Name()), (None,))",
    "below a part of one": "_thread.start_new_thread(functools.partial(mx.operator.register(Name()), None), ())",
    "by a function of C": "_thread.start_new_thread(list, (map(mx.operator.register(Name()), [None]),))",
    "past Python": "foreign(work)",
}


@pytest.mark.parametrize("name", STARTS)
def test_only_a_thread_of_the_engine_is_inside_an_operation(student_of: StudentOf, name: str):
    seen = student_of(UNSEEN.replace("START", STARTS[name])).results_gated.call("f", array(ONES))
    assert (seen.pending, seen.ready) == (("_PlusScalar 0",), False)


# --- letting go ---------------------------------------------------------------------------------------------------

# A wait that no traced function shows: the engine is asked through a function of its own.
UNKNOWN_WAIT = """
import ctypes
from mxnet.base import _LIB
engine = ctypes.CDLL(_LIB._name)
def g(x):
    engine.MXNDArrayWaitToRead(x.handle)
    return x
"""


def test_an_unknown_wait_times_out_and_is_logged(student_of: StudentOf):
    seen = student_of(UNKNOWN_WAIT).call("g", array(ONES, gated=True))
    assert [(event.kind, event.opened) for event in seen.events] == [("timeout_open", ("argument 0",))]


class OpenedBy:
    """A gate's opener that counts."""

    count = 0

    def __call__(self) -> None:
        self.count += 1


def test_the_patience_is_counted_from_the_last_gate_that_opened_or_closed():
    trace, opener = Trace(patience=1e6), OpenedBy()
    with trace:
        trace.add(Gate("held", opener, None, 1, False, None))
        trace._force_open(gates_before=0, pending_before=0)
        assert opener.count == 0
        trace._force_open(gates_before=1, pending_before=1)
    assert opener.count == 1 and [event.kind for event in trace.events] == ["timeout_open"]


def test_a_watch_rests_in_one_thread_and_goes_on_in_the_others():
    seen = []
    with Trace(patience=1e6) as trace, trace.paused():
        other = threading.Thread(target=lambda: seen.append(trace.active))
        other.start()
        other.join()
        assert not trace.active
    assert seen == [True]


def test_a_gate_that_closes_when_the_run_is_over_opens_at_once():
    """A thread that the code left behind may be enqueueing still: nobody would open what it closes."""
    before, after = OpenedBy(), OpenedBy()
    with Trace(patience=1e6) as trace:
        trace.add(Gate("in the run", before, None, 1, False, None))
    assert before.count == 0
    trace.end()
    trace.add(Gate("late", after, None, 2, False, None))
    assert (before.count, after.count, trace.pending, trace.events) == (1, 1, (), [])


THREADS = """
import threading
from mxnet import nd
def g(x):
    made = nd.dot(x, x), nd.dot(x, x), nd.dot(x, x)
    threads = [threading.Thread(target=one.wait_to_read) for one in made]
    for thread in threads:
        thread.start()
    for thread in threads[:2]:
        thread.join()
    return made
"""


def test_threads_that_wait_release_only_what_the_front_end_waits_for(student_of: StudentOf):
    assert student_of(THREADS).results_gated.call("g", array(ONES)).pending == ("dot 2",)


GOES_ON = """
import threading
from mxnet import nd
def g(x):
    global thread
    def work():
        for _ in range(3000):
            nd.dot(x, x)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return nd.dot(x, x)
def end():
    thread.join()
"""


@pytest.mark.exhaustive
def test_a_thread_that_enqueues_after_the_return_blocks_nobody(student_of: StudentOf):
    student = student_of(GOES_ON)
    for _ in range(3):
        assert student.results_gated.call("g", array(ONES)).pending
        student.call("end")


LATER_FIRST = """
import threading
from mxnet import nd
def g(x):
    made = [nd.dot(x, x).reshape(-1) for _ in range(3)]
    later, earlier = (threading.Thread(target=one.wait_to_read) for one in (made[1], made[0]))
    later.start()
    earlier.start()
    earlier.join()
    return made
"""


def test_of_threads_that_wait_the_one_for_the_oldest_result_goes_on_first(student_of: StudentOf):
    assert student_of(LATER_FIRST).results_gated.call("g", array(ONES)).pending == ("dot 1", "dot 2")


def test_an_operation_whose_size_depends_on_values_waits_for_its_inputs(solve):
    seen = solve("nd.contrib.boolean_mask(x, x[:, 0] > 0)").call("f", array(ONES, gated=True))
    assert [(event.kind, event.target, event.label, event.opened) for event in seen.events if event.opened] == [
        ("wait", "operation", "_contrib_boolean_mask", ("argument 0",))
    ]


def test_an_operation_whose_size_depends_on_values_is_a_wait_where_nothing_is_held_back(solve):
    seen = solve("nd.contrib.boolean_mask(x, x[:, 0] > 0)").call("f", array(ONES))
    assert [event.label for event in seen.waits] == ["_contrib_boolean_mask"]


# --- operators written in Python ------------------------------------------------------------------------------------

OPERATOR = """
import threading, time
import mxnet as mx
from mxnet import nd
done = threading.Event()
class PlusOne(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + 1)
        done.set()
@mx.operator.register("plus_one")
class Properties(mx.operator.CustomOpProp):
    def create_operator(self, *_): return PlusOne()
class Net(mx.gluon.nn.HybridBlock):
    def hybrid_forward(self, F, x): return F.Custom(x, op_type="plus_one")
net = Net()
net.hybridize()
def g(x):
    y = None
    for _ in range(3):
        done.clear()
        y = STEP
        AFTER_EACH
    AFTER_ALL
    return y
"""
STEPS = {"an operation": "nd.Custom(x, op_type='plus_one')", "a hybridized block": "net(x)"}


def with_operator(student_of: StudentOf, step: str, after_each: str = "", after_all: str = "") -> Student:
    source = OPERATOR.replace("STEP", STEPS[step]).replace("AFTER_EACH", after_each).replace("AFTER_ALL", after_all)
    return student_of(source)


def operators(student_of: StudentOf, step: str, after_each: str = "", after_all: str = "") -> Observation:
    seen = with_operator(student_of, step, after_each, after_all).results_gated.call("g", array(ONES))
    assert np.array_equal(seen.returned, 2 * ONES)
    return seen


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("wait", ["done.wait()", "done.wait(10)"])
def test_a_wait_for_what_an_operator_in_python_tells_is_a_wait(student_of: StudentOf, step: str, wait: str):
    seen = operators(student_of, step, after_each=wait)
    assert [event.kind for event in seen.events] == ["enqueue", "wait"] * 3
    assert all(event.opened for event in seen.waits)


GOES_ON = {
    "computes": "end = time.process_time() + 0.3\n    while time.process_time() < end: pass",
    "pauses": "time.sleep(0.3)",
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", GOES_ON)
def test_code_with_an_operator_in_python_may_compute_and_pause(student_of: StudentOf, step: str, name: str):
    assert [event.kind for event in operators(student_of, step, after_all=GOES_ON[name]).events] == ["enqueue"] * 3


def test_an_operator_in_python_that_is_not_enqueued_changes_nothing(student_of: StudentOf):
    source = OPERATOR.replace('F.Custom(x, op_type="plus_one")', "x + 1").replace("STEP", STEPS["a hybridized block"])
    student = student_of(source.replace("AFTER_EACH", "done.wait(0.1)").replace("AFTER_ALL", "pass"))
    seen = student.results_gated.call("g", array(ONES))
    assert [event.kind for event in seen.events] == ["enqueue"] * 3


@pytest.mark.parametrize("loop", ["while not done.is_set(): pass", "while not done.is_set(): nd.zeros(1)"])
def test_an_operator_in_python_is_let_go_in_the_end(student_of: StudentOf, loop: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("syncpoint.observe.student.PATIENCE_SECONDS", 0.2)
    seen = with_operator(student_of, "an operation", after_all=loop).call("g", array(ONES))
    assert np.array_equal(seen.returned, 2 * ONES) and not seen.waits


def test_a_wait_lets_an_operator_in_python_go_while_another_thread_enqueues(student_of: StudentOf):
    thread = """
    over = threading.Event()
    def enqueue():
        while not over.is_set(): nd.zeros(1)
    thread = threading.Thread(target=enqueue)
    thread.start()
    y.wait_to_read()
    over.set()
    thread.join()
"""
    seen = with_operator(student_of, "an operation", after_all=thread).call("g", array(ONES))
    assert [event.label for event in seen.waits] == ["wait_to_read"]


NUMPY_OPERATOR = OPERATOR.replace("done =", "mx.npx.set_np()\ndone =").replace("nd.Custom", "mx.npx.Custom")
FUNCTION = """
import threading
import mxnet as mx
done = threading.Event()
class Same(mx.autograd.Function):
    def forward(self, x): return x + 1
    def backward(self, dy):
        done.set()
        return dy
def g(x):
    x = x.copy()
    x.attach_grad()
    with mx.autograd.record():
        y = Same()(x)
    y.backward()
    done.wait()
    return x.grad
"""


def test_a_wait_for_what_the_backward_of_a_function_in_python_tells_is_a_wait(student_of: StudentOf):
    seen = student_of(FUNCTION).results_gated.call("g", array(ONES))
    assert np.array_equal(seen.returned, ONES)
    assert [(event.kind, event.label) for event in seen.events if event.kind != "enqueue"][-1] == ("wait", "Custom")


def test_a_wait_for_what_an_operator_of_numpy_arrays_tells_is_a_wait(student_of: StudentOf):
    step = STEPS["an operation"]
    source = OPERATOR.replace("done =", "mx.npx.set_np()\ndone =", 1).replace("net.hybridize()", "mx.npx.reset_np()")
    student = student_of(source.replace("STEP", step).replace("AFTER_EACH", "done.wait()").replace("AFTER_ALL", "pass"))
    for seen in (student.results_gated.call("g", array(ONES)), student.call("g", array(ONES))):
        assert [event.label for event in seen.waits] == ["Custom"] * 3


@pytest.mark.parametrize("step", STEPS)
def test_an_operator_in_python_that_cannot_begin_is_waited_for(student_of: StudentOf, step: str):
    seen = with_operator(student_of, step, after_each="done.wait(10)").call("g", array(ONES, gated=True))
    assert next(event.opened for event in seen.events if event.kind != "enqueue") == ("argument 0",)
    assert [event.kind for event in seen.events] == ["enqueue", "wait"] * 3


@pytest.mark.parametrize("step", STEPS)
def test_operators_in_python_are_enqueued_like_others(student_of: StudentOf, step: str):
    seen = operators(student_of, step, after_all="y.wait_to_read()")
    assert [event.kind for event in seen.events] == ["enqueue"] * 3 + ["wait"]
    assert seen.waits[0].label == "wait_to_read"


@pytest.mark.parametrize("step", STEPS)
def test_a_thread_that_waits_for_an_operator_in_python_goes_on(student_of: StudentOf, step: str):
    thread = "thread = threading.Thread(target=y.wait_to_read); thread.start(); thread.join()"
    seen = operators(student_of, step, after_each=thread)
    assert [(event.kind, event.label) for event in seen.events if event.kind != "enqueue"] == [
        ("wait", "wait_to_read")
    ] * 3
