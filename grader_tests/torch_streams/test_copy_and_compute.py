"""copy_and_compute(xs, consume): each product copied to pinned memory while the next one is computed."""

import itertools
import zlib

import numpy as np
import pytest
from order import INPUTS, check_given_back

from syncpoint.graders import array, core, hint, misconception, saw, value, weight
from syncpoint.graders.device_log import DOWNLOAD
from syncpoint.graders.unchanged import check_containers_stay

PLACES = 4096  # to look at
CLOSE = 1e-3


@pytest.fixture(scope="module")
def seen(run):
    """The second call, with some drawn matrices of float64, which are not computed yet."""
    rng = np.random.default_rng()
    size = int(rng.integers(3, 8))
    for again in (False, True):  # who keeps the first results has the wrong ones now
        xs = [rng.normal(size=(size, size)) for _ in range(rng.integers(9, 12))]
        places = array(np.zeros(PLACES), device=1, look=True)
        given = [array(x, device=1, dtype="float64") for x in xs]
        found = run("copy_and_compute", again=again, xs=given, places=places) | {"xs": xs}
    return found


def products(seen):
    """The order, and of each matrix the operations of its product and its copies to pinned memory, of which there may
    be none; in the order of the products.  Fails if a matrix has no product.
    """
    order, found = seen["order"], []
    for number in range(len(seen["xs"])):
        own = order.uses(f"x{number}")
        down = [one for one in own if one.label == DOWNLOAD]
        needed = order.ancestors(down) if down else own
        found.append(([one for one in own if one in needed], down))
        with saw(
            "The copies for matrix {number} are of the matrix itself, and not of a product."
            if down
            else "The device computed no product of matrix {number}.",
            number=number,
        ):
            assert found[-1][0]
    return order, sorted(found, key=lambda pair: pair[0][0].place)


def copies(seen):
    """The same; fails if a product has no copy."""
    order, found = products(seen)
    without = sum(not down for _, down in found)
    with saw(
        "Products without an enqueued copy to pinned memory: {without} of {total}.",
        without=without,
        total=len(found),
    ):
        assert not without
    return order, found


def consumed(seen):
    """Where consume was called for each result; fails unless it was called for some, and no more often than needed."""
    looked, calls = seen["order"].looked, len(seen["pinned"])
    with saw("Calls of consume: {calls}, for {inputs} matrices.", calls=calls, inputs=len(seen["xs"])):
        assert 2 <= calls <= len(seen["xs"])
    sums = [0 if got.device else zlib.crc32(np.ascontiguousarray(got.values)) % PLACES for got in seen["got"]]
    with saw("The device's log does not confirm what consume got."):
        assert len(looked) == calls and [place for place, _ in looked] == sums
    return [place for _, place in looked]


def consumed_early(seen):
    """Numbers of the results that consume got before their copy was waited for."""
    _, found = products(seen)  # a copy to ordinary memory has run when it returns
    return [t for t, place in enumerate(consumed(seen)) if any(one.covered > place for one in found[t][1])]


@core
@weight(3)
@hint(
    "Put the copies on a stream of their own. The copy of result t waits for product t, and product t + 1"
    " waits for no copy."
)
@misconception("one-stream-one-queue")
def test_copy_beside_the_next_product(seen):
    """The copy of result t may run at the same time as product t + 1."""
    order, found = copies(seen)
    ordered = [t for t, ((_, copy), (work, _)) in enumerate(itertools.pairwise(found)) if order.fixed_pairs(copy, work)]
    with saw(
        "Results whose copy cannot run at the same time as the next product: {count}.",
        order.events,
        count=len(ordered),
    ):
        assert not ordered


@core
@weight(3)
@hint("A copy with non_blocking=True is only in the queue. Wait for its event before you call consume.")
@misconception("copy-has-happened")
def test_consume_after_the_copy(seen):
    """When consume gets a result, the host has waited for its copy."""
    order, early = seen["order"], consumed_early(seen)
    with saw(
        "Results that consume got before the host had waited for their copy: {count}.",
        order.events,
        True,
        count=len(early),
    ):
        assert not early
    seen["again"].confirm(lambda: check_products(seen, seen["xs"]), check_again, seen)


@core
@weight(2)
@hint("Record an event for each copy, and wait for that event and nothing newer. synchronize() waits for everything.")
@misconception("place-in-a-stream")
def test_first_result_is_not_late(seen):
    """When consume gets a result, the host has not waited for later products."""
    order, found = products(seen)
    first, last = consumed(seen)[0], found[-1][0]
    with saw("Before the first consume the host had waited for all products.", order.events):
        assert all(one.covered > first for one in last)
    late = sum(work[-1].covered < place for place, (work, _) in zip(consumed(seen), found[1:], strict=False))
    with saw("Results for which the host had also waited for the next product: {late}.", late=late):
        assert not late


@core
@hint("Before the wait for result t, product t + 1 and its copy must be in their queues.")
@misconception("wait-in-the-loop")
def test_goes_on(seen):
    """When consume gets a result, the next product is in a queue."""
    order, found = products(seen)
    late = sum(place < work[0].place for place, (work, _) in zip(consumed(seen), found[1:], strict=False))
    with saw("Results consumed before the next product was in a queue: {late}.", order.events, late=late):
        assert not late


@core
@weight(2)
@hint("The copying stream must wait for the product, and the products must wait for the matrices.")
@misconception("streams-know-nothing")
def test_no_race(seen):
    """Nothing races: each copy waits for its product."""
    products(seen)[0].check_no_early_use()


@core
@weight(2)
@hint(
    "The product was made on one stream and is copied on another one. If your code drops it, what tells the allocator "
    "about the copy?"
)
@misconception("freed-and-still-read")
def test_memory(seen):
    """The memory of a product is not allocated again while the copy may still read it."""
    products(seen)[0].check_no_reuse()


@weight(5)
@hint("With record_stream, memory is free again when the work is done. A list that is never emptied keeps it forever.")
@misconception("freed-and-still-read")
def test_memory_comes_back(left_behind):
    """Memory is free again when the work is done and the results are gone."""
    check_given_back(left_behind("copy_and_compute")[1])


@value
@weight(2)
@hint("consume gets x @ x for each x of xs, in their order.")
@misconception("reads-the-task")
def test_value(seen, left_behind):
    """consume gets the right numbers, in order."""
    # However they came to the host: that is for the other tests.
    seen["order"].check_no_race()
    seen["order"].check_inputs_stay()
    consumed(seen)
    check_products(seen, seen["xs"])
    seen["again"].check(check_again, seen)
    copied = sum(one.label == DOWNLOAD for one in left_behind("copy_and_compute")[0].operations)
    with saw("Copies for {inputs} matrices, some of them the same tensor: {copied}.", inputs=INPUTS, copied=copied):
        assert not copied or copied >= INPUTS  # none: they went to ordinary memory, of which other tests speak


def check_again(again, seen):
    """Fail unless the device made the products of the other matrices, and told the host nothing else."""
    xs = seen["others"]["xs"]
    right = np.concatenate([np.ravel(x @ x) for x in xs])
    reported = np.concatenate([np.zeros(0), *seen["again"].reported])
    others = sum(np.abs(right - number).min() > CLOSE for number in reported)
    # A host that knows the matrices could multiply them by itself, and have the device compute for show.
    assert others <= len(xs)
    check_products(again, xs)


def check_products(seen, xs):
    """Fail unless consume got the products of these matrices."""
    with saw("Calls of consume: {calls}, for {inputs} matrices.", calls=len(seen["got"]), inputs=len(xs)):
        assert len(seen["got"]) == len(xs)
    for x, got in zip(xs, seen["got"], strict=True):
        assert got is not None  # as in a call that ran once more: of numbers that no copy had brought
        with saw("consume got a tensor of another type than the product."):
            assert np.asarray(got).dtype == np.asarray(x).dtype
        with saw("consume got other numbers than those of the product, or not in the order of xs."):
            np.testing.assert_allclose(got, x @ x, rtol=CLOSE, atol=CLOSE)


@hint("Use pin_memory() on a host tensor, or to('cpu', non_blocking=True). A copy to ordinary memory waits.")
@misconception("copy-is-free")
def test_pinned(seen):
    """consume gets tensors in pinned memory."""
    order, found = copies(seen)
    consumed(seen)
    products = {array for work, _ in found for one in work for array in one.outputs}
    read = [event for event in seen["events"] if event.kind == "wait" and products.intersection(event.inputs)]
    with saw("Copies of products to ordinary memory: {count}.", order.events, count=len(read)):
        assert not read
    with saw(
        "Of {count} results given to consume, {pinned} were in pinned memory.",
        count=len(seen["pinned"]),
        pinned=sum(seen["pinned"]),
    ):
        assert all(seen["pinned"])


@hint("The next result must not go into the buffer of an earlier one: consume may have kept it.")
@misconception("reads-the-task")
def test_results_stay(seen):
    """The tensors that consume got hold the same numbers at the end."""
    early = consumed_early(seen)  # these change while they arrive, of which another test speaks
    both = [pair for t, pair in enumerate(zip(seen["got"], seen["left"], strict=True)) if t not in early]
    changed = (0 if early else seen["stale"]) + sum(not np.array_equal(a, b) for a, b in both)
    with saw(
        "Results that were overwritten after consume had got them: {changed}.",
        changed=changed,
    ):
        assert not changed


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(seen):
    """The list of matrices stays as it is."""
    products(seen)
    check_containers_stay(seen["containers_changed"])
