"""queue_work(x) only puts work into the queue of the device."""

import numpy as np
import pytest
from tensors import check_input_stays, check_on_device, kind

from syncpoint.graders import EngineArray, array, core, hint, is_number, misconception, saw, value, weight
from syncpoint.graders.device_log import DeviceLog


@pytest.fixture(scope="module")
def behind(student):
    """Two calls with matrices that are not computed yet: the log of each, and what was returned."""
    found = []
    for _ in range(2):  # who keeps the first result has one that follows from nothing now
        x = array(np.random.default_rng().normal(size=(5, 5)), device=1)
        seen = student.results_gated.observe("read_behind", function="queue_work", x=x)
        found.append((DeviceLog.of(seen), seen["returned"]))
    return found


def check_sum(seen, x):
    """Fail unless the call returned the sum of x @ x, wherever it is: that it is on the device is for other tests."""
    with saw("queue_work returned {kind}.", kind=kind(seen.returned)):
        assert is_number(seen.returned) or isinstance(seen.returned, EngineArray)
    told = seen.returned.values if isinstance(seen.returned, EngineArray) else seen.returned
    with saw("What queue_work returned has {size} elements.", size=np.size(told)):
        assert np.size(told) == 1
    # float32 rounds every term, so the error grows with the size of the terms and not with that of their sum.
    largest = 1e-4 * (abs(x) @ abs(x)).sum()
    np.testing.assert_allclose(np.ravel(told)[0], (x @ x).sum(), atol=largest, rtol=1e-4)


@value
@weight(2)
@hint("The result is the sum of all elements of the matrix product of x with itself: x @ x, then sum.")
@misconception("reads-the-task")
def test_value(student, rng):
    """queue_work returns the sum of the product of x with itself."""
    for size, dtype in ((1, "float32"), (3, "float64"), (int(rng.integers(33, 70)), "float32")):
        x = rng.normal(size=(size, size)).astype(dtype)
        seen = student.call("queue_work", array(x, device=1, dtype=dtype))
        check_sum(seen, x)
        check_input_stays("queue_work", seen, x)
        if dtype == "float32":  # a number of float64 that the host has rounded is unknown to the device
            other = rng.normal(size=(size, size)).astype(dtype)
            student.replay(seen, {1: other}).check(check_sum, other)


@core
@weight(4)
@hint(
    "Something in queue_work makes the host wait: item, cpu, tolist, print, float, synchronize? A tensor in an "
    "if or in an f-string also waits, and so does a tensor that is copied to the device from ordinary memory."
)
@misconception("asks-for-a-number")
def test_does_not_wait(behind):
    """queue_work waits for nothing."""
    for log, returned in behind:
        with saw("queue_work waited. The first wait: {first_wait}.", log.events, first_wait=log.first_wait):
            assert not log.waits
        check_follows(log, returned)


@core
@hint(
    "When queue_work returns, the device has the work in its queue: nothing of it is left for Python to do. If the "
    "work is on a stream of its own, that stream waits for the current one first, and the current one for it at the "
    "end."
)
@misconception("asks-for-a-number")
def test_work_is_in_the_queue(behind):
    """When queue_work returns, all of its work is in the queue, before what the caller does with the result."""
    for log, returned in behind:
        check_follows(log, returned)
        with saw("Races of the work with what the caller does on the current stream: {count}.", count=len(log.races)):
            assert not log.races


def check_follows(log, returned):
    """Fail unless what was returned is computed from x by operations that this call has enqueued."""
    check_on_device("queue_work", returned)
    writers = log.writers(returned.number)
    with saw("What queue_work returned does not follow from x by operations on the device.", log.events):
        assert writers and log.follows_from(writers[-1], 1)
