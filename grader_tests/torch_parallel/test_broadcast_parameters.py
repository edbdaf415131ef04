"""broadcast_parameters(params, devices): a replica of the parameters on each device."""

import numpy as np
import pytest
from devices import Devices

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, weight
from syncpoint.graders.unchanged import check_containers_stay


def twice(values):
    """An array whose second half are these values."""
    return np.stack([-2 * values, values])


@pytest.fixture(scope="module")
def call(student):
    """``call(place)``: a call with drawn parameters, which had other values in an earlier one.

    Their device is at that place among those asked for.

    ``inside``: whether it is one of these.  With what a backward pass on each replica has given.
    """
    rng = np.random.default_rng()
    # As many as devices: lists of the parameters have the right lengths.  They are in no order of their sizes.
    shapes = [(int(rng.integers(2, 6)), 3), (3,), (5, 4), (3,)]
    order = [int(number) for number in rng.permutation([1, 2, 3, 4])]  # the same in each call

    def called(place, inside=True):
        params = [rng.normal(size=shape) for shape in shapes]  # float64: torch.empty chooses another type
        gradients = [rng.normal(size=shape) for shape in shapes]
        home, targets = order[place], [number for number in order if inside or number != order[place]]
        found = student.results_gated.observe(
            "broadcast_parameters",
            params=[array(twice(one), device=home, dtype="float64") for one in params],
            gradients=[array(one, device=home, dtype="float64") for one in gradients],
            devices=targets,
        )
        others = [rng.normal(size=shape) for shape in shapes]
        more = {"log": Devices.of(found), "again": student.replay(found, dict(enumerate(map(twice, others), 1)))}
        params, others = ([-one for one in drawn] for drawn in (params, others))  # what they are in the second call
        return {**found, "params": params, "others": others, "gradients": gradients, "targets": targets, **more}

    return called


@pytest.fixture(scope="module")
def seen(call):
    """The parameters are on the last of four devices."""
    return call(3)


@pytest.fixture(scope="module")
def first(call):
    """They are on the first one."""
    return call(0)


@pytest.fixture(scope="module")
def outside(call):
    """They are on another device."""
    return call(1, inside=False)


def replicas(seen):
    """The replicas, each a list of arrays; fails unless there is one for each device, with all parameters."""
    with saw(
        "For {devices} devices and {params} parameters there were {lengths}.",
        devices=len(seen["targets"]),
        params=len(seen["params"]),
        lengths=seen["lengths"],
    ):
        assert seen["lengths"] == [len(seen["params"])] * len(seen["targets"])
    count = len(seen["params"])
    found = [seen["replicas"][place : place + count] for place in range(0, len(seen["replicas"]), count)]
    with saw("Not all elements of the replicas are PyTorch tensors."):
        assert all(isinstance(one, EngineArray) for replica in found for one in replica)
    return found


def sharing(seen):
    """How many pairs of replicas, or of a replica and the parameters, share memory."""
    given, made = set(range(1, len(seen["params"]) + 1)), replicas(seen)
    count = len(seen["params"])
    # As they were returned: a hook may move a parameter as soon as there is a backward pass.
    begun = [seen["begun"][place : place + count] for place in range(0, len(seen["begun"]), count)]
    shared = 0
    for saved in (begun, made):
        used = [given, *({one.number for one in replica} for replica in saved)]
        shared = max(shared, sum(bool(one & other) for place, one in enumerate(used) for other in used[:place]))
    return shared


@core
@weight(2)
@hint("One list for each device, in the order of devices; each with all parameters, in their order.")
@misconception("replicas-stay-equal")
def test_values(seen, first, outside):
    """Each replica is a list with the values of the parameters, on its device, in each call."""
    for one in (seen, first, outside):
        check_values(one)
    with saw("Replicas that are not lists: {unlike} of {total}.", unlike=seen["unlike"], total=len(seen["targets"])):
        assert not seen["unlike"]


def check_values(seen):
    """Fail unless each replica holds the values of the parameters, on its device."""
    for replica, device in zip(replicas(seen), seen["targets"], strict=True):
        places = sorted({one.device for one in replica})
        with saw("The parameters of one replica are on {count} devices.", count=len(places)):
            assert len(places) == 1
        with saw("A replica is on another device than the one that it is for."):
            assert places == [device]
    check_replicas(seen, seen)
    other = {**seen, "params": seen["others"]}
    seen["again"].check(check_replicas, other)


def check_replicas(seen, given):
    """Fail unless each replica holds the values of the parameters that were given."""
    for replica in replicas({**given, "replicas": seen["replicas"]}):
        with saw("A replica has another type than the parameters."):
            assert all(one.values.dtype == right.dtype for one, right in zip(replica, given["params"], strict=True))
        with saw("A replica does not hold the values of the parameters."):
            for one, right in zip(replica, given["params"], strict=True):
                np.testing.assert_allclose(one.values, right, rtol=1e-5, atol=1e-6)


@core
@hint("p.to(d) gives p itself if p is on d already: copy=True, or clone(), makes a tensor with memory of its own.")
@misconception("as-in-context")
def test_own_memory(seen, first):
    """Each replica has memory of its own, also on the device of the parameters."""
    shared = max(sharing(seen), sharing(first))
    with saw("Pairs of replicas (or of a replica and the parameters) that share memory: {shared}.", shared=shared):
        assert not shared


def is_same(before, after):
    """Whether both are None, or arrays of the same numbers."""
    before, after = (one.values if isinstance(one, EngineArray) else one for one in (before, after))
    return before is after or (before is not None and after is not None and np.array_equal(before, after))


@core
@hint("p.to(d) of a parameter is the result of an operation: its gradient goes to p. detach() first, then ask for one.")
@misconception("replicas-stay-equal")
def test_leaves(seen):
    """Each parameter of a replica is a leaf that gets a gradient of its own."""
    bare = sum(one.gradient is None for replica in replicas(seen) for one in replica)
    with saw("Parameters of the replicas without a gradient of their own after a backward pass: {bare}.", bare=bare):
        assert not bare
    changed = [before for before, after in zip(seen["kept"], seen["after"], strict=True) if not is_same(before, after)]
    with saw("A backward pass on each replica has changed the gradients of the parameters that you were given."):
        assert not changed


@core
@hint("A copy to another device is enqueued. cpu(), item() and print wait, and numbers need not go through the host.")
@misconception("host-orders-streams")
def test_no_wait(seen, outside):
    """The host waits for nothing, and nothing goes through its memory."""
    replicas(seen)
    for one in (seen, outside):
        one["log"].check_no_wait()
        one["log"].check_not_by_the_host()


@hint("A new replica has no gradient yet, and the parameters stay what they are.")
@misconception("reads-the-task")
def test_originals(seen):
    """The parameters that were given stay as they are, and replicas begin without a gradient."""
    with saw("There were no replicas."):
        assert seen["lengths"]
    with saw("The parameters that you were given have changed."):
        for one, right in zip(seen["originals"], seen["params"], strict=True):
            np.testing.assert_array_equal(one.values, right)
    with saw("The gradients of the parameters that you were given have changed."):
        assert all(map(is_same, seen["gradients"], seen["kept"]))
    with saw(
        "Parameters given to you that still ask for a gradient: {asking} of {params}.",
        asking=seen["asking"],
        params=len(seen["params"]),
    ):
        assert seen["asking"] == len(seen["params"])
    with saw("Some parameters of the replicas had a gradient from the beginning."):
        assert not seen["early"]


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(seen):
    """The lists of parameters and devices stay as they are."""
    replicas(seen)
    check_containers_stay(seen["containers_changed"])
