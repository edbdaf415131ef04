"""class HybridNet: Dense(10), relu, Dense(2) in a hybrid_forward that takes NDArrays and Symbols."""

import pytest
from networks import check_output, has_both_signs, perceptron

from syncpoint.graders import core, hint, misconception, saw, value, weight

FEATURES = (3, 5, 6, 7)  # the visible check has 4: a layer made for these fits no other input


@pytest.fixture
def inputs(rng):
    """Inputs of several batch sizes; the numbers of one are large."""
    features, large = rng.choice(FEATURES), rng.integers(100, 200)
    sizes = (2, 20), (2, 20), (4, 20), (1, 20_000), (large, 20)
    return [rng.normal(size=(size, features)) * scale for size, scale in sizes]


@pytest.fixture
def net(inputs):
    """The network in numpy; relu would change its output."""
    return perceptron(inputs[0].shape[1], 10, 2, where=lambda net: all(has_both_signs(net(x)) for x in inputs))


@hint("HybridNet is a subclass of nn.HybridBlock with two layers: nn.Dense(10) and nn.Dense(2).")
@misconception("reads-the-task")
def test_layers(student, net, inputs):
    """HybridNet is a HybridBlock with two dense layers, of 10 and 2 outputs."""
    seen = student.observe("passes", network="HybridNet", weights=net.weights, inputs=inputs, hybridized=False)
    with saw("HybridNet is not a HybridBlock."):
        assert seen["hybrid_block"], seen
    assert sorted(seen["shapes"]) == sorted(values.shape for values in net.weights), seen


@core
@weight(2)
@hint("The method is called hybrid_forward and takes self, F and x. A method forward would replace it.")
@misconception("compiled-once")
def test_hybrid_forward(passes, net, inputs):
    """HybridNet computes in its own hybrid_forward."""
    for call in passes("HybridNet", net.weights, inputs, False):
        with saw("A call of the network ran no hybrid_forward."):
            assert "hybrid_forward" in call["functions"], call["functions"]


@value
@weight(2)
@hint("The output is that of the second layer. Where does relu belong?")
@misconception("reads-the-task")
def test_values(passes, net, inputs):
    """Before hybridize(), HybridNet computes the right values."""
    for training in (False, True):
        for x, call in zip(inputs, passes("HybridNet", net.weights, inputs, False, training=training), strict=True):
            check_output(call["output"], net(x))


@value
@weight(3)
@hint("After hybridize(), hybrid_forward gets Symbols: they have no numbers and no shape. Use F where you used nd.")
@misconception("symbol-is-an-array")
def test_values_after_hybridize(passes, net, inputs):
    """After hybridize(), HybridNet computes the same values, even for other batch sizes."""
    for x, call in zip(inputs, passes("HybridNet", net.weights, inputs, True), strict=True):
        check_output(call["output"], net(x))


@core
@weight(5)
@hint("A hybridized network does not run hybrid_forward again. Does your class get in the way of hybridize()?")
@misconception("compiled-once")
def test_one_operation_when_hybridized(passes, net, inputs):
    """After hybridize(), the second call is one operation."""
    second = passes("HybridNet", net.weights, inputs, True)[1]
    with saw("After hybridize(), the second call was {count} operations.", count=len(second["operations"])):
        assert second["operations"] == ["CachedOp"], second
    with saw(
        "After hybridize(), the call waited for its input: something computes with numbers outside the operation."
    ):
        assert second["waited"] == [], second


@weight(2)
@hint("net(x) with x = sym.var('data') must give a Symbol. Which call in hybrid_forward is only for NDArrays?")
@misconception("symbol-is-an-array")
def test_symbol(student, net, inputs):
    """Called with a Symbol, HybridNet gives a Symbol that computes the same."""
    seen = student.observe("symbol_pass", network="HybridNet", weights=net.weights, x=inputs[0])
    with saw("Called with a Symbol, the network did not give a Symbol."):
        assert seen.get("symbol") is True, seen
    check_output(seen["output"], net(inputs[0]))


@core
@weight(3)
@hint("A Symbol has no numbers, so nothing in hybrid_forward may ask for them: no asnumpy, not for an NDArray either.")
@misconception("symbol-is-an-array")
def test_asks_for_no_numbers(student, net, inputs):
    """Before hybridize(), HybridNet enqueues its work and waits for no numbers."""
    seen = student.observe("pending_pass", network="HybridNet", weights=net.weights, x=inputs[0])
    with saw("Something in the network waited for the numbers of its input, or raised an error."):
        assert seen.get("waited") == [] and seen["error"] is None, seen
