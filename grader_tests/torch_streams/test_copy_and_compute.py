"""copy_and_compute(xs, consume): each product copied to pinned memory while the next one is computed."""

import itertools
import zlib
from functools import partial

import numpy as np
import pytest
from order import INPUTS, check_close, check_given_back

from syncpoint.graders import array, core, hint, misconception, saw, value, weight
from syncpoint.graders.device_log import DOWNLOAD
from syncpoint.graders.unchanged import check_containers_stay

PLACES = 4096  # to look at
CLOSE = 1e-3


@pytest.fixture(scope="module")
def call(run):
    """``call(count, size, dtype)``: what is seen of a call with this many drawn matrices, which are not computed yet.

    slow: whether all is computed when consume returns.
    """
    rng = np.random.default_rng()

    def called(count, size, dtype="float64", again=False, slow=False):
        xs = list(rng.normal(size=(count, size, size)).astype(dtype))
        places = array(np.zeros(PLACES), device=1, look=True)
        given = [array(x, 1, dtype=dtype) for x in xs]
        return run("copy_and_compute", again=again, xs=given, places=places, slow=slow) | {"xs": xs}

    return called


@pytest.fixture(scope="module")
def seen(call):
    """Two calls: with three large matrices of float32, and with many small ones of float64."""
    rng = np.random.default_rng()
    size = int(rng.integers(3, 8))
    large = call(3, int(rng.integers(40, 45)), "float32")
    call(int(rng.integers(9, 12)), size)  # code that keeps these results or buffers has the wrong ones in the next call
    return large, call(int(rng.integers(13, 17)), size, again=True)


@pytest.fixture(scope="module")
def others(call):
    """A call with one matrix of one number, and one with a slow consume."""
    return call(1, 1), call(4, 3, slow=True)


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
    with saw("The tensors that consume got are not the copies that the device made."):
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
    for order, found in map(copies, seen):
        ordered = sum(order.fixed_pairs(copy, work) > 0 for (_, copy), (work, _) in itertools.pairwise(found))
        with saw(
            "Results whose copy cannot run at the same time as the next product: {count}.", order.events, count=ordered
        ):
            assert not ordered


@core
@weight(3)
@hint("A copy with non_blocking=True is only in the queue. Wait for its event before you call consume.")
@misconception("copy-has-happened")
def test_consume_after_the_copy(seen):
    """When consume gets a result, the host has waited for its copy."""
    for one in seen:
        early = consumed_early(one)
        with saw(
            "Results that consume got before the host had waited for their copy: {count}.",
            one["order"].events,
            True,
            count=len(early),
        ):
            assert not early
        one["again"].confirm(partial(check_products, one, one["xs"]), check_again, one)


@core
@weight(2)
@hint(
    "Record an event for each copy. Before you call consume, wait for the event of that copy, with "
    "event.synchronize(). gpu.synchronize() waits for everything."
)
@misconception("place-in-a-stream")
def test_first_result_is_not_late(seen):
    """When consume gets a result, the host has not waited for later products."""
    for call in seen:
        order, found = products(call)
        places, last = consumed(call), found[-1][0]
        with saw("Before the first call of consume, the host had waited for all products.", order.events):
            assert all(one.covered > places[0] for one in last)
        late = sum(work[-1].covered < place for place, (work, _) in zip(places, found[1:], strict=False))
        with saw("Results that consume got only after the host had waited for the next product: {late}.", late=late):
            assert not late


@core
@hint("Put product t + 1 into its queue before you call consume for result t.")
@misconception("wait-in-the-loop")
def test_goes_on(seen):
    """When consume gets a result, the next product is in a queue."""
    for call in seen:
        order, found = products(call)
        late = sum(place < work[0].place for place, (work, _) in zip(consumed(call), found[1:], strict=False))
        with saw("Results consumed before the next product was in a queue: {late}.", order.events, late=late):
            assert not late


@core
@weight(2)
@hint("The copying stream must wait for the product, and the products must wait for the matrices.")
@misconception("streams-know-nothing")
def test_no_race(seen):
    """Nothing races: each copy waits for its product."""
    for order, _ in map(products, seen):
        order.check_no_early_use()


@core
@weight(2)
@hint(
    "The product was made on one stream and is copied on another one. If your code drops it, what tells the allocator "
    "about the copy?"
)
@misconception("freed-and-still-read")
def test_memory(seen):
    """The memory of a product is not allocated again while the copy may still read it."""
    for order, _ in map(products, seen):
        order.check_no_reuse()


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
def test_value(seen, others, left_behind):
    """consume gets the right numbers, in order."""
    # However they came to the host: that is for the other tests.
    for number, one in enumerate((*seen, *others)):
        one["order"].check_no_race()
        one["order"].check_inputs_stay()
        if number < len(seen):
            consumed(one)
        check_products(one, one["xs"])
        one["again"].check(check_again, one)
    copied = sum(one.label == DOWNLOAD for one in left_behind("copy_and_compute")[0].operations)
    with saw(
        "Your code made {copied} copies for {inputs} matrices, some of which are the same tensor.",
        inputs=INPUTS,
        copied=copied,
    ):
        assert not copied or copied >= INPUTS  # none: they went to ordinary memory, of which other tests speak


def check_again(again, seen):
    """Fail unless the device made the products of the other matrices, and reported nothing else to the host."""
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
        with saw("consume got wrong numbers, or the products were not in the order of xs."):
            check_close(got, x @ x)


@hint("Use pin_memory() on a host tensor, or to('cpu', non_blocking=True). A copy to ordinary memory waits.")
@misconception("copy-is-free")
def test_pinned(seen):
    """consume gets tensors in pinned memory."""
    for call in seen:
        order, found = copies(call)
        consumed(call)
        products = {array for work, _ in found for one in work for array in one.outputs}
        read = [event for event in call["events"] if event.kind == "wait" and products.intersection(event.inputs)]
        with saw("Copies of products to ordinary memory: {count}.", order.events, count=len(read)):
            assert not read
        with saw(
            "Of {count} results given to consume, {pinned} were in pinned memory.",
            count=len(call["pinned"]),
            pinned=sum(call["pinned"]),
        ):
            assert all(call["pinned"])


@hint("The next result must not go into the buffer of an earlier one: consume may have kept it.")
@misconception("reads-the-task")
def test_results_stay(seen):
    """The tensors passed to consume still contain the same numbers at the end."""
    for call in seen:
        early = consumed_early(call)  # these change while they arrive, of which another test speaks
        both = [pair for t, pair in enumerate(zip(call["got"], call["left"], strict=True)) if t not in early]
        changed = (0 if early else call["stale"]) + sum(not np.array_equal(a, b) for a, b in both)
        with saw("Results that were overwritten after consume had got them: {changed}.", changed=changed):
            assert not changed


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(seen):
    """The list of matrices stays as it is."""
    for call in seen:
        products(call)
        check_containers_stay(call["containers_changed"])
