"""class FixedNet: computes what BrokenNet computes, before and after hybridize()."""

import numpy as np
import pytest
from networks import check_output, has_both_signs, perceptron

from syncpoint.graders import core, hint, misconception, saw, value, weight

FEATURES = 5
TOLERANCE = 5e-5  # float16 is found


@pytest.fixture
def inputs(rng):
    """Inputs of different scales and batch sizes; in the last, one of many examples is much larger than the others."""
    inputs = [rng.normal(size=(size, FEATURES)) * scale for size, scale in ((3, 1), (3, 5), (6, 0.3), (1, 1), (40, 1))]
    inputs[-1][rng.integers(20, 30)] *= 10
    return inputs


@pytest.fixture
def net(inputs):
    """The two layers in numpy; the largest entry is negative for one input at least, and positive for another.

    For one input all entries are small: code that divides only by what is above 1 is found.
    """

    def tells(net):
        all_outputs = [outputs(net, x) for x in inputs]
        return has_both_signs([extremes(y) for y in all_outputs]) and min(abs(y).max() for y in all_outputs) < 0.8

    return perceptron(FEATURES, 8, 3, where=tells)


def outputs(net, x):
    """What BrokenNet computes before it divides."""
    return net.layer(1, np.maximum(net.layer(0, x), 0) + 1)


def extremes(y):
    """The largest entry plus the smallest: below 0 if the one of largest absolute value is negative."""
    return y.max() + y.min()


def right(net, x):
    """What BrokenNet computes."""
    y = outputs(net, x)
    return y / abs(y).max()


@value
@weight(2)
@hint("Compare with BrokenNet: same weights, same x, same output. Look at the order of its lines, and at each number.")
@misconception("reads-the-task")
def test_values(passes, net, inputs):
    """Before hybridize(), FixedNet computes what BrokenNet computes."""
    for training in (False, True):
        for x, call in zip(inputs, passes("FixedNet", net.weights, inputs, False, training=training), strict=True):
            check_output(call["output"], right(net, x), TOLERANCE)


@core
@weight(3)
@hint("A Symbol does not support `+=`, `h[:] =` or asnumpy. And between two Symbols, `/` needs equal shapes.")
@misconception("symbol-is-an-array")
def test_values_after_hybridize(passes, net, inputs):
    """After hybridize(), FixedNet computes the same, for every input."""
    for x, call in zip(inputs, passes("FixedNet", net.weights, inputs, True), strict=True):
        check_output(call["output"], right(net, x), TOLERANCE)


@core
@weight(4)
@hint("A symbolic program runs without Python. Does your class switch hybridize() off, or call back into Python?")
@misconception("compiled-once")
def test_no_python_on_the_second_call(student, passes, net, inputs):
    """After hybridize(), the second call is one operation and runs none of your Python code."""
    second = passes("FixedNet", net.weights, inputs, True)[1]
    operations, functions = second["operations"], second["functions"]
    with saw(
        "Operations of the second call: {operations}; your Python functions that it ran: {functions}.",
        operations=len(operations),
        functions=len(functions),
    ):
        assert operations == ["CachedOp"] and functions == [], second
    with saw(
        "After hybridize(), the call waited for its input: something computes with numbers outside the operation."
    ):
        assert second["waited"] == [], second
    seen = student.observe("symbol_pass", network="FixedNet", weights=net.weights, x=inputs[0])
    with saw("Called with a Symbol, the network did not give a Symbol."):
        assert seen.get("symbol") is True, seen
    with saw("The program holds a custom operator, which calls Python."):
        assert "Custom" not in seen["operators"], seen


@hint("FixedNet keeps the two layers of BrokenNet, nn.Dense(8) and nn.Dense(3), and is a HybridBlock.")
@misconception("reads-the-task")
def test_layers(student, net, inputs):
    """FixedNet is a HybridBlock with the layers of BrokenNet."""
    seen = student.observe("passes", network="FixedNet", weights=net.weights, inputs=inputs, hybridized=False)
    with saw("FixedNet is not a HybridBlock."):
        assert seen["hybrid_block"], seen
    with saw("The layers are not those of BrokenNet."):
        assert sorted(seen["shapes"]) == sorted(values.shape for values in net.weights), seen
