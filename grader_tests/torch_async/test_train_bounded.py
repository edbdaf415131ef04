"""train_bounded(net, data_iter, loss, optimizer, in_flight=2) keeps in_flight batches in flight, and no more.

A batch is in flight from the first operation of its forward pass until the host has waited for its loss.
"""

import pytest
from passes import HELD, SIZES

from syncpoint.graders import core, hint, misconception, saw, weight
from syncpoint.graders.reference import L1_ADAM

LIMITS = 1, 2, 3
ROOM, COUNT = 100, 12  # for more than there are batches, and how many these are


@pytest.fixture(scope="module")
def bounded(train):
    """``bounded(limit)``: one epoch, long enough to fill the bound twice over."""
    return lambda limit: train("train_bounded", SIZES[: 2 * limit + 3], limit, recipe=L1_ADAM, again=limit == 2)


@pytest.fixture(scope="module")
def epochs(train, bounded):
    """Pairs of a limit and an epoch; the last one has many small batches, and is not on the default stream."""
    long = train("train_bounded", HELD, 2, one_layer=True, aside=True)
    return [(limit, bounded(limit)) for limit in LIMITS] + [(2, long)]


@pytest.fixture(scope="module")
def roomy(train):
    """An epoch with more room than there are batches."""
    return train("train_bounded", SIZES[:COUNT], ROOM)


@core
@weight(4)
@hint("Before batch t + in_flight begins, the loss of batch t must be computed. Try it on paper with in_flight = 1.")
@misconception("queue-is-free")
def test_never_more(epochs):
    """At most in_flight batches are in flight."""
    for limit, epoch in epochs:
        with saw(
            "With in_flight={limit}: {flight}", epoch.log.events, missing_wait=True, limit=limit, flight=epoch.flight
        ):
            assert len(epoch.in_flight) > limit and max(epoch.in_flight) <= limit
        # Code that sends the next batch before that wait holds one more.
        with saw(
            "With in_flight={limit}, up to {most_held} batches taken out of data_iter() were unfinished at one time.",
            limit=limit,
            most_held=epoch.most_held,
        ):
            assert epoch.most_held <= limit + 1


@core
@weight(4)
@hint(
    "The loop waits too early or for too much. Before batch t + in_flight begins, wait for batch t and for nothing "
    "newer. Calling item waits for everything that was enqueued before it, even if the loss is an old one. So do "
    "synchronize and a copy from ordinary memory. What marks a place in a stream?"
)
@misconception("empty-queue")
def test_makes_use_of_the_bound(epochs):
    """Once in_flight batches are in flight, that many stay in flight: the loop waits for no more than it must."""
    for limit, epoch in epochs:
        with saw(
            "With in_flight={limit}: {flight} The first wait: {first_wait}.",
            epoch.log.events,
            limit=limit,
            flight=epoch.flight,
            first_wait=epoch.log.first_wait,
        ):
            assert len(epoch.in_flight) > limit and min(epoch.in_flight[limit:]) >= limit


@core
@hint(
    "A copy from ordinary memory to the device waits, even with non_blocking=True; a copy from pinned "
    "memory waits without it."
)
@misconception("copy-is-free")
def test_copies_do_not_wait(bounded):
    """No copy to the device makes the loop wait."""
    bounded(2).check_copies()


@weight(3)
@hint("Is the default in_flight=2? Does each wait come as late as it may, so that two batches are in flight?")
@misconception("reads-the-task")
def test_default(train):
    """Called without in_flight, the function keeps two batches in flight."""
    epoch = train("train_bounded", SIZES[:5])
    with saw("Called without in_flight: {flight}", epoch.log.events, flight=epoch.flight):
        assert max(epoch.in_flight, default=0) == 2 and epoch.in_flight[2:] == [2] * 3


@hint(
    "in_flight may be large, or larger than the number of batches. What does the loop do while fewer than "
    "in_flight batches have begun?"
)
@misconception("reads-the-task")
def test_more_room_than_batches(roomy):
    """If in_flight is larger than the number of batches, the function waits only at the end."""
    with saw(
        "With in_flight={limit}: {flight} The first wait: {first_wait}.",
        roomy.log.events,
        limit=ROOM,
        flight=roomy.flight,
        first_wait=roomy.log.first_wait,
    ):
        assert max(roomy.in_flight, default=0) >= roomy.batches - 1  # the first may have been waited for


@core
@hint("When train_bounded returns, nothing may be left to do. The last loss is not the last work: what comes after it?")
@misconception("last-loss-last-work")
def test_finished_at_return(epochs, roomy):
    """Everything has been computed when train_bounded returns, including the last update."""
    for epoch in (*(epoch for _, epoch in epochs), roomy):
        epoch.check_done("train_bounded")


@core
@weight(2)
@hint(
    "Each batch needs: gradients set to zero, the mean of the given loss, backward, and one step of the given "
    "optimizer. A pinned buffer may be written again only when its copy has run."
)
@misconception("gradients-add-up")
def test_weights(bounded, roomy):
    """After the epoch the weights are right."""
    for epoch in (*map(bounded, LIMITS), roomy):
        epoch.check_weights()


@hint("The parameters may have no gradients yet: then grad is None. optimizer.zero_grad() is right in both cases.")
@misconception("reads-the-task")
def test_no_older_gradients(train):
    """train_bounded also trains parameters that have no gradients yet."""
    train("train_bounded", SIZES[:3], aged=False, aside=True).check_weights()


@hint("Call data_iter() once, before the loop: each call starts a new pass over the data.")
@misconception("reads-the-task")
def test_one_pass(bounded):
    """The data are read exactly once."""
    bounded(2).check_one_pass()


@hint("The batches belong to the caller. Copy a tensor before you change it with zero_, += or a mask.")
@misconception("reads-the-task")
def test_data_stay(bounded):
    """The batches stay as they are."""
    bounded(2).check_data_stay()
