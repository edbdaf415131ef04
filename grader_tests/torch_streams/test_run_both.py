"""run_both(x, y): five products of each matrix, those of x at the same time as those of y."""

import numpy as np
import pytest
from order import check_close

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight

EACH = 5
CALLS, TWICE = 3, 2  # TWICE: the number of the call that gets one matrix twice
LARGE = 100, 120  # rows


@pytest.fixture(scope="module")
def seen(run):
    """Three calls with drawn matrices of float64, which are not computed yet: small, large ones of one size, and one
    of them twice.

    A solution that keeps results has wrong ones in the next call, and one that keeps their memory in the last.
    """
    rng = np.random.default_rng()
    small, large = rng.integers(3, 8), rng.integers(*LARGE)
    sizes = {"xs": (small, large, small), "ys": (1, large)}
    given = {name: [rng.normal(size=(n, n)) for n in some] for name, some in sizes.items()}
    return given | run(
        "run_both", **{name: [array(x, device=1, dtype="float64") for x in xs] for name, xs in given.items()}
    )


def products(seen):
    """The order, and for each call the operations that computed the products of each list; fails unless there are five
    of each.
    """
    for lengths in seen["lengths"]:
        with saw("run_both should return two lists of five; yours have the lengths {lengths}.", lengths=lengths):
            assert lengths == [EACH, EACH]
    order = seen["order"]
    last = [order.result(number) for number in range(2 * EACH * CALLS)]
    with saw("Some of the products were not computed on the device."):
        assert None not in last
    lists = [last[place : place + EACH] for place in range(0, len(last), EACH)]
    return order, list(zip(lists[::2], lists[1::2], strict=True))


@core
@weight(4)
@hint(
    "Use two streams without any order between them: no wait_stream between the products, and not all products "
    "of one matrix after those of the other."
)
@misconception("one-stream-one-queue")
def test_side_by_side(seen):
    """Each product of x may run at the same time as each product of y."""
    order, calls = products(seen)
    ordered = 0
    for number, (xs, ys) in enumerate(calls[:TWICE]):
        needed, work = {*xs, *ys, *order.ancestors(xs + ys)}, []
        for name in (f"x{number}", f"y{number}"):
            work.append([one for one in order.uses(name) if one in needed])
            with saw("None of the products was computed from {name}.", name=name[0]):
                assert work[-1]
        ordered += order.fixed_pairs(*work)
    with saw(
        "Pairs of a product of x and one of y that cannot overlap: {ordered}.",
        order.events,
        ordered=ordered,
    ):
        assert not ordered


@core
@hint("No synchronize, no item, no print: one stream waits for another with wait_stream or an event.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing."""
    products(seen)[0].check_no_wait()


@core
@weight(2)
@hint(
    "x and y may still be computed on the current stream when you are called, and your caller uses the products there. "
    "So a side stream waits for the current one first, and the current one waits for it at the end."
)
@misconception("streams-know-nothing")
def test_no_race(seen):
    """Nothing races: the inputs are computed when the products begin, and the products when the caller reads them."""
    products(seen)[0].check_no_race()


@value
@weight(2)
@hint("Return two lists, in this order: five times x @ x, and five times y @ y. x and y may be one tensor.")
@misconception("reads-the-task")
def test_value(seen):
    """The products are right."""
    products(seen)[0].check_no_race()
    seen["order"].check_inputs_stay()
    check_products(seen, seen)
    seen["again"].check(check_products, seen["others"])
    xs, ys = products(seen)[1][TWICE]
    written = len({*xs, *ys})
    with saw("If x and y are the same matrix, {written} different operations wrote the ten results.", written=written):
        assert not {*xs} & {*ys}


def check_products(seen, inputs):
    """Fail unless the results are the products of these inputs."""
    matrices = [x for pair in zip(inputs["xs"], [*inputs["ys"], *inputs["xs"][TWICE:]], strict=True) for x in pair]
    for number, product in enumerate(seen["results"]):
        x = matrices[number // EACH]
        with saw("One of the products holds wrong numbers."):
            assert isinstance(product, EngineArray) and product.values.dtype == x.dtype
            check_close(product.values, x @ x)


@core
@hint("Each product is an operation of its own with a tensor of its own: five calls, not one result five times.")
@misconception("work-not-done")
def test_five_each(seen):
    """Each of the five products of a matrix is computed by itself, from the whole matrix."""
    order, calls = products(seen)
    for number, (xs, ys) in enumerate(calls[:TWICE]):
        needed = {*xs, *ys, *order.ancestors(xs + ys)}
        for name, last in (("x", xs), ("y", ys)):
            (given,) = order.input(f"{name}{number}").outputs
            work = [one for one in order.computing(given, seen[f"{name}s"][number].size) if one in needed]
            with saw(
                "For {name}, {written} different operations wrote the five results, and {computed} operations computed "
                "with all of {name}.",
                name=name,
                written=len(set(last)),
                computed=len(work),
            ):
                assert len(set(last)) == EACH and len(work) >= EACH
