"""zero1(params, lr): Adam, with its state divided among the ranks."""

import numpy as np
import pytest
from devices import Devices
from passes import adam

from syncpoint.graders import EngineArray, array, core, hint, joined, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay

LR = 0.05
NUMBER = 4  # bytes
CLOSE = 2e-6  # some roundings of float32; a state of 16 bits is some 1e-5 off


@pytest.fixture(scope="module")
def train(student):
    """``train(size, steps, count)``: this many ranks, steps and parameters, with drawn gradients that all ranks have.

    Those of one parameter are so small that Adam's eps counts.
    """
    rng = np.random.default_rng()

    def drawn(shapes):
        found = [rng.normal(size=shape).astype("float32") for shape in shapes]
        found[1] *= np.float32(1e-8)
        return found

    def call(size, steps, count):
        shapes = [(int(rng.integers(10, 12)), 10) for _ in range(count)]  # each of one block of the allocator's
        weights = [rng.normal(size=shape).astype("float32") for shape in shapes]
        gradients = [drawn(shapes) for _ in range(steps)]
        ranks = range(1, size + 1)
        found = student.results_gated.observe(
            "zero1",
            weights=[[array(one, device=device) for one in weights] for device in ranks],
            gradients=[[[array(one, device=device) for one in step] for device in ranks] for step in gradients],
            lr=LR,
        )
        params = [found["params"][rank * count : (rank + 1) * count] for rank in range(size)]
        right = adam(weights, gradients, LR)
        others = [rng.normal(size=shape).astype("float32") for shape in shapes]
        steps_again = [drawn(shapes) for _ in gradients]
        values = [*others * size, *(one for step in steps_again for one in step * size)]
        again = student.replay(found, dict(enumerate(values, 1)))
        more = {"again": again, "right_again": adam(others, steps_again, LR)}
        return {**found, "params": params, "right": right, "size": size, "log": Devices.of(found), **more}

    return call


@pytest.fixture(scope="module")
def seen(train):
    """Three steps of four ranks; the number of parameters is one less than a multiple of that of the ranks."""
    return train(4, 3, count=7)


def check_parameters(seen):
    """Fail unless each rank has the parameters of one Adam."""
    seen["log"].check_no_race()
    every = [one for mine in seen["params"] for one in mine]
    _check_parameters({"params": every}, seen["size"], seen["right"])
    seen["again"].check(_check_parameters, seen["size"], seen["right_again"])


def _check_parameters(seen, size, right):
    count = len(right)
    wrong = sum(
        not all(
            isinstance(one, EngineArray) and np.allclose(one.values, wanted, rtol=CLOSE, atol=CLOSE)
            for one, wanted in zip(seen["params"][rank * count : (rank + 1) * count], right, strict=True)
        )
        for rank in range(size)
    )
    with saw(
        "Ranks whose parameters are not those that an unsharded Adam gives: {wrong} of {size}.", wrong=wrong, size=size
    ):
        assert not wrong


@core
@weight(2)
@hint(
    "Adam needs two more numbers for each number of the parameters that it updates. Which ones does this rank update? "
    "And what comes from other ranks is written into the memory of the parameters."
)
@misconception("one-owner-each")
def test_share(seen):
    """After some steps, each rank keeps no more than half of the state of an unsharded Adam."""
    blocks = [512 * -(-one.size * NUMBER // 512) for one in seen["right"]]
    whole = 2 * sum(blocks)
    saved = [seen["memory"][rank + 1].made for rank in range(seen["size"])]
    shares = joined((f"{100 * one / whole:.0f}%" for one in saved), commas=True)
    with saw("The ranks kept {shares} of what Adam keeps for all parameters.", shares=shares):
        assert max(saved) <= whole / 2


@core
@weight(2)
@hint("Only its owner updates a parameter. Then the owner sends it: broadcast, from that rank, or all-gather.")
@misconception("one-owner-each")
def test_like_one_adam(seen):
    """After each step, all ranks have the parameters that an unsharded Adam gives."""
    check_parameters(seen)


@core
@hint("If you send with async_op=True, let the stream wait for every handle before step returns.")
@misconception("collective-has-happened")
def test_no_race(seen):
    """The next forward pass does not use a parameter before its new values have arrived."""
    seen["log"].check_no_race()


@core
@hint("The host need not wait for the update or for a collective, and the state belongs on the device.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing, and no numbers go through its memory."""
    seen["log"].check_no_wait()
    seen["log"].check_not_by_the_host()


@value
@hint("dist.get_world_size() says how many ranks there are; their number need not divide that of the parameters.")
@misconception("reads-the-task")
def test_three_ranks(train):
    """The updates are right for three ranks, and for more steps."""
    check_parameters(train(3, 9, count=4))


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(seen):
    """The list of parameters stays as it is."""
    seen["log"].check_works()
    check_containers_stay(seen["containers_changed"])
