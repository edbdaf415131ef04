"""Several devices: placement, gradients, what an operation reads and writes, and mixing that only the log shows."""

import numpy as np
import pytest

from syncpoint.graders import Device, Opaque, array
from syncpoint.observe.errors import StudentError

ONES = np.ones((4, 4), dtype=np.float32)

MIXES = {
    "a sum": "a + b",
    "in place": "a.__iadd__(b)",
    "a product": "nd.dot(a, b)",
    "add_n": "nd.add_n(a, b)",
    "into the other's array": "nd.add_n(a, a, out=b)",
    "concat": "nd.concat(a, b, dim=0)",
    "a head gradient of the other": "backward_from(a, b)",
    "a gradient buffer of the other": "mark(a, b)",
}
KEEPS_APART = {
    "a copy first": "a + b.copyto(a.context)",
    "as_in_context first": "a + b.as_in_context(a.context)",
    "a slice assignment of a whole": "a.__setitem__(slice(None), b)",
    "a copy into": "a.copyto(b)",
    "each for itself": "(a + 1, b + 1)",
    "the key-value store": "kvstore(a, b)",
    "one backward for both": "backward(a, b)",
}
HELPERS = """
import mxnet as mx
from mxnet import nd

def kvstore(a, b):
    store = mx.kv.create("local")
    store.init(0, nd.zeros(a.shape))
    store.push(0, [a, b])
    store.pull(0, out=[a, b])


def backward(a, b):
    from mxnet import autograd

    a.attach_grad()
    b.attach_grad()
    with autograd.record():
        heads = [(a * a).sum(), (b * b).sum()]
    autograd.backward(heads)


def backward_from(a, head_gradient):
    from mxnet import autograd

    a.attach_grad()
    with autograd.record():
        head = a * a
    head.backward(head_gradient)


def mark(a, gradient):
    from mxnet import autograd

    autograd.mark_variables([a], [gradient])


def f(a, b):
    return EXPRESSION
"""


def call(student_of, expression, **gated):
    student = student_of(HELPERS.replace("EXPRESSION", expression))
    return student.call("f", array(ONES, device=1, **gated), array(ONES, device=2))


@pytest.mark.parametrize("name", MIXES)
def test_an_operation_on_two_devices_is_seen(student_of, name):
    assert len(call(student_of, MIXES[name]).mixing) == 1


@pytest.mark.parametrize("name", KEEPS_APART)
def test_what_is_right_on_gpus_mixes_nothing(student_of, name):
    assert call(student_of, KEEPS_APART[name]).mixing == ()


def test_the_log_names_the_devices_of_an_operation(student_of):
    seen = call(student_of, "(nd.dot(a, a), b.copyto(mx.cpu(3)), nd.ones((1,), ctx=mx.cpu(2)))")
    assert [(event.reads, event.writes) for event in seen.events] == [((1,), (1,)), ((2,), (3,)), ((), (2,))]


def test_the_log_tells_how_many_elements_the_arrays_of_an_operation_have(student_of):
    seen = call(student_of, "(nd.dot(a[:2], b.copyto(a.context)), a.reshape((-1,))[:1] + 1, nd.ones((2, 3)), a.sum())")
    assert [(event.input_sizes, event.output_sizes) for event in seen.events] == [
        ((16,), (16,)), ((8, 16), (8,)), ((1,), (1,)), ((), (6,)), ((16,), (1,)),
    ]  # fmt: skip
    assert [event.handles(16) for event in seen.events] == [True, True, False, False, True]


@pytest.mark.parametrize("mode", ["call", "gated"])
def test_an_operation_that_leaves_nothing_is_no_error(student_of, mode):
    student = student_of(HELPERS.replace("EXPRESSION", "nd.contrib.boolean_mask(a[0], a[0] > 1) is None"))
    student = student.results_gated if mode == "gated" else student
    seen = student.call("f", array(ONES, device=1), array(ONES, device=2))
    assert seen.returned is False and seen.error is None
    assert not [event for event in seen.events if event.kind == "timeout_open"]


def test_a_hybridized_network_has_its_devices_in_the_log(student_of):
    student = student_of(
        "import mxnet as mx\nfrom mxnet import nd\n"
        "net = mx.gluon.nn.Dense(2, in_units=4)\n"
        "net.initialize(ctx=[mx.cpu(1), mx.cpu(2)])\n"
        "net.hybridize()\n"
        "def f(a): return net(a)"
    )
    event = student.call("f", array(ONES, device=2)).events[-1]
    assert (event.label, event.reads, event.writes) == ("CachedOp", (2,), (2,))


def test_backward_is_logged_for_each_head_with_its_device(student_of):
    events = [event for event in call(student_of, "backward(a, b)").events if event.label == "backward"]
    assert [event.writes for event in events] == [(1,), (2,)]


def test_contexts_cross_both_ways(student_of):
    seen = student_of("def f(ctx): return [str(c) for c in ctx], ctx").call("f", [Device(0), Device(1), Device(5)])
    assert seen.returned == (["cpu(0)", "cpu(1)", "cpu(5)"], [Device(0), Device(1), Device(5)])


def test_gradient_buffers_cross_both_ways(student_of):
    student = student_of("def f(x):\n    x.grad[:] += 1\n    return x * 2")
    seen = student.call("f", array(ONES, device=1, gradient=3))
    assert np.array_equal(seen.inputs[0].gradient, 4 * ONES)
    assert seen.returned.gradient is None


def test_inputs_are_the_arrays_themselves_and_arguments_what_the_list_holds(student_of):
    student = student_of("def f(data): data[0] = data[0] + 1")
    seen = student.call("f", [array(ONES)])
    assert np.array_equal(seen.arguments[0][0], 2 * ONES)
    assert np.array_equal(seen.inputs[0], ONES)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
def test_an_array_keeps_the_type_it_was_given(student_of, dtype):
    seen = student_of("def f(x): return x").call("f", array(ONES, dtype=dtype))
    assert seen.returned.values.dtype == dtype


@pytest.mark.parametrize("expression", ["a.copyto(b)", "kvstore(a, b)", "backward(a, b)"])
def test_work_between_devices_does_not_wait(student_of, expression):
    assert call(student_of, expression, gated=True).pending == ("argument 0",)


def test_a_wait_on_one_device_opens_nothing_on_the_other(student_of):
    student = student_of("def f(a, b):\n    x, y = a + 1, b + 1\n    x.wait_to_read()\n    return x, y")
    seen = student.results_gated.call("f", array(ONES, device=1), array(ONES, device=2))
    assert len(seen.pending) == 1


def test_a_chain_over_three_devices_is_followed_to_its_end(student_of):
    student = student_of(
        "import mxnet as mx\nfrom mxnet import nd\n"
        "def f(x):\n"
        "    for step in range(30):\n"
        "        x = x.copyto(mx.cpu(step % 3)) + 1\n"
        "    x.wait_to_read()\n"
        "    return x"
    )
    seen = student.beside_unrelated_work.call("f", array(ONES, gated=True))
    assert seen.ready and seen.pending == ("unrelated",)
    assert np.array_equal(seen.returned, 31 * ONES)


@pytest.mark.exhaustive
def test_a_full_log_is_an_error_of_the_student(student_of):
    student = student_of("from mxnet import nd\n\n\ndef f(x):\n    for _ in range(21_000):\n        nd.relu(x, out=x)")
    with pytest.raises(StudentError, match="more than 20000 operations"):
        student.call("f", array(ONES))


MEMORY = """
import ctypes, mxnet, numpy

library = ctypes.CDLL(mxnet.libinfo.find_lib_path()[0])


def f(x):
    pointer = ctypes.c_void_p()
    library.MXNDArrayGetData(x.handle, ctypes.byref(pointer))
    numbers = (ctypes.c_char * (x.size * numpy.dtype(x.dtype).itemsize)).from_address(pointer.value)
    return numpy.frombuffer(bytes(numbers), x.dtype).reshape(x.shape), x + 0
"""


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "int8", "uint8"])
def test_the_memory_of_a_pending_array_holds_others_of_its_kind(student_of, rng, dtype):
    values = rng.integers(0, 100, size=(20, 20)) if dtype[-2:] == "t8" else rng.normal(50, 20, size=(20, 20))
    values = values.astype(dtype)
    stolen, right = student_of(MEMORY).call("f", array(values, gated=True, dtype=dtype)).returned
    assert np.array_equal(right, values)
    assert stolen.dtype == values.dtype and (stolen == values).mean() < 0.2
    assert values.min() <= stolen.min() < stolen.max() <= values.max()
    assert len(np.unique(stolen)) > 50


def test_the_memory_of_pending_pictures_holds_pictures(student_of, rng):
    values = rng.integers(0, 3, size=(200, 1, 4, 4)).repeat(7, axis=2).repeat(7, axis=3).astype(np.float32) / 2
    values[::9] = 0.5
    stolen, right = student_of(MEMORY).call("f", array(values, gated=True)).returned
    assert np.array_equal(right, values) and (stolen != values).any(axis=(1, 2, 3)).all()
    assert np.array_equal(stolen[..., 1:] == stolen[..., :-1], values[..., 1:] == values[..., :-1])
    assert set(np.unique(stolen)) <= {0, 0.5, 1}


BUSY_OPERATOR = """
import time
import mxnet as mx
from mxnet import nd


class Busy(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        end = time.thread_time() + 0.06
        while time.thread_time() < end:
            pass
        self.assign(out_data[0], req[0], in_data[0])


@mx.operator.register("busy")
class Properties(mx.operator.CustomOpProp):
    def create_operator(self, context, shapes, types):
        return Busy()


def f(x):
    y = nd.Custom(x, op_type="busy")
    y.wait_to_read()
    return y
"""


def test_an_operator_written_in_python_is_waited_for_as_long_as_it_runs(student_of):
    seen = student_of(BUSY_OPERATOR).beside_unrelated_work.results_gated.call("f", array(ONES))
    assert seen.ready and seen.pending == ("unrelated",)


@pytest.mark.parametrize("key", ["3", "'three'"])
@pytest.mark.parametrize(
    ("call", "events"),
    [
        ("push(KEY, [a, b])", [("MXKVStorePush", (1, 2), ())]),
        ("pull(KEY, [a, b])", [("MXKVStorePullWithSparse", (), (1, 2))]),
        ("pushpull(KEY, [a, b], out=[a, b])", [("MXKVStorePushPull", (1, 2), (1, 2))]),
        ("broadcast(2 * KEY, a, [a, b])", [("MXKVStoreBroadcast", (1,), (1, 2))]),  # it makes its key
    ],
)
def test_the_key_value_store_is_in_the_log(student_of, call, events, key):
    prepared = f"store = mx.kv.create('local')\nstore.init({key}, nd.zeros((4, 4)))\n"
    student = student_of(HELPERS.replace("EXPRESSION", "store." + call.replace("KEY", key)) + prepared)
    seen = student.call("f", array(ONES, device=1), array(ONES, device=2))
    assert [(event.label, event.reads, event.writes) for event in seen.events] == events
    assert seen.mixing == ()


def test_a_trainer_asks_the_key_value_store(student_of):
    student = student_of(
        HELPERS + "net = mx.gluon.nn.Dense(1, in_units=4)\nnet.initialize(ctx=[mx.cpu(1), mx.cpu(2)])\n"
        "trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', update_on_kvstore=False)\n\n\n"
        "def f(a, b):\n    with mx.autograd.record():\n        losses = [net(a), net(b)]\n"
        "    mx.autograd.backward(losses)\n    trainer.step(8)"
    )
    seen = student.call("f", array(ONES, device=1), array(ONES, device=2))
    store = [event for event in seen.events if event.label in ("MXKVStorePush", "MXKVStorePushPull")]
    assert {event.reads for event in store} == {(1, 2)}


@pytest.mark.parametrize("other", ["OTHER.copyto(mx.cpu(2))", "nd.array(OTHER.asnumpy(), ctx=mx.cpu(1))"])
def test_what_an_operator_written_in_python_mixes_is_seen(student_of, other):
    student = student_of(
        HELPERS + "class Sum(mx.operator.CustomOp):\n"
        "    def forward(self, is_train, req, in_data, out_data, aux):\n"
        f"        out_data[0][:] = in_data[0] + {other}\n\n\n"
        "@mx.operator.register('mixing_sum')\nclass Properties(mx.operator.CustomOpProp):\n"
        "    def create_operator(self, *_): return Sum()\n\n\n"
        "def f(a, b):\n    global OTHER\n    OTHER = b\n    return nd.Custom(a, op_type='mixing_sum')"
    )
    seen = student.call("f", array(ONES, device=1), array(ONES, device=2))
    assert {event.kind for event in seen.mixing} == {"inside"}


BFLOAT16 = "import numpy\nx = x.astype(numpy.dtype([('bfloat16', numpy.uint16)]))"
SUBCLASS = "class Lies(nd.NDArray): __slots__ = []\nx.__class__ = Lies"


@pytest.mark.parametrize("source", [BFLOAT16, SUBCLASS])
def test_an_array_of_another_kind_does_not_cross(student_of, source):
    lines = "\n".join(f"    {line}" for line in source.splitlines())
    student = student_of(f"from mxnet import nd\n\n\ndef f(x):\n{lines}\n    return x")
    assert isinstance(student.call("f", array(ONES)).returned, Opaque)
