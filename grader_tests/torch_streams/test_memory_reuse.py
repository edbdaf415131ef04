"""memory_reuse(x, work, side): a temporary of one stream, read on another one, without a wait for it."""

import numpy as np
import pytest
from order import check_close, check_given_back

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight

WORK = {  # what each work of the scenario gives
    "number": lambda t: (t @ t).sum(),
    "matrix": lambda t: t @ t,
    "sizes": abs,
}
OPERATIONS = "mm", "abs", "sum"  # of these works; each has one of the first two
WORKS = "number", "matrix", "matrix", "sizes", "number"


@pytest.fixture(scope="module")
def seen(run):
    """Some calls with drawn matrices: of one size, twice; large; of integers; and of one number.

    A solution that keeps the first result has wrong ones then, one that keeps too little has a race.
    """
    rng = np.random.default_rng()
    n, large = int(rng.integers(3, 8)), int(rng.integers(100, 120))
    xs = [rng.normal(size=(size, size)) for size in (n, n, large, n, 1)]
    xs[3] = rng.integers(-50, 50, size=(n, n))
    z = array(rng.normal(size=(n, n)), device=1, dtype="float64")
    given = [array(x, device=1, dtype=x.dtype) for x in xs]
    return run("memory_reuse", xs=given, works=list(WORKS), z=z) | {"xs": xs}


def worked(seen):
    """The order, and for each call the operations of work that the results need; fails unless they follow from x."""
    order, found = seen["order"], []
    for number in range(len(WORKS)):
        last = order.result(number)
        needed = {last, *order.ancestors([last])} if last else ()
        found.append([one for one in order.uses(f"x{number}") if one in needed and one.label in OPERATIONS])
        with saw("The input of work was not computed from x."):
            assert found[-1]
    return order, found


@core
@weight(2)
@hint("Call work inside `with gpu.stream(side):`. Everything that this block enqueues goes to side.")
@misconception("one-stream-one-queue")
def test_on_side(seen):
    """`work` runs in the stream `side`."""
    order, calls = worked(seen)
    found = [one for call in calls for one in call]
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
    """Nothing races: `work` begins only after its input has been computed."""
    worked(seen)[0].check_no_early_use()


@core
@weight(3)
@hint(
    "The current stream must not wait for side: neither by wait_stream nor by an event. It stays the current stream: "
    "if you change it with set_stream, set the same one again."
)
@misconception("wait-stream-waits-for-all")
def test_current_stream_goes_on(seen):
    """Later operations of the current stream may run at the same time as `work`."""
    order, calls = worked(seen)
    later = [one for array in order.later for one in order.writers(array)]
    moved = sum(one.stream != order.input("x0").stream for one in later)
    with saw(
        "Later operations in another stream than the one that was current: {moved} of {count}.",
        count=len(later),
        moved=moved,
    ):
        assert not moved
    each = len(later) // len(calls)
    waiting = sum(order.fixed_pairs(calls[place // each], [one]) > 0 for place, one in enumerate(later))
    with saw(
        "Later operations on the current stream that must wait for work: {waiting} of {count}.",
        count=len(later),
        waiting=waiting,
    ):
        assert later and not waiting


@core
@hint("To keep memory until the work is done, you need no wait of the host: see record_stream.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing."""
    order, _ = worked(seen)
    inputs = [order.input(f"x{number}").place for number in range(len(WORKS))]
    order.check_no_wait([max(wait for wait in order.waits if wait < place) for place in inputs])


@hint("Each further call of work enqueues all of its operations again.")
@misconception("reads-the-task")
def test_work_once(seen):
    """`work` is called once."""
    order, _ = worked(seen)
    uses = [order.uses(f"x{number}") for number in range(len(WORKS))]
    calls = max(sum(one.label in OPERATIONS[:2] for one in own) for own in uses)
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
    check_results(seen, seen["xs"])
    seen["again"].check(check_results, seen["others"]["xs"])


def check_results(seen, xs):
    """Fail unless the results are those of work for the doubles of these inputs."""
    for x, work, result in zip(xs, WORKS, seen["results"], strict=True):
        right = WORK[work](2 * x)
        with saw("The result is not what work(x * 2) gives."):
            assert isinstance(result, EngineArray)
        with saw("work got a tensor whose dtype differs from that of x."):
            assert result.values.dtype == right.dtype
        with saw("The result is not what work(x * 2) gives."):
            check_close(result.values, right)
