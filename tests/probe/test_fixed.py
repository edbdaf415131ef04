"""An observation has the values at the moment when the code returned, for every way an array gets into it."""

import numpy as np
import pytest

from syncpoint.graders import array

ONES = np.ones((4, 4), dtype=np.float32)

# --- what a thread does after the return ----------------------------------------------------------------------------

# The thread waits until the judge lets x go.  The large product keeps the engine, and so the judge, busy meanwhile.
LATER = """
import collections, threading, numpy
import mxnet as mx
from mxnet import autograd, nd
Pair = collections.namedtuple("Pair", "first second")
class Copies(list): pass


def later(x, repair):
    junk = nd.ones((1500, 1500), ctx=mx.cpu(3))
    nd.dot(junk, junk)

    def work():
        x.wait_to_read()
        repair()

    threading.Thread(target=work).start()


def fill(*arrays):
    for array in arrays:
        array[:] = 42


def exchange(array):
    other = nd.full((4, 4), 42)
    array.handle, other.handle = other.handle, array.handle


"""
RETURNED = {
    "an array": "y",
    "in a list": "[y]",
    "in a tuple": "(y,)",
    "in a named tuple": "Pair(y, y)",
    "in a list of its own class": "Copies([y])",
    "in a dict": "{'y': y}",
    "deep inside": "[{'a': (Copies([y]), 1)}]",
}


def arrays_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in arrays_in(item)]
    return [] if isinstance(value, int) else [value]


@pytest.mark.sample(3)
@pytest.mark.parametrize("repair", ["fill(y)", "exchange(y)"])
@pytest.mark.parametrize("name", RETURNED)
def test_what_is_returned_stays_as_it_was(student_of, name, repair):
    source = f"def f(x):\n    y = x + 1\n    later(x, lambda: {repair})\n    return {RETURNED[name]}"
    seen = student_of(LATER + source).call("f", array(ONES, gated=True))
    assert arrays_in(seen.returned) and all(np.array_equal(found, 2 * ONES) for found in arrays_in(seen.returned))
    assert seen.ready is False


def test_numbers_of_numpy_stay_as_they_were(student_of):
    student = student_of(LATER + "def f(x):\n    y = numpy.ones((4, 4))\n    later(x, lambda: fill(y))\n    return y")
    assert np.array_equal(student.call("f", array(ONES, gated=True)).returned, ONES)


def test_arguments_inputs_and_gradients_stay_as_they_were(student_of):
    student = student_of(
        LATER + "def f(x, data):\n    old = data[0]\n    old += 1\n    data[0] = old + 1\n    old.grad[:] = 5\n"
        "    later(x, lambda: fill(data[0], old, old.grad))"
    )
    seen = student.call("f", array(ONES, gated=True), [array(ONES, gradient=0)])
    found = (seen.arguments[1][0].values, seen.inputs[1].values, seen.inputs[1].gradient)
    assert [values[0, 0] for values in found] == [3, 2, 5]


SWAP = "    x.handle, own.handle = own.handle, x.handle\n"


@pytest.mark.parametrize("other", ["x.copy()", "nd.zeros((4, 4))", "x.detach()", "nd.ones((2, 2))"])
def test_an_input_stays_the_judges_array_whatever_handle_its_object_gets(student_of, other):
    source = f"def f(x, data):\n    own = {other}\n    x += 1\n{SWAP}    data.append(own)\n    return own * 1"
    seen = student_of("from mxnet import nd\n" + source).call("f", array(ONES), [array(3 * ONES)])
    assert np.array_equal(seen.inputs[0], 2 * ONES) and np.array_equal(seen.inputs[1], 3 * ONES)
    assert np.array_equal(seen.arguments[0], 2 * ONES)
    first, second = seen.arguments[1]
    assert np.array_equal(first, 3 * ONES) and np.array_equal(second, 2 * ONES)


def test_an_input_whose_handles_were_swapped_back_keeps_its_new_gradient(student_of):
    source = f"def f(x):\n    own = nd.zeros((4, 4))\n{SWAP}{SWAP}    x.attach_grad()\n    x.grad[:] = 7"
    seen = student_of("from mxnet import nd\n" + source).call("f", array(ONES, gradient=0))
    assert np.array_equal(seen.inputs[0].gradient, 7 * ONES)


@pytest.mark.parametrize("lost", ["x.handle = None", "del x.handle"])
def test_an_input_without_a_handle_is_read_by_the_judges_own(student_of, lost):
    source = f"def f(x, kept=[]):\n    kept.append(x.handle)\n    x += 1\n    {lost}"
    seen = student_of(source).call("f", array(ONES))
    assert np.array_equal(seen.inputs[0], 2 * ONES) and np.array_equal(seen.arguments[0], 2 * ONES)


# --- readiness ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RETURNED)
@pytest.mark.parametrize(("wait", "ready"), [("pass", False), ("y.wait_to_read()", True)])
def test_readiness_is_that_of_the_arrays_that_cross(student_of, name, wait, ready):
    student = student_of(LATER + f"def f(x):\n    y = x + 1\n    {wait}\n    return {RETURNED[name]}")
    assert student.results_gated.call("f", array(ONES)).ready is ready


# How an array comes to be without an operation that holds it.
OUTSIDE = "x.asnumpy() @ x.asnumpy()"
UNHELD = {
    "nothing": "None",
    "no array": "[1, 'y']",
    "NumPy": OUTSIDE,
    "made before the call": "MADE",
    "by another door of the library": "behind_the_log(x)",
}
SEEN = {
    "the argument itself": "x",
    "filled from NumPy": f"nd.array({OUTSIDE})",
    "loaded": "nd.load(save(x))[0]",
    "of NumPy's memory": f"nd.from_numpy({OUTSIDE})",
    "a view": "[y.wait_to_read() or y[1] for y in [x + 1]]",
    "a reshaped one": "[y.reshape((16,)) for y in [x + 1] if y.wait_to_read() is None]",
}
MAKERS = """
import ctypes
from mxnet.base import _LIB
MADE = nd.ones((4, 4))
door = ctypes.CDLL(_LIB._name)


def save(x):
    nd.save("/tmp/x", [x])
    return "/tmp/x"


def behind_the_log(x):
    seen, _LIB.MXImperativeInvokeEx = _LIB.MXImperativeInvokeEx, door.MXImperativeInvokeEx
    y = nd.dot(x, x)
    _LIB.MXImperativeInvokeEx = seen
    return y


"""


@pytest.mark.parametrize("name", UNHELD)
def test_where_nothing_was_held_there_is_no_answer(student_of, name):
    student = student_of(LATER + MAKERS + f"def f(x):\n    return {UNHELD[name]}")
    assert student.results_gated.call("f", array(ONES)).ready is None


@pytest.mark.parametrize("name", SEEN)
def test_what_is_computed_without_an_operation_is_ready(student_of, name):
    student = student_of(LATER + MAKERS + f"def f(x):\n    return {SEEN[name]}")
    assert student.results_gated.call("f", array(ONES)).ready is True


EXECUTOR = """
def f(x):
    matrix = mx.sym.var("matrix")
    y = mx.sym.dot(matrix, matrix).bind(x.context, {"matrix": x}).forward()[0]
    WAIT
    return y
"""
GRADIENT = """
w = nd.ones((4, 4))
w.attach_grad()
nd.waitall()


def f(x):
    with autograd.record():
        y = nd.dot(x, w, transpose_a=True)
    y.backward(x)
    WAIT
    return w.grad
"""
GRAD = """
w = nd.ones((4, 4))


def f(x):
    w.attach_grad()
    with autograd.record():
        y = nd.dot(x, w, transpose_a=True)
    gradient = autograd.grad(y, w, x)[0]
    WAIT
    return gradient
"""
STORE = """
store = mx.kv.create("local")
store.init(3, nd.zeros((4, 4)))


def f(x):
    y = nd.array(numpy.zeros((4, 4)))
    store.push(3, [x, x])
    store.pull(3, out=y)
    WAIT
    return y
"""


@pytest.mark.parametrize("source", [EXECUTOR, GRADIENT, GRAD, STORE])
@pytest.mark.parametrize(("wait", "ready"), [("pass", False), ("RESULT.wait_to_read()", True), ("nd.waitall()", True)])
def test_results_of_every_kind_are_held(student_of, source, wait, ready):
    result = source.strip().splitlines()[-1].split()[-1]
    student = student_of(LATER + source.replace("WAIT", wait.replace("RESULT", result)))
    seen = student.results_gated.call("f", array(ONES))
    assert seen.ready is ready
    assert not [event for event in seen.events if event.kind == "timeout_open"]
