"""prefetcher(batches): batch t + 1 is copied to the device while batch t is worked on."""

import itertools

import numpy as np
import pytest
from order import check_close, check_given_back

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight
from syncpoint.graders.device_log import UPLOAD
from syncpoint.graders.unchanged import check_containers_stay

WIDTH, FEW = 4, 2
ROWS = 300  # of a batch; of those of a few, 8


@pytest.fixture(scope="module")
def fetch(run):
    """``fetch(count)``: one pass over this many batches of drawn numbers, the last one smaller; perhaps out of a list.

    left: whether the loop is left after the first batch.
    """
    rng = np.random.default_rng()

    def called(count, listed=False, dtype="float32", left=False):
        most = ROWS if count > FEW else 8
        sizes = [*[most] * (count - 1), 1 if count > FEW else int(rng.integers(3, 7))][:count]
        rows = rng.normal(size=(count, most * WIDTH)).astype(dtype)
        batches = [row.reshape(-1, WIDTH)[:size] for row, size in zip(rows, sizes, strict=True)]
        w = rng.normal(size=(WIDTH, WIDTH))
        there = {"w": array(w, device=1, dtype=dtype), "batches": array(rows, device=1, dtype=dtype, look=True)}
        how = {"sizes": sizes, "listed": listed, "left": left}
        seen = run("prefetcher", {"batches": batches}, again=not left, **there, **how)
        return seen | {"batches": batches, "w": w}

    return called


@pytest.fixture(scope="module")
def seen(fetch):
    """One pass over many large batches."""
    return fetch(int(np.random.default_rng().integers(12, 16)))


@pytest.fixture(scope="module")
def listed(fetch):
    """One pass over a list of a single batch."""
    return fetch(1, listed=True)


def passes(seen):
    """The order, and of each batch that was given its copy and the work on it; fails if there are not two of them.

    The work on a batch is what its mean follows from, and what itself follows from the weights.
    """
    order, means, found = seen["order"], seen["means"], []
    with saw("Batches that the prefetcher gave: {given} of {total}.", given=len(means), total=len(seen["batches"])):
        assert len(means) >= 2
    weights = order.input("w")
    for number, result in enumerate(means):
        last = order.writers(result.number)[-1:] if isinstance(result, EngineArray) else []
        needed = sorted({*last, *order.ancestors(last)}, key=lambda one: one.place)
        work = [one for one in needed if weights in order.ancestors([one])]
        copies = [one for one in needed if one.label == UPLOAD and one in order.ancestors(work[:1])]
        with saw("Batch {number} does not come from a copy of the host's memory.", number=number):
            assert copies
        found.append((copies[-1], work))
    return order, found


@core
@weight(3)
@hint("Before you yield batch t, put the copy of batch t + 1 into the queue.")
@misconception("one-stream-one-queue")
def test_copy_is_ahead(seen):
    """The copy of batch t + 1 is in a queue before the work on batch t begins."""
    order, found = passes(seen)
    late = [t for t, ((_, work), (copy, _)) in enumerate(itertools.pairwise(found)) if copy.place > work[0].place]
    with saw(
        "Batches whose work was enqueued before the copy of the next batch: {count}.", order.events, count=len(late)
    ):
        assert not late


@core
@hint("Make a stream for the copies, and call host.to(device, non_blocking=True) inside `with gpu.stream(copying):`.")
@misconception("one-stream-one-queue")
def test_own_stream(seen):
    """The copies are in another stream than the work."""
    order, found = passes(seen)
    same = sum(copy.stream == one.stream for copy, work in found for one in work[:1])
    with saw("Copies in the stream of the work: {same} of {total}.", order.events, same=same, total=len(found)):
        assert not same


@core
@weight(3)
@hint(
    "The current stream waits only for the copy of batch t. So wait before the copy of batch t + 1 is in the "
    "queue, or use an event after the copy of t. A call of wait_stream waits for everything that the other "
    "stream has at that moment."
)
@misconception("wait-stream-waits-for-all")
def test_copy_beside_the_work(seen):
    """The copy of batch t + 1 may run at the same time as the work on batch t."""
    order, found = passes(seen)
    ordered = [
        t for t, ((_, work), (copy, _)) in enumerate(itertools.pairwise(found)) if order.fixed_pairs([copy], work)
    ]
    with saw(
        "Batches whose work cannot run at the same time as the next copy: {count}.", order.events, count=len(ordered)
    ):
        assert not ordered


@core
@hint("The stream that computes waits for the stream that copies, with wait_stream or an event, never on the host.")
@misconception("host-orders-streams")
def test_no_wait(seen, left_behind):
    """The host waits for nothing."""
    passes(seen)[0].check_no_wait()
    left_behind("prefetcher")[0].check_no_wait_in_many()


@core
@weight(2)
@hint("The work waits for its copy, and a copy that refills a buffer waits for the work that reads it.")
@misconception("streams-know-nothing")
def test_no_race(seen):
    """Nothing races: the work waits for its copy, and no copy overwrites what earlier work may still read."""
    passes(seen)[0].check_no_early_use()


@core
@weight(2)
@hint(
    "A tensor was made on one stream and is used on another one. When the loop drops it, its memory may be allocated "
    "again: call record_stream, or keep the tensor until the work is done. A tensor made on the current stream may "
    "get memory that earlier work still reads: let the stream that copies wait for that work."
)
@misconception("freed-and-still-read")
def test_memory(seen):
    """The memory of a batch is not allocated again while the work may still read it."""
    passes(seen)[0].check_no_reuse()


@weight(4)
@hint("With record_stream, memory is free again when the work is done. A list that is never emptied keeps it forever.")
@misconception("freed-and-still-read")
def test_memory_comes_back(left_behind):
    """Memory is free again when the work is done and the results are gone."""
    check_given_back(left_behind("prefetcher")[1])


@value
@weight(2)
@hint("Yield every batch once, in order, as a tensor on the device, including the first and the last one.")
@misconception("reads-the-task")
def test_value(seen):
    """Every batch arrives once, in order, with its numbers."""
    check_value(seen)


@value
@hint(
    "What does your code do after the last batch, if there are two batches, one or none? next() needs an iterator, and "
    "a list is not one. A buffer for a batch has the type of the batch."
)
@misconception("reads-the-task")
def test_few_batches(fetch, listed):
    """It also works for two batches of float64, for one batch and for none, from a generator and from a list."""
    fetch(FEW, left=True)  # code that keeps the next batch gives it in the next pass
    check_value(fetch(FEW, dtype="float64"))
    check_value(listed)
    check_value(fetch(0))


def check_value(seen):
    """Fail unless every batch came once, in order, with its numbers."""
    seen["order"].check_no_race()
    with saw(
        "Batches that the prefetcher gave: {given} of {total}.", given=len(seen["means"]), total=len(seen["batches"])
    ):
        assert len(seen["means"]) == len(seen["batches"])
    check_means(seen, seen)
    seen["again"].check(check_means, seen["others"])


def check_means(seen, inputs):
    """Fail unless the work gave the right means for these inputs."""
    for batch, result in zip(inputs["batches"], seen["means"], strict=True):
        right = (batch @ inputs["w"] @ inputs["w"]).mean()
        with saw("The work on a batch gave a wrong result."):
            assert isinstance(result, EngineArray)
        with saw("The prefetcher gave batches of another type than it got."):
            assert result.values.dtype == batch.dtype
        with saw("The work on a batch gave a wrong result."):
            check_close(result.values, right)


@hint("One batch ahead, and no more: each batch ahead needs memory on the device and pinned memory of the host.")
@misconception("queue-is-free")
def test_one_ahead(seen):
    """The copy of batch t + 2 is enqueued only after the work on batch t."""
    order, found = passes(seen)
    early = [
        t for t, ((_, work), (copy, _)) in enumerate(zip(found, found[2:], strict=False)) if copy.place < work[-1].place
    ]
    with saw("Batches that were copied more than one batch ahead: {count}.", count=len(early)):
        assert not early
    ends = [work[-1].place for _, work in found]
    most = max((number - sum(end < place for end in ends) for number, place in order.looked), default=0)
    with saw("The prefetcher took batches out of the generator up to {most} places ahead; two are allowed.", most=most):
        assert most <= 2  # code that takes one more and copies it later holds little


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(listed):
    """A list of batches stays as it is."""
    with saw("For a list with one batch, the prefetcher yielded none."):
        assert listed["means"]
    check_containers_stay(listed["containers_changed"])
