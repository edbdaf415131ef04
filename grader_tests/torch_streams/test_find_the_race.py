"""blamed(lines, report) reads a report of the stream sanitizer; mended(x, w) is a program without its race."""

import numpy as np
import pytest
from reports import draw

from syncpoint.graders import EngineArray, array, core, hint, is_number, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay


@pytest.fixture(scope="module")
def seen(run):
    """The second call of mended, with drawn matrices, which are not computed yet."""
    rng = np.random.default_rng()
    for again in (False, True):  # who keeps the first result has the wrong one now
        size = int(rng.integers(3, 8))
        x, w = rng.normal(size=(2, size, size))
        given = {"x": array(x, device=1, dtype="float64"), "w": array(w, device=1, dtype="float64")}
        found = run("mended", again=again, **given) | {"x": x, "w": w}
    return found


def order_of(seen):
    """The order; fails unless a tensor was returned that follows from both inputs."""
    order = seen["order"]
    (result,) = seen["results"]
    last = order.result(0)
    with saw("mended should return a tensor that the device computed from x and w."):
        assert isinstance(result, EngineArray) and last is not None
        assert last in order.uses("x") and last in order.uses("w")
    return order, last


def lines_named(student, case):
    """What blamed says of a program and a report, as a pair of numbers."""
    named = student.call("blamed", case.lines, case.report).returned
    with saw("blamed should return two line numbers."):
        assert isinstance(named, (list, tuple)) and len(named) == 2 and all(map(is_number, named))
    return tuple(int(number) for number in named)


@core
@weight(3)
@hint("The stream that reads must wait for the stream that wrote: use an event or wait_stream, just before it reads.")
@misconception("streams-know-nothing")
def test_no_race(seen):
    """mended has no race."""
    order_of(seen)[0].check_no_race()


@core
@weight(3)
@hint("Keep both streams, and wait as late as you can: enqueue first what need not wait for the other stream.")
@misconception("one-stream-one-queue")
def test_still_side_by_side(seen):
    """The two halves of mended may still run at the same time."""
    order, last = order_of(seen)
    needed = {last, *order.ancestors([last])}
    with_w = [one for one in order.uses("w") if one in needed]
    both = [one for one in with_w if one in order.uses("x")]
    products = [one for one in both if order.ancestors([one]).isdisjoint(both)]  # what comes behind one is none itself
    others = [one for one in order.uses("x") if one in needed and one not in with_w]
    with saw("The product with w and tanh(x) can only run one after the other."):
        assert products and others and all(order.beside(product, other) for product in products for other in others)


@core
@hint("A stream must wait, not the host.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing."""
    order_of(seen)[0].check_no_wait()


@core
@weight(2)
@hint("The result is still x @ w * 2 + tanh(x).")
@misconception("reads-the-task")
def test_value(seen):
    """mended computes what the given program was meant to compute."""
    order_of(seen)[0].check_no_race()
    seen["order"].check_inputs_stay()
    check_result(seen, seen["x"], seen["w"])
    seen["again"].check(check_result, seen["others"]["x"], seen["others"]["w"])


def check_result(seen, x, w):
    """Fail unless the result is what the given program computes of these inputs."""
    with saw("mended did not return the numbers of x @ w * 2 + tanh(x)."):
        np.testing.assert_allclose(seen["results"][0].values, x @ w * 2 + np.tanh(x), rtol=1e-3, atol=1e-3)


@value
@weight(4)
@hint(
    "The report names the later access first. In each stack trace, one frame is in step.py: take its line. The "
    "last trace only says where the memory was allocated, and that line is not at fault."
)
@misconception("reads-the-task")
def test_blamed(student, rng):
    """blamed names the two lines of a random report: the earlier access, then the later one."""
    for number in range(6):
        case = draw(rng, loop=number % 2 == 1)
        named = lines_named(student, case)
        right = (case.earlier, case.later)
        with saw(
            "Right lines in the result of blamed: {count}, but in the wrong order."
            if named == right[::-1]
            else "Right lines in the result of blamed: {count}.",
            count=len({*named} & {*right}),
        ):
            assert named == right


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(student, rng):
    """The list of lines stays as it is."""
    case = draw(rng, loop=False)
    check_containers_stay(int(student.call("blamed", case.lines, case.report).arguments[0] != case.lines))
