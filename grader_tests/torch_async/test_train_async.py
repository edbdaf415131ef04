"""train_async(net, data_iter, loss, optimizer) enqueues all batches, and waits only at the end."""

import pytest
from passes import LONG, MIXED, SIZES, SMALL
from tensors import kind

from syncpoint.graders import core, hint, is_number, misconception, saw, value, weight
from syncpoint.graders.reference import HUBER_MOMENTUM, MARGIN


@pytest.fixture(scope="module")
def epoch(train):
    """One epoch of twelve batches."""
    return train("train_async", SIZES, recipe=HUBER_MOMENTUM, again=True)


@pytest.fixture(scope="module")
def long(train):
    """An epoch with more batches than code usually prints the loss of."""
    return train("train_async", LONG, held=False, one_layer=True, at_once=True)


@pytest.fixture(scope="module")
def pinned(train):
    """An epoch of batches that are pinned, on another stream than the default one."""
    return train("train_async", SIZES[:4], pinned=True, aside=True)


@core
@weight(5)
@hint("Something in the loop waits: item, float, print, or the copy to the device? Add up the loss on the device.")
@misconception("wait-in-the-loop")
def test_no_wait_in_the_loop(epoch, long):
    """All batches are enqueued before the first wait, however many there are."""
    for one in (epoch, long):
        one.check_runs_ahead()


@core
@hint(
    "A copy from ordinary memory to the device waits, even with non_blocking=True; a copy from pinned "
    "memory waits without it. A tensor that you make on the host in each batch is also copied from "
    "ordinary memory."
)
@misconception("copy-is-free")
def test_copies_do_not_wait(epoch):
    """No copy to the device makes the loop wait."""
    epoch.check_copies()


@hint("A batch may be pinned already: pinning it again is allowed, and must not make the loop wait.")
@misconception("copy-is-free")
def test_pinned_batches(pinned):
    """If a batch is already pinned, copying it does not make the loop wait."""
    pinned.check_copies()


@core
@weight(2)
@hint("When train_async returns, nothing may be left to do. The last loss is not the last work: what comes after it?")
@misconception("last-loss-last-work")
def test_finished_at_return(epoch, pinned):
    """Everything has been computed when train_async returns, including the last update."""
    for one in (epoch, pinned):
        one.check_done("train_async")


@core
@weight(2)
@hint(
    "Each batch needs: gradients set to zero, the mean of the given loss, backward, and one step of the given "
    "optimizer. A pinned buffer may be written again only when its copy has run."
)
@misconception("gradients-add-up")
def test_weights(epoch):
    """After the epoch the weights are right."""
    epoch.check_weights()


@value
@hint("Add up the mean loss of every batch, as it was before the step, and return the sum as a float.")
@misconception("reads-the-task")
def test_returns_the_loss(epoch, train):
    """train_async returns the sum of the mean losses as one number."""
    with saw("train_async returned {kind}.", kind=kind(epoch.returned)):
        assert is_number(epoch.returned)
    epoch.check_loss()
    train("train_async", MIXED, recipe=MARGIN).check_loss()
    train("train_async", SIZES[4:7], recipe=HUBER_MOMENTUM, scale=SMALL).check_loss()


@hint("The parameters may have no gradients yet: then grad is None. optimizer.zero_grad() is right in both cases.")
@misconception("reads-the-task")
def test_no_older_gradients(train):
    """train_async also trains parameters that have no gradients yet."""
    train("train_async", SIZES[:3], aged=False, aside=True).check_weights()


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
