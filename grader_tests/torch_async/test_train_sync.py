"""train_sync(net, data_iter, loss, optimizer) waits in every batch."""

import pytest
from passes import HELD, MIXED, SMALL
from tensors import kind

from syncpoint.graders import core, hint, is_number, misconception, saw, value, weight
from syncpoint.graders.reference import HUBER_MOMENTUM, MARGIN

SIZES = 7, 7, 1, 4, 260


@pytest.fixture(scope="module")
def epoch(train):
    """One epoch of five batches."""
    return train("train_sync", SIZES, recipe=HUBER_MOMENTUM, again=True)


@pytest.fixture(scope="module")
def long(train):
    """One epoch of many small batches, on another stream than the default one."""
    return train("train_sync", HELD, one_layer=True, aside=True, at_once=True)


@core
@weight(4)
@hint(
    "Before a forward pass begins, the loss of the previous batch must be computed. Which line of your "
    "loop waits for it?"
)
@misconception("place-in-a-stream")
def test_one_batch_in_flight(epoch, long):
    """The loss of a batch is computed before the next batch begins."""
    for one in (epoch, long):
        with saw(one.flight, one.log.events, missing_wait=True):
            assert len(one.in_flight) >= 2 and max(one.in_flight) == 1
    epoch.check_made_by_the_device()


@hint("When train_sync returns, nothing may be left to do. The last loss is not the last work: what comes after it?")
@misconception("last-loss-last-work")
def test_finished_at_return(epoch, long):
    """Everything has been computed when train_sync returns, including the last update."""
    for one in (epoch, long):
        one.check_done("train_sync")


@value
@weight(2)
@hint(
    "Each batch needs: gradients set to zero, the mean of the given loss, backward, and one step of the given "
    "optimizer."
)
@misconception("gradients-add-up")
def test_weights(epoch, train):
    """After the epoch the weights are right."""
    epoch.check_weights()
    train("train_sync", MIXED, recipe=MARGIN).check_weights()


@value
@hint("Add up the mean loss of every batch, as it was before the step, and return the sum as a float.")
@misconception("reads-the-task")
def test_returns_the_loss(epoch, train):
    """train_sync returns the sum of the mean losses as one number."""
    with saw("train_sync returned {kind}.", kind=kind(epoch.returned)):
        assert is_number(epoch.returned)
    epoch.check_loss()
    train("train_sync", SIZES[1:4], recipe=HUBER_MOMENTUM, scale=SMALL).check_loss()


@hint("The parameters may have no gradients yet: then grad is None. optimizer.zero_grad() is right in both cases.")
@misconception("reads-the-task")
def test_no_older_gradients(train):
    """train_sync also trains parameters that have no gradients yet."""
    train("train_sync", SIZES[:3], aged=False, aside=True).check_weights()


@hint("Call data_iter() once, before the loop: each call starts a new pass over the data.")
@misconception("reads-the-task")
def test_one_pass(epoch):
    """The data are read exactly once."""
    epoch.check_one_pass()


@hint("The batches belong to the caller. Copy a tensor before you change it with zero_, += or a mask.")
@misconception("reads-the-task")
def test_data_stay(epoch):
    """The batches stay as they are."""
    epoch.check_data_stay()
