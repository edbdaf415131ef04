"""queue_work(x) only puts work into the queue of the device."""

import numpy as np
import pytest
from tensors import check_input_stays, check_on_device, is_on_device, kind

from syncpoint.graders import EngineArray, array, core, hint, is_number, misconception, saw, value, weight
from syncpoint.graders.device_log import DeviceLog

MATRICES = (5, "float32"), (1, "float32"), (120, "float64"), (5, "float32")  # of some calls in a row


@pytest.fixture(scope="module")
def behind(student):
    """Some calls with matrices that are not computed yet: their log, and what was returned."""
    rng = np.random.default_rng()
    xs = [array(rng.normal(size=(size, size)), device=1, dtype=dtype) for size, dtype in MATRICES]
    seen = student.results_gated.observe("read_behind", function="queue_work", xs=xs, arguments=[])
    return DeviceLog.of(seen), seen["returned"]


def check_sum(seen, x):
    """Fail unless the call returned the sum of x @ x, wherever it is: that it is on the device is for other tests."""
    with saw("queue_work returned {kind}.", kind=kind(seen.returned)):
        assert is_number(seen.returned) or isinstance(seen.returned, EngineArray)
    told = seen.returned.values if isinstance(seen.returned, EngineArray) else seen.returned
    with saw("What queue_work returned has {size} elements.", size=np.size(told)):
        assert np.size(told) == 1
    # Each term is rounded, so the error grows with the size of the terms and not with that of their sum.
    rounding = 1e-10 if x.dtype == np.float64 else 1e-4
    largest = rounding * (abs(np.nan_to_num(x)) @ abs(np.nan_to_num(x))).sum()
    np.testing.assert_allclose(np.ravel(told)[0], (x @ x).sum(), atol=largest, rtol=rounding)


@value
@weight(2)
@hint("The result is the sum of all elements of the matrix product of x with itself: x @ x, then sum.")
@misconception("reads-the-task")
def test_value(student, rng, behind):
    """queue_work returns the sum of the product of x with itself, in a new tensor each time."""
    for size, dtype in ((1, "float32"), (3, "float64"), (int(rng.integers(33, 70)), "float32")):
        x = rng.normal(size=(size, size)).astype(dtype)
        seen = student.call("queue_work", array(x, device=1, dtype=dtype))
        check_sum(seen, x)
        check_input_stays("queue_work", seen, x)
        if dtype == "float32":  # a number of float64 that the host has rounded is unknown to the device
            other = rng.normal(size=(size, size)).astype(dtype)
            student.replay(seen, {1: other}).check(check_sum, other)
    x = rng.normal(size=(3, 3)).astype("float32")
    x[rng.integers(3), rng.integers(3)] = np.nan
    check_sum(student.call("queue_work", array(x, device=1)), x)
    results = [result.number for result in behind[1] if is_on_device(result)]
    with saw("queue_work returned the same tensor in several calls."):
        assert len(set(results)) == len(results)


@core
@weight(4)
@hint(
    "Something in queue_work makes the host wait. Is it item, cpu, tolist, print, float or synchronize? A tensor "
    "in an if or in an f-string also makes the host wait, and so does a copy to the device from ordinary "
    "memory."
)
@misconception("asks-for-a-number")
def test_does_not_wait(behind):
    """queue_work waits for nothing."""
    log, _ = behind
    with saw("queue_work waited. The first wait: {first_wait}.", log.events, first_wait=log.first_wait):
        assert not log.waits
    check_follows(*behind)


@core
@hint(
    "When queue_work returns, the device has the work in its queue, and nothing is left for Python to do. "
    "If the work is on a separate stream, let that stream wait for the current one first. At the end, let "
    "the current stream wait for the separate one."
)
@misconception("asks-for-a-number")
def test_work_is_in_the_queue(behind):
    """When queue_work returns, all of its work is in the queue, ahead of what the caller enqueues next."""
    log, _ = behind
    check_follows(*behind)
    with saw(
        "Operations of the caller that use the same memory as the work and may run too early: {count}.",
        count=len(log.races),
    ):
        assert not log.races


def check_follows(log, returned):
    """Fail unless each result is computed from the matrix of its call, and still is when all calls have returned."""
    for number, result in enumerate(returned, 1):
        check_on_device("queue_work", result)
        writers = log.writers(result.number)
        with saw("What queue_work returned was not computed from x on the device.", log.events):
            assert writers and log.follows_from(writers[-1], number)
