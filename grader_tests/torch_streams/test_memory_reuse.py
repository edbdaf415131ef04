"""memory_reuse(x, work, side): a temporary of one stream, read on another one, and nobody waits for it."""

import numpy as np
import pytest
from order import check_given_back

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight


@pytest.fixture(scope="module")
def seen(run):
    """Two calls with drawn matrices of float64.

    Who keeps the first result has the wrong one, who keeps too little has a race.
    """
    rng = np.random.default_rng()
    size = int(rng.integers(3, 8))
    first, x, z = rng.normal(size=(3, size, size))
    given = {"first": first, "x": x, "z": z}
    found = run("memory_reuse", **{name: array(one, device=1, dtype="float64") for name, one in given.items()})
    return found | {"x": x}


def worked(seen):
    """The order, and the operations of work that the result needs; fails unless they follow from x."""
    order, last = seen["order"], seen["order"].result(0)
    needed = {last, *order.ancestors([last])} if last else ()
    found = [one for one in order.uses("x") if one in needed and one.label in ("mm", "sum")]
    with saw("The input of work was not computed from x."):
        assert found
    return order, found


@core
@weight(2)
@hint("Write with gpu.stream(side): work(...). Everything that this block enqueues goes to side.")
@misconception("one-stream-one-queue")
def test_on_side(seen):
    """work is done on side."""
    order, found = worked(seen)
    elsewhere = [one for one in found if one.stream != order.input("z").stream]
    with saw(
        "Operations of work that are not on side: {elsewhere} of {total}.", elsewhere=len(elsewhere), total=len(found)
    ):
        assert not elsewhere


@core
@weight(4)
@hint(
    "Memory belongs to the stream that was current when it was allocated. When Python drops the tensor, that stream "
    "may get the memory again at once, although another stream still reads or writes it. On which stream was the "
    "temporary made, and what tells the allocator that another stream uses it?"
)
@misconception("freed-and-still-read")
def test_memory(seen, left_behind):
    """No memory is allocated again while side may still use it."""
    worked(seen)[0].check_no_reuse()
    left_behind("memory_reuse")[0].check_no_reuse()


@weight(4)
@hint("With record_stream, memory is free again when the work is done. A list that is never emptied keeps it forever.")
@misconception("freed-and-still-read")
def test_memory_comes_back(left_behind):
    """Memory is free again when the work is done and the results are gone."""
    check_given_back(left_behind("memory_reuse")[1])


@core
@hint("x and the temporary come from the current stream: side waits for it before work begins.")
@misconception("streams-know-nothing")
def test_no_race(seen):
    """Nothing races: work begins when its input is computed."""
    worked(seen)[0].check_no_early_use()


@core
@weight(3)
@hint("The current stream must not wait for side: neither by wait_stream nor by an event.")
@misconception("wait-stream-waits-for-all")
def test_current_stream_goes_on(seen):
    """Later operations of the current stream may run at the same time as work."""
    order, found = worked(seen)
    later = [one for array in order.later for one in order.writers(array)]
    waiting = sum(order.fixed_pairs(found, [one]) > 0 for one in later)
    with saw(
        "Later operations on the current stream that must wait for work: {waiting} of {count}.",
        count=len(later),
        waiting=waiting,
    ):
        assert later and not waiting


@core
@hint("To keep memory until the work is over, the host need not wait: see record_stream.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing."""
    order, _ = worked(seen)
    order.check_no_wait(order.input("x").place)


@hint("Each further call of work enqueues all of its operations again.")
@misconception("reads-the-task")
def test_work_once(seen):
    """work is called once."""
    calls = sum(one.label == "mm" for one in worked(seen)[0].uses("x"))
    with saw("Calls of work: {calls}.", calls=calls):
        assert calls == 1


@value
@weight(2)
@hint("memory_reuse returns what work returned, for x * 2.")
@misconception("reads-the-task")
def test_value(seen):
    """The result is that of work(x * 2)."""
    worked(seen)[0].check_no_race()
    seen["order"].check_inputs_stay()
    check_result(seen, seen["x"])
    seen["again"].check(check_result, seen["others"]["x"])


def check_result(seen, x):
    """Fail unless the result is that of work for the double of x."""
    doubled = 2 * x
    with saw("The result is not the number that work(x * 2) gives."):
        assert isinstance(seen["results"][0], EngineArray)
    with saw("work got a tensor of another type than x."):
        assert seen["results"][0].values.dtype == x.dtype
    with saw("The result is not the number that work(x * 2) gives."):
        np.testing.assert_allclose(seen["results"][0].values, (doubled @ doubled).sum(), rtol=1e-3, atol=1e-2)
