"""blamed(lines, report) reads a report of the stream sanitizer; mended(x, w) is a program without its race."""

import numpy as np
import pytest
from order import check_close
from reports import draw

from syncpoint.graders import EngineArray, array, core, hint, is_number, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay


@pytest.fixture(scope="module")
def seen(run):
    """Some calls of mended with drawn matrices of float64, which are not computed yet: of one number, small and large.

    Two are of one size: a solution that keeps results or their memory has wrong ones.
    """
    rng = np.random.default_rng()
    small = int(rng.integers(3, 8))
    sizes = 1, small, int(rng.integers(100, 120)), small
    given = {name: [rng.normal(size=(n, n)) for n in sizes] for name in ("xs", "ws")}
    return given | run(
        "mended", **{name: [array(x, device=1, dtype="float64") for x in xs] for name, xs in given.items()}
    )


def calls(seen):
    """The order, and for each call what uses x, what uses w, and the last operation; fails unless a tensor was returned
    that follows from both inputs.
    """
    order, found = seen["order"], []
    for number, result in enumerate(seen["results"]):
        last, x, w = order.result(number), order.uses(f"x{number}"), order.uses(f"w{number}")
        with saw("mended should return a tensor that the device computed from x and w."):
            assert isinstance(result, EngineArray) and last is not None
            assert last in x and last in w
        found.append((x, w, last))
    return order, found


def lines_named(student, case):
    """The answer of blamed for a program and a report, as a pair of numbers."""
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
    calls(seen)[0].check_no_race()


@core
@weight(3)
@hint("Keep both streams, and wait as late as you can: enqueue first what need not wait for the other stream.")
@misconception("one-stream-one-queue")
def test_still_side_by_side(seen):
    """The two halves of mended may still run at the same time."""
    order, found = calls(seen)
    for with_x, with_w, last in found:
        needed = {last, *order.ancestors([last])}
        both = [one for one in with_w if one in needed and one in with_x]
        # What comes after a product is none itself.
        products = [one for one in both if order.ancestors([one]).isdisjoint(both)]
        others = [one for one in with_x if one in needed and one not in with_w]
        with saw("The product with w and tanh(x) can only run one after the other."):
            assert products and others and all(order.beside(product, other) for product in products for other in others)


@core
@hint("A stream must wait, not the host.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing."""
    calls(seen)[0].check_no_wait()


@core
@weight(2)
@hint("The result is still x @ w * 2 + tanh(x).")
@misconception("reads-the-task")
def test_value(seen):
    """mended computes what the given program was meant to compute."""
    calls(seen)[0].check_no_race()
    seen["order"].check_inputs_stay()
    check_results(seen, seen)
    seen["again"].check(check_results, seen["others"])


def check_results(seen, inputs):
    """Fail unless the results are what the given program computes of these inputs."""
    for x, w, result in zip(inputs["xs"], inputs["ws"], seen["results"], strict=True):
        with saw("mended did not return the numbers of x @ w * 2 + tanh(x)."):
            assert result.values.dtype == x.dtype
            check_close(result.values, x @ w * 2 + np.tanh(x))


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
