"""run_both(x, y): five products of each matrix, the ones of x beside those of y."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight

EACH = 5


@pytest.fixture(scope="module")
def seen(run):
    """The second call, with two drawn matrices of float64, which are not computed yet."""
    rng, orders = np.random.default_rng(), []
    for again in (False, True):  # who keeps the first results, of one matrix twice, has the wrong ones now
        x, y = (rng.normal(size=(n, n)) for n in rng.integers(3, 8, size=2))
        given = {"x": array(x, device=1, dtype="float64"), "y": array(y, device=1, dtype="float64")}
        found = run("run_both", again=again, same=not again, **given) | {"x": x, "y": y}
        orders.append(found["order"])
    return found | {"of_one": orders[0]}


def products(seen):
    """The order, and the operations that computed the products of each list; fails unless there are five of each."""
    with saw("run_both should return two lists of five; yours have the lengths {lengths}.", lengths=seen["lengths"]):
        assert seen["lengths"] == [EACH, EACH]
    order = seen["order"]
    last = [order.result(number) for number in range(2 * EACH)]
    with saw("Some of the products were not computed on the device."):
        assert None not in last
    return order, last[:EACH], last[EACH:]


@core
@weight(4)
@hint(
    "Use two streams without any order between them: no wait_stream between the products, and not all products "
    "of one matrix after those of the other."
)
@misconception("one-stream-one-queue")
def test_side_by_side(seen):
    """Each product of x may run at the same time as each product of y."""
    order, xs, ys = products(seen)
    needed, work = {*xs, *ys, *order.ancestors(xs + ys)}, {}
    for name in "xy":
        work[name] = [one for one in order.uses(name) if one in needed]
        with saw("None of the products was computed from {name}.", name=name):
            assert work[name]
    ordered = order.fixed_pairs(work["x"], work["y"])
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
    of_one = seen["of_one"]
    last = [of_one.result(number) for number in range(len(of_one.reads))]
    written = len(set(last))
    with saw("If x and y are the same matrix, {written} different operations wrote the ten results.", written=written):
        assert not {*last[:EACH]} & {*last[EACH:]}


def check_products(seen, inputs):
    """Fail unless the results are the products of these inputs."""
    for number, product in enumerate(seen["results"]):
        x = inputs["x"] if number < EACH else inputs["y"]
        with saw("One of the products holds wrong numbers."):
            assert isinstance(product, EngineArray) and product.values.dtype == x.dtype
            np.testing.assert_allclose(product.values, x @ x, rtol=1e-3, atol=1e-3)


@core
@hint("Each product is an operation of its own with a tensor of its own: five calls, not one result five times.")
@misconception("work-not-done")
def test_five_each(seen):
    """Each of the five products of a matrix is computed by itself, from the whole matrix."""
    order, xs, ys = products(seen)
    needed = {*xs, *ys, *order.ancestors(xs + ys)}
    for name, last in (("x", xs), ("y", ys)):
        (given,) = order.input(name).outputs
        work = [one for one in order.computing(given, seen[name].size) if one in needed]
        with saw(
            "For {name}, {written} different operations wrote the five results, and {computed} operations computed "
            "with all of {name}.",
            name=name,
            written=len(set(last)),
            computed=len(work),
        ):
            assert len(set(last)) == EACH and len(work) >= EACH
