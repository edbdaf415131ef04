"""replicated_init(net, ctx): equal replicas on all devices of ctx, drawn again by each call."""

import itertools

import numpy as np
import pytest

from syncpoint.graders import Device, core, hint, misconception, saw, value, weight

CALLS = [[1, 2], [3, 5, 1, 4, 2], [2], [2], [3, 1]]
SIGMA = 0.01


@pytest.fixture(scope="module")
def calls(student):
    """After each call on the same network: for each parameter [last word of its name, {device: values}]."""
    seen = student.observe("start_values", calls=[[Device(device) for device in devices] for devices in CALLS])
    return [
        [(name, {array.device: array.values for array in replicas}) for name, replicas in parameters]
        for parameters in seen["calls"]
    ]


def weights(parameters):
    """The weights of each layer in a row, from any replica."""
    rows = [next(iter(replicas.values())).ravel() for name, replicas in parameters if name == "weight" and replicas]
    with saw("No weight of the network has a replica."):
        assert rows
    return rows


@core
@weight(2)
@hint("Give initialize the whole list ctx. Does anything from the first call remain after the second one?")
@misconception("every-call-starts-anew")
def test_on_all_devices(calls):
    """Each call leaves a replica on every device of ctx and nowhere else."""
    for number, (devices, parameters) in enumerate(zip(CALLS, calls, strict=True), start=1):
        wrong = [name for name, replicas in parameters if sorted(replicas) != sorted(devices)]
        with saw(
            "Parameters on the wrong devices after call {number}: {wrong} of {total}.",
            number=number,
            wrong=len(wrong),
            total=len(parameters),
        ):
            assert not wrong


@core
@weight(2)
@hint("The values must be drawn once, and copied to all devices.")
@misconception("replicas-stay-equal")
def test_replicas_equal(calls):
    """All replicas are equal."""
    for _, replicas in (parameter for parameters in calls[:2] for parameter in parameters):
        with saw("With several devices, a parameter has only one replica."):
            assert len(replicas) > 1
        first, *others = replicas.values()
        for other in others:
            with saw("Replicas of the same parameter start with different values."):
                np.testing.assert_array_equal(other, first)


@value
@weight(2)
@hint("init.Normal(sigma=0.01) draws from the right distribution. Without it, Gluon uses another one.")
@misconception("reads-the-task")
def test_distribution(calls):
    """The weights are drawn from a normal distribution with mean 0 and standard deviation 0.01."""
    for parameters in calls:
        layers = weights(parameters)
        for layer in layers:
            with saw("The weights of a layer have standard deviation {std:.3f}.", std=layer.std()):
                assert 0.6 * SIGMA < layer.std() < 1.4 * SIGMA  # the smallest has 210
        drawn = np.concatenate(layers)
        # 13,710 of them: each bound is at least 6 standard deviations away.
        with saw(
            "The weights have mean {mean:.3f} and standard deviation {std:.3f}.", mean=drawn.mean(), std=drawn.std()
        ):
            assert abs(drawn.mean()) < 0.06 * SIGMA and abs(drawn.std() - SIGMA) < 0.05 * SIGMA
        assert 0.655 < np.mean(np.abs(drawn) < SIGMA) < 0.71
        # Of a normal distribution, 26 of them on the average; none is rarer than one run in 10^11.
        with saw("Large weights are missing, as if they were cut off."):
            assert np.abs(drawn).max() > 3.1 * SIGMA


@value
@hint("Only the weights are drawn. net.initialize leaves biases and batch norm their own start values.")
@misconception("reads-the-task")
def test_other_parameters(calls):
    """Biases and batch norm have their usual start values."""
    usual = {"bias": 0, "beta": 0, "mean": 0, "gamma": 1, "var": 1}
    for name, replicas in (parameter for parameters in calls for parameter in parameters):
        assert replicas, name
        if name in usual:
            assert all((values == usual[name]).all() for values in replicas.values()), name


@core
@weight(2)
@hint(
    "A network that is already initialized ignores a second initialize, unless you pass force_reinit=True. Do "
    "not set a fixed seed."
)
@misconception("every-call-starts-anew")
def test_starts_anew(calls):
    """A second call draws new weights."""
    drawn = [np.concatenate(weights(parameters)) for parameters in calls]
    assert len({values.shape for values in drawn}) == 1, "some weights have no replica"
    with saw("After another call, the network has weights of the previous call."):
        assert all(np.mean(before == after) < 0.01 for before, after in itertools.pairwise(drawn))
