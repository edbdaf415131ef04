"""bucketed(net, most): gradients averaged in buckets, the last layers first."""

import numpy as np
import pytest
from ranks import check_frozen, check_parameters, confirm_early, trained, with_early

from syncpoint.graders import core, hint, misconception, saw, value, weight

WIDTHS = (6, 9, 9, 9, 9, 3)  # of float32: matrices of 216, 324, 324, 324 and 108 bytes; biases of 36, 36, 36, 36, 12
MOST = 480  # bytes: from the end 120 + 360, then 360 + 36, then 324 + 36, then 216
DEEP = (4,) * 13  # twelve layers of 80 bytes each, of float64 twice that
FOUR = 640  # bytes: four layers of float64, so three buckets; who closes them when they are half full has five or six
STEPS = 12
HALF = 160  # bytes: four layers of float16
FEW = 4  # collectives: one for each of these buckets, and one for a small first bucket
ONE = 80  # bytes: one layer, so each bucket is full to the last byte
MORE = 144  # bytes: a matrix, a bias and a matrix: three layers in two buckets, unless no layer is divided
EARLY = 2  # of the first network's buckets are whole before the last work of the backward pass, whatever comes first


@pytest.fixture(scope="module")
def seen(student):
    """Two steps of two ranks."""
    return with_early(trained(student, np.random.default_rng(), "bucketed", (MOST,), widths=WIDTHS))


@pytest.fixture(scope="module")
def deep(student):
    """One step of two ranks with many layers of one size, of float64."""
    more = {"steps": 1, "widths": DEEP, "again": False, "dtype": "float64"}
    return trained(student, np.random.default_rng(), "bucketed", (FOUR,), **more)


@pytest.fixture(scope="module")
def many(student):
    """More steps than code usually prints the loss of; one rank, and one layer."""
    rng = np.random.default_rng()
    return trained(student, rng, "bucketed", (MOST,), size=1, steps=STEPS, widths=(2, 2), again=False)


def passes(seen):
    """Of each step and rank its number, its rank, and its collectives; fails if there are none."""
    for step in range(seen["steps"]):
        for rank in range(seen["size"]):
            found = seen["log"].collectives(rank, step)
            with saw("In one step a rank did not take part in any collective."):
                assert found
            yield step, rank, found


@core
@weight(2)
@hint(
    "Begin with the last layer: its gradients are there first. A bucket is sent as soon as its last gradient is there."
)
@misconception("gradients-come-one-by-one")
def test_overlap(seen, deep):
    """The first bucket holds the last layer, and all but the last ones may overlap the rest of the backward pass."""
    log, late = seen["log"], 0
    last = len(seen["right"]) - 2, len(seen["right"]) - 1  # weight and bias: a small first bucket holds one of them
    for step, rank, found in passes(seen):
        with saw("The update of a layer was not computed from the result of a collective."):
            assert any(log.averaging(rank, step, number) for number in last)
        with saw("The first bucket that was sent does not hold the gradient of the last layer."):
            assert any(found[0] in log.averaging(rank, step, number) for number in last)
        late += not all(log.overlaps(one, rank, step) for one in found[:EARLY])
    passed = seen["steps"] * seen["size"]
    with saw(
        "Backward passes in which one of the first {buckets} buckets was sent too late to overlap the "
        "rest: {late} of {passed}.",
        buckets=EARLY,
        late=late,
        passed=passed,
    ):
        assert not late
    behind = sum(overtaken(deep, step, rank, found) for step, rank, found in passes(deep))
    with saw("Layers whose gradient was sent after a gradient of an earlier layer: {behind}.", behind=behind):
        assert not behind
    confirm_early(seen, [last[0] - 2, last[0]])


def overtaken(seen, step, rank, found):
    """How many layers were sent after an earlier one, the first one of the network being the earliest.

    The order of a weight and its bias is free, and a layer may be divided between two buckets.
    """
    places, late, before = [one.place for one in found], 0, len(found)
    for layer in range(len(DEEP) - 1):
        sent = [
            places.index(one.place)
            for number in (2 * layer, 2 * layer + 1)
            for one in seen["log"].averaging(rank, step, number)
        ]
        late += bool(sent) and max(sent) > before
        before = min([before, *sent])
    return late


@core
@hint("Fill a bucket until the next gradient would make it larger than `most`, and only then begin another one.")
@misconception("copy-is-free")
def test_few(student, rng, deep):
    """There are no more buckets than are needed: each bucket is filled, whatever the type of the parameters."""
    params = len(deep["right"])
    more = {"steps": 1, "widths": DEEP, "again": False, "dtype": "float16"}
    counts = sorted({*counts_of(deep), *counts_of(trained(student, rng, "bucketed", (HALF,), **more))})
    allowed = " or ".join(map(str, counts))
    with saw(
        "A full bucket holds a third of the {params} gradients. Collectives in a step: {collectives}.",
        params=params,
        collectives=allowed,
    ):
        assert max(counts) <= FEW


def counts_of(seen):
    """How many collectives a rank took part in in a step, the least first."""
    return sorted({len(found) for _, _, found in passes(seen)})


@core
@hint("p.grad.nbytes, or p.numel() * p.element_size(): a bucket of more than `most` bytes is too large.")
@misconception("queue-is-free")
def test_most(seen, deep):
    """No bucket is larger than `most` bytes, whatever the type of the parameters."""
    check_sizes(seen, MOST)
    check_sizes(deep, FOUR)


def check_sizes(seen, most):
    """Fail if a bucket has more than most bytes."""
    sizes = [seen["events"][one.place].nbytes for _, _, found in passes(seen) for one in found]
    large = sum(size > most for size in sizes)
    with saw("{large} of {count} buckets had more bytes than allowed.", count=len(sizes), large=large):
        assert not large


@core
@weight(2)
@hint("Call handle.wait() for every bucket, in finish, before the numbers are copied back: then the stream waits.")
@misconception("collective-has-happened")
def test_no_race(seen):
    """No bucket is used before its collective has finished."""
    seen["log"].check_no_race()


@core
@weight(2)
@hint("Copy each part of a bucket back to the gradient from which it came, divided by the number of ranks.")
@misconception("divide-once")
def test_averages(seen):
    """All gradients are averaged over the ranks, in each step."""
    check_parameters(seen)


@core
@hint("handle.wait() makes the stream wait and not the host. synchronize, item, print and barrier hold up the host.")
@misconception("host-orders-streams")
def test_no_wait(seen, many):
    """The host waits for nothing, however many steps there are."""
    for one in (seen, many):
        one["log"].check_no_wait()


@value
@hint("dist.get_world_size() says how many ranks there are.")
@misconception("divide-once")
def test_three_ranks(student, rng):
    """The averages are also right for three ranks, for float64, and for a parameter that two layers share."""
    check_parameters(trained(student, rng, "bucketed", (2 * MOST,), size=3, steps=1, widths=WIDTHS, dtype="float64"))
    check_parameters(trained(student, rng, "bucketed", (ONE,), steps=1, widths=(3, 4, 4), tied=True))


@hint("A parameter with requires_grad = False has no gradient that a bucket could wait for.")
@misconception("reads-the-task")
def test_frozen(student, rng, deep):
    """Parameters that ask for no gradient are in no bucket."""
    seen = trained(student, rng, "bucketed", (MOST,), steps=1, widths=WIDTHS, frozen=(2, 3))
    check_parameters(seen)
    check_frozen(seen)
    # All matrices but the first one are frozen; of the biases, five fit into a bucket.
    biases = trained(student, rng, "bucketed", (ONE,), steps=1, widths=DEEP, frozen=range(2, 24, 2), again=False)
    left = [one for number, one in enumerate(biases["net"].weights) if number < 2 or number % 2]
    whole = sum(one.nbytes for one in left)
    sent = max(sum(biases["events"][one.place].nbytes for one in found) for _, _, found in passes(biases))
    with saw(
        "Bytes that a rank sent in a step: {sent}. The gradients of all parameters that are not frozen have "
        "{whole} bytes.",
        sent=sent,
        whole=whole,
    ):
        assert sent <= whole + ONE  # who fills the last bucket up with zeros sends some more
    count = max(counts_of(biases))
    with saw(
        "Five gradients fit into a bucket. Buckets for {params} gradients, without frozen parameters: {count}.",
        params=len(left),
        count=count,
    ):
        assert count <= 5 or max(counts_of(deep)) > FEW  # too many in any case: test_few says so


@hint(
    "One bucket for all, if `most` is large enough: it is sent when the last gradient is there. A bucket "
    "of exactly `most` bytes is not too large."
)
@misconception("reads-the-task")
def test_one_bucket(student, rng, deep):
    """The averages are right if everything fits into one bucket, and if buckets are exactly full."""
    check_parameters(trained(student, rng, "bucketed", (1 << 20,), steps=1, widths=WIDTHS))
    full = trained(student, rng, "bucketed", (ONE,), steps=1, widths=DEEP, again=False)
    layers, most = len(DEEP) - 1, max(counts_of(full))
    with saw(
        "With room for exactly one layer in a bucket, {layers} layers were sent in {most} buckets.",
        layers=layers,
        most=most,
    ):
        # In another order some are not full, and test_overlap says so; and test_few that there are too many anyway.
        assert most <= 1.5 * layers or max(counts_of(deep)) > FEW
    most = max(counts_of(trained(student, rng, "bucketed", (MORE,), steps=1, widths=DEEP, again=False)))
    with saw(
        "With room for almost two layers in a bucket, {layers} layers were sent in {most} buckets.",
        layers=layers,
        most=most,
    ):
        assert most <= 2 * layers // 3 + 1 or max(counts_of(deep)) > FEW
