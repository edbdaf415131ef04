"""prefetcher(batches): batch t + 1 is copied to the device while batch t is worked on."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, weight

WIDTH = 4


@pytest.fixture(params=["some", "two"])
def seen(run, rng, request):
    """One pass over batches of drawn numbers, the last one smaller."""
    count = int(rng.integers(4, 7)) if request.param == "some" else 2
    sizes = [8] * (count - 1) + [int(rng.integers(3, 7))]
    batches = [rng.normal(size=(size, WIDTH)).astype("float32") for size in sizes]
    w = rng.normal(size=(WIDTH, WIDTH))
    return run("prefetcher", batches=batches, w=array(w, device=1)) | {"batches": batches, "w": w}


def passes(seen):
    """The order, and of each batch its copy and the work on it; fails unless each was worked on once."""
    order = seen["order"]
    began, ended = order.marks("work"), order.marks("worked")
    with saw(f"Of {len(seen['batches'])} batches the prefetcher gave {len(began)}."):
        assert len(began) == len(ended) == len(seen["batches"])
    found = []
    for number, (begin, end) in enumerate(zip(began, ended, strict=True)):
        work = order.operations(begin, end)
        needed = sorted(p for p in order.ancestors(work[0]) if 0 in order.events[p].reads)
        with saw(f"Batch {number} does not come from a copy of the host's memory."):
            assert needed
        found.append((needed[-1], work))
    return order, found


@core
@weight(3)
@hint("Before you give batch t away, put the copy of batch t + 1 into the queue.")
@misconception("one-stream-one-queue")
def test_copy_is_ahead(seen):
    """The copy of batch t + 1 is in a queue before the work on batch t begins."""
    order, found = passes(seen)
    late = [t for t, ((_, work), (copy, _)) in enumerate(zip(found, found[1:], strict=False)) if copy > work[0]]
    with saw(f"Batches whose successor was copied only behind the work on them: {len(late)}.", order.events):
        assert not late


@core
@weight(3)
@hint(
    "The current stream waits for the copy of batch t alone: wait before the copy of batch t + 1 is in the queue, or by "
    "an event behind the copy of t. wait_stream waits for all that the other stream has got until then."
)
@misconception("wait-stream-waits-for-all")
def test_copy_beside_the_work(seen):
    """The copy of batch t + 1 may run beside the work on batch t."""
    order, found = passes(seen)
    ordered = [
        t for t, ((_, work), (copy, _)) in enumerate(zip(found, found[1:], strict=False))
        if not order.all_beside([copy], work)
    ]
    with saw(f"Batches whose work and the next copy cannot run at the same time: {len(ordered)}.", order.events):
        assert not ordered


@core
@hint("The stream that computes waits for the stream that copies: by wait_stream or an event, never on the host.")
@misconception("host-orders-streams")
def test_no_wait(seen):
    """The host waits for nothing."""
    order, _ = passes(seen)
    order.end = len(order.events)
    order.check_no_wait()


@core
@weight(3)
@hint(
    "The work waits for its copy; and memory that was made on one stream and is used on another one needs "
    "record_stream, or else stays yours until the work is over."
)
@misconception("freed-and-still-read")
def test_no_race(seen):
    """Nothing races: the work waits for its copy, and no copy goes where earlier work still reads."""
    passes(seen)[0].check_no_race()


@weight(2)
@hint("Give every batch once, in order, as a tensor on the device: the first and the last one, too.")
@misconception("reads-the-task")
def test_value(seen):
    """Every batch arrives once, in order, with its numbers."""
    passes(seen)[0].check_no_race()
    for batch, result in zip(seen["batches"], seen["results"], strict=True):
        right = (batch @ seen["w"] @ seen["w"]).sum()
        with saw("The work on a batch gave another result than it should."):
            assert isinstance(result, EngineArray)
            np.testing.assert_allclose(result.values, right, rtol=1e-3, atol=1e-2)


@hint("One batch ahead, and no more: each batch ahead needs memory on the device and pinned memory of the host.")
@misconception("queue-is-free")
def test_one_ahead(seen):
    """The copy of batch t + 2 is not in a queue before the work on batch t is."""
    order, found = passes(seen)
    early = [t for t, ((_, work), (copy, _)) in enumerate(zip(found, found[2:], strict=False)) if copy < work[-1]]
    with saw(f"Batches that were copied more than one place ahead: {len(early)}."):
        assert not early
