"""get_net(): a HybridSequential of dense layers, 256 - 128 - 2."""

import statistics

import numpy as np
import pytest
from networks import check_output, has_both_signs, perceptron

from syncpoint.graders import core, hint, misconception, saw, value, weight

FEATURES = 512
# Layers that change none of the numbers here, or only in training.
OTHER_LAYERS = {"Dropout", "Flatten", "Identity"}


@pytest.fixture
def inputs(rng):
    """Inputs of different batch sizes; the numbers of one are large."""
    return [rng.normal(size=(size, FEATURES)) * scale for size, scale in ((1, 20), (3, 20), (2, 20_000))]


@pytest.fixture
def net(inputs):
    """The network in numpy; relu would change its output."""
    return perceptron(FEATURES, 256, 128, 2, where=lambda net: has_both_signs(net(inputs[1])))


def look(student, net, inputs):
    """What kind of network get_net makes, and of which layers."""
    return student.observe("passes", network="get_net", weights=net.weights, inputs=inputs, hybridized=False)


@core
@hint("get_net must return an instance of nn.HybridSequential; nn.Sequential is another class.")
@misconception("compiled-once")
def test_is_hybrid_sequential(student, net, inputs):
    """get_net returns a HybridSequential."""
    assert look(student, net, inputs)["hybrid_sequential"]


@weight(2)
@hint("There are three layers nn.Dense with 256, 128 and 2 outputs, in this order. All of them, and nothing else?")
@misconception("reads-the-task")
def test_layers(student, net, inputs):
    """The network has dense layers with 256, 128 and 2 outputs, and no others."""
    seen = look(student, net, inputs)
    assert sorted(seen["shapes"]) == sorted(values.shape for values in net.weights), seen
    others = OTHER_LAYERS & set(student.observe("layers", network="get_net")["layers"])
    with saw(
        "The network has layers that are neither dense layers nor activations: {others}.",
        others=", ".join(sorted(others)),
    ):
        assert not others


@value
@weight(2)
@hint("Which layers have relu as their activation, and which has none?")
@misconception("reads-the-task")
def test_values(passes, net, inputs):
    """The network computes what these layers compute, with relu after the first two."""
    for x, call in zip(inputs, passes("get_net", net.weights, inputs, False), strict=True):
        check_output(call["output"], net(x))


@value
@weight(2)
@hint("A network may do more while it is trained. Is there another layer in addition to the dense ones and relu?")
@misconception("reads-the-task")
def test_values_in_training(passes, net, inputs):
    """In training mode, the network computes the same."""
    for x, call in zip(inputs, passes("get_net", net.weights, inputs, False, training=True), strict=True):
        check_output(call["output"], net(x))


@core
@hint("Make the network and its layers inside of get_net, so that each call makes new ones.")
@misconception("every-call-starts-anew")
def test_new_network_each_time(student):
    """Each call of get_net makes a new network."""
    seen = student.observe("several_networks", network="get_net", count=4)
    with saw("Different networks that four calls made: {networks}.", networks=seen["networks"]):
        assert seen["networks"] == 4, seen
    with saw("The networks of several calls share some of their parameters."):
        assert seen["different"] == sum(seen["parameters"]), seen


@hint("Leave hybridize() to the caller: we want to compare the network before and after it.")
@misconception("reads-the-task")
def test_not_hybridized(passes, net, inputs):
    """The network of get_net is not hybridized yet."""
    for call in passes("get_net", net.weights, inputs, False):
        with saw(
            "Operations of a call: {count}. The network is hybridized, or has too few layers.",
            count=len(call["operations"]),
        ):
            assert len(call["operations"]) >= 3 and "CachedOp" not in call["operations"], call["operations"]


@core
@weight(2)
@hint("After net.hybridize(), the whole network must become one operation: a HybridSequential with Dense layers does.")
@misconception("compiled-once")
def test_one_operation_when_hybridized(passes, net, inputs):
    """After hybridize(), the network gives the same values as before, and its second call is one operation."""
    before = passes("get_net", net.weights, inputs, False)
    calls = passes("get_net", net.weights, inputs, True)
    for old, new in zip(before, calls, strict=True):
        # Whether these are the right ones is the business of other tests.
        check_output(new["output"], np.asarray(old["output"]))
    second = calls[1]
    with saw("After hybridize(), the second call was {count} operations.", count=len(second["operations"])):
        assert second["operations"] == ["CachedOp"], second["operations"]
    with saw(
        "After hybridize(), the call waited for its input: something computes with numbers outside the operation."
    ):
        assert second["waited"] == [], second


@hint("After net.hybridize(), Python must have much less to do for one call. Is the network hybridized before?")
@misconception("compiled-once")
def test_front_end_time(student, inputs):
    """After hybridize(), the front end spends less of its own time on a call."""
    seen = student.observe("front_end", network="get_net", x=inputs[0], pairs=15, passes=40)
    assert seen["hybrid_sequential"]
    ratios = [before / after for before, after in seen["seconds"]]
    with saw(
        "Before hybridize(), a call took the front end {times:.1f} times as long as after.",
        times=statistics.median(ratios),
    ):
        assert statistics.median(ratios) >= 1.3, ratios
