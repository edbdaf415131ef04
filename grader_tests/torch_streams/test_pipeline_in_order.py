"""pipeline_in_order(first, second, xs): the second stage of one input overlaps the first stage of the next."""

import itertools

import numpy as np
import pytest
from order import INPUTS, check_close, check_given_back

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay


@pytest.fixture(scope="module")
def seen(run):
    """Two calls with drawn inputs and stages of float64: one input alone, and many of other sizes, one of them large.

    A solution that keeps results has wrong ones in the second call.
    """
    rng = np.random.default_rng()
    size, between, end = (int(n) for n in rng.integers(3, 8, size=3))
    rows = [*rng.integers(2, 6, size=rng.integers(20, 25)), 1, 300]
    v, w = rng.normal(size=(size, between)), rng.normal(size=(between, end))
    inputs = {"xs": [rng.normal(size=(n, size)) for n in rng.permutation(rows)], "v": v, "w": w}
    given = {name: array(one, device=1, dtype="float64") for name, one in (("v", v), ("w", w))}
    return inputs | run("pipeline_in_order", xs=[array(x, device=1, dtype="float64") for x in inputs["xs"]], **given)


def stages(seen):
    """The order, and of each input the two stages that a result follows from; fails unless it went through both."""
    order, count, found = seen["order"], len(seen["xs"]), []
    (v,), (w,) = order.input("v").outputs, order.input("w").outputs
    results = [last for last in map(order.result, range(len(seen["results"]))) if last]
    needed = {*results, *order.ancestors(results)}
    for number in range(count):
        own = [one for one in order.uses(f"x{number}") if one in needed]
        second = [one for one in own if w in one.inputs][-1:]
        first = [one for one in own if v in one.inputs and one in order.ancestors(second)]
        with saw("Input {number} did not go through both stages, one after the other.", number=number):
            assert first
        found.append((first[-1], second[-1]))
    return order, found


@core
@weight(4)
@hint(
    "Each stage has a stream of its own. The stream of `second` waits for `first`; the stream of `first` "
    "never waits for `second`."
)
@misconception("one-stream-one-queue")
def test_side_by_side(seen):
    """The second stage of input t may run at the same time as the first stage of input t + 1."""
    order, found = stages(seen)
    pairs = list(itertools.pairwise(found[1:]))  # the first one was alone
    ordered = sum(not order.beside(a[1], b[0]) for a, b in pairs)
    with saw(
        "Inputs whose second stage cannot overlap the first stage of the next input: {ordered} of {total}.",
        order.events,
        ordered=ordered,
        total=len(pairs),
    ):
        assert not ordered


@core
@weight(2)
@hint("`second` reads what `first` has written: its stream must wait, with an event after `first` or with wait_stream.")
@misconception("streams-know-nothing")
def test_in_order(seen):
    """The second stage of an input runs after its first stage."""
    order, found = stages(seen)
    loose = sum(not order.before(first, second) for first, second in found)
    with saw(
        "Inputs whose second stage may run before their first stage is done: {loose} of {total}.",
        loose=loose,
        total=len(found),
    ):
        assert not loose


@core
@hint("One stream waits for another with wait_stream or an event, never on the host.")
@misconception("host-orders-streams")
def test_no_wait(seen, left_behind):
    """The host waits for nothing."""
    stages(seen)[0].check_no_wait()
    left_behind("pipeline_in_order")[0].check_no_wait_in_many()


@core
@weight(2)
@hint("The inputs may be pending when you are called, and your caller reads the results on the current stream.")
@misconception("streams-know-nothing")
def test_no_race(seen):
    """Nothing races, not even the work on the inputs or the caller's reads of the results."""
    stages(seen)[0].check_no_early_use()


@core
@weight(2)
@hint(
    "A tensor that one stage has made and the other one reads must not be dropped too early: call record_stream, or "
    "keep a reference."
)
@misconception("freed-and-still-read")
def test_memory(seen):
    """The memory of the result of `first` is not allocated again while `second` may still read it."""
    stages(seen)[0].check_no_reuse()


@weight(4)
@hint("With record_stream, memory is free again when the work is done. A list that is never emptied keeps it forever.")
@misconception("freed-and-still-read")
def test_memory_comes_back(left_behind):
    """Memory is free again when the work is done and the results are gone."""
    check_given_back(left_behind("pipeline_in_order")[1])


@hint("For each input, call `first` once and `second` once.")
@misconception("work-not-done")
def test_each_stage_once(seen, left_behind):
    """Each stage is called once for each input, even if one tensor is in the list several times."""
    order, count = seen["order"], len(seen["xs"])
    first, second = (sum(len(order.readers(w)) for w in order.input(name).outputs) for name in ("v", "w"))
    check_calls(count, first, second)
    many = left_behind("pipeline_in_order")[0]
    given = {made for number in (1, 2) for one in many.readers(number) for made in one.outputs}
    products = [one for one in many.operations if one.label == "mm"]
    first = sum(bool(one.inputs & given) for one in products)
    check_calls(INPUTS, first, len(products) - first)


def check_calls(count, first, second):
    """Fail unless both stages were called for each of this many inputs."""
    with saw(
        "For {count} inputs, calls of `first`: {first}, of `second`: {second}.", count=count, first=first, second=second
    ):
        assert first == second == count


@value
@weight(2)
@hint("Return a list with second(first(x)) for each x, in the order of xs.")
@misconception("reads-the-task")
def test_value(seen):
    """The results are right, in the order of xs."""
    stages(seen)[0].check_no_race()
    seen["order"].check_inputs_stay()
    with saw("Inputs: {inputs}; results: {results}.", inputs=len(seen["xs"]), results=len(seen["results"])):
        assert len(seen["results"]) == len(seen["xs"])
    check_results(seen, seen)
    seen["again"].check(check_results, seen["others"])


def check_results(seen, inputs):
    """Fail unless the results are those of both stages, for these inputs."""
    for x, result in zip(inputs["xs"], seen["results"], strict=True):
        with saw("A result does not hold the numbers of second(first(x))."):
            assert isinstance(result, EngineArray) and result.values.dtype == x.dtype
            check_close(result.values, len(x) * (x @ inputs["v"] @ inputs["w"]))


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(seen):
    """The list of inputs stays as it is."""
    stages(seen)
    check_containers_stay(seen["containers_changed"])
