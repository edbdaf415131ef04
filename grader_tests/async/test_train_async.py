"""train_async(net, data_iter, loss, trainer) enqueues the whole epoch and waits at the end."""

import pytest

from syncpoint.graders import core, hint, misconception, saw, value, weight


@pytest.fixture(scope="module")
def epoch(train):
    """One epoch, long enough to find a wait at every tenth batch."""
    return train("train_async", 12)


@pytest.fixture(scope="module")
def long(train):
    """An epoch with more batches than code usually prints the loss of."""
    return train("train_async", 106, held=1)


@core
@weight(5)
@hint(
    "Something in the loop waits: wait_to_read, waitall, asnumpy, asscalar, item, float, print, an array in an "
    "if? A boolean mask, nonzero and unique also wait."
)
@misconception("wait-in-the-loop")
def test_no_wait_in_the_loop(epoch, long):
    """All batches are enqueued before the first wait, however many there are."""
    for one in (epoch, long):
        with saw(one.pace, one.events):
            assert one.started_before_first_wait == one.batches


@core
@weight(2)
@hint("When train_async returns, nothing may be left to do. The last loss is not the last work: what comes after it?")
@misconception("last-loss-last-work")
def test_finished_at_return(epoch):
    """Everything is computed when train_async returns, including the last update."""
    with saw(epoch.leftovers, epoch.events, missing_wait=bool(epoch.unfinished)):
        assert epoch.started_before_first_wait and not epoch.unfinished


@value
@weight(2)
@hint("Every batch needs: the loss under autograd.record, backward, and trainer.step with the size of this batch.")
@misconception("divide-once")
def test_weights(epoch):
    """After the epoch the weights are right."""
    epoch.check_weights()


@hint("Call data_iter() once, before the loop: each call starts a new pass over the data.")
@misconception("reads-the-task")
def test_one_pass(epoch):
    """The data are read exactly once."""
    epoch.check_one_pass()


@hint("The batches belong to the caller: do not write into them, with [:], += or out=.")
@misconception("reads-the-task")
def test_data_stay(epoch):
    """The batches stay as they are."""
    epoch.check_data_stay()
