"""The interface mxnet.np: the same gates and the same log."""

import numpy as np
import pytest

from syncpoint.graders import array

ONES = np.ones((4, 4), dtype=np.float32)
QUEUES = {
    "an operator": "x + 1",
    "a product": "np.dot(x, x)",
    "tensordot": "np.tensordot(x, x)",
    "a chain": "np.dot(x, x).sum() + 1",
    "in place": "x.__iadd__(1)",
    "a reshape": "x.reshape(16)",
    "its shape": "x.shape",
    "a copy": "x.copy()",
    "another device": "x.as_in_ctx(mx.cpu(1))",
    "an operator written in Python": "np.empty_like(x)",
}
WAITS = {
    "wait_to_read": "x.wait_to_read()",
    "waitall": "npx.waitall()",
    "asnumpy": "x.asnumpy()",
    "item": "x.sum().item()",
    "float": "float(x.sum())",
    "print": "print(x)",
    "bool": "bool(x.sum() > 0)",
    "tolist": "x.tolist()",
    "an operator written in Python read": "np.add(x, 1, out=np.empty_like(x)).asnumpy()",
}
BLOCKS_INSIDE = {
    "a boolean mask": "x[x > 0]",
    "nonzero": "np.nonzero(x)",
    "nonzero of npx": "npx.nonzero(x)",
    "where with a condition alone": "np.where(x > 0)",
    "unique": "np.unique(x)",
    "bincount": "np.bincount(x[0].astype('int32'))",
    "delete": "np.delete(x, np.array([1], dtype='int32'))",
}


def call(student_of, expression, *properties, gated=False):
    student = student_of(
        f"import mxnet as mx\nfrom mxnet import np, npx\nnpx.set_np()\n\n\ndef f(x):\n    return {expression}"
    ).using("np")
    for name in properties:
        student = getattr(student, name)
    return student.call("f", array(ONES, gated=gated))


@pytest.mark.parametrize("name", QUEUES)
def test_code_that_queues_returns_while_its_input_is_gated(student_of, name):
    assert call(student_of, QUEUES[name], gated=True).pending == ("argument 0",)


@pytest.mark.parametrize("name", WAITS)
def test_code_that_waits_opens_the_gate(student_of, name):
    seen = call(student_of, WAITS[name], gated=True)
    assert [event.opened for event in seen.waits if event.opened] == [("argument 0",)]


def test_what_an_operator_written_in_python_does_inside_is_not_held_back(student_of):
    seen = call(student_of, "np.add(x, 1, out=np.empty_like(x)).wait_to_read()", "results_gated")
    assert [(event.kind, event.label, event.target) for event in seen.events] == [
        ("enqueue", "Custom", ""),
        ("enqueue", "_npi_add_scalar", ""),
        ("wait", "wait_to_read", "array"),
    ]


@pytest.mark.parametrize("start", ["threading.Thread(target=work).start()", "_thread.start_new_thread(work, ())"])
def test_what_a_thread_of_the_student_does_is_held_back(student_of, start):
    student = student_of(
        "import _thread, threading\nfrom mxnet import np, npx\nnpx.set_np()\n\n\n"
        "def f(x):\n    made, done = [], threading.Event()\n\n"
        f"    def work():\n        made.append(x + 1)\n        done.set()\n\n    {start}\n    done.wait()\n"
        "    return made[0]"
    ).using("np")
    assert student.results_gated.call("f", array(ONES)).pending == ("_npi_add_scalar 0",)


@pytest.mark.parametrize("name", BLOCKS_INSIDE)
def test_what_blocks_inside_the_operation_is_a_wait(student_of, name):
    seen = call(student_of, BLOCKS_INSIDE[name], gated=True)
    assert [(event.kind, event.opened) for event in seen.events if event.opened] == [("wait", ("argument 0",))]
    assert not seen.waits[0].label.startswith("MX")


@pytest.mark.parametrize(
    ("expression", "gated"),
    [("np.dot(x, x)", "_np_dot 0"), ("np.tensordot(x, x)", "tensordot 0"), ("np.zeros((2, 2))", "zeros 0")],
)
def test_results_are_gated(student_of, expression, gated):
    seen = call(student_of, expression, "results_gated")
    assert seen.pending == (gated,) and not seen.ready


def test_the_arguments_are_np_arrays(student_of):
    assert call(student_of, "type(x).__module__ + '.' + type(x).__name__").returned == "mxnet.numpy.ndarray"


def test_a_number_arrives_with_no_dimension(student_of):
    assert call(student_of, "x.sum()").returned.values.shape == ()


@pytest.mark.exhaustive
def test_after_a_timeout_nothing_is_held_back_any_more(student_of):
    student = student_of(
        "import ctypes\nfrom mxnet import np, npx\nfrom mxnet.base import _LIB\nnpx.set_np()\n"
        "wait = ctypes.CDLL(_LIB._name).MXNDArrayWaitToRead  # no traced function shows it\n\n\n"
        "def f(x):\n    for _ in range(3):\n        y = x + 1\n        wait(y.handle)\n    return y"
    )
    seen = student.using("np").results_gated.call("f", array(ONES))
    assert seen.pending == () and [event.kind for event in seen.waits] == []
    assert seen.returned.values.tolist() == (2 * ONES).tolist()
