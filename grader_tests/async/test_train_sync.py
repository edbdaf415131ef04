"""train_sync(net, data_iter, loss, trainer) waits once in every batch."""

import numpy as np
import pytest

from syncpoint.graders import core, hint, is_number, kind_of, misconception, saw, value, weight

LONG = 34  # batches: enough to find who stops early


@pytest.fixture(scope="module")
def epoch(train):
    """One epoch of five batches."""
    return train("train_sync", 5)


@pytest.fixture(scope="module")
def both(epoch, train):
    """That epoch, and a long one, which runs on demand."""

    def each():
        yield epoch
        yield train("train_sync", LONG, held=LONG)

    return each


@core
@weight(4)
@hint(
    "Wait for each batch before the next one starts. Which line of your loop waits, and for what? A boolean mask, "
    "nonzero and unique also wait, for the array that they get."
)
@misconception("any-wait-will-do")
def test_one_batch_in_flight(both):
    """The loss of a batch is computed before the next batch starts."""
    for epoch in both():
        with saw(
            "Batches in flight at one time: up to {most} of {batches}.",
            epoch.events,
            missing_wait=True,
            most=epoch.most_in_flight,
            batches=epoch.batches,
        ):
            assert epoch.most_in_flight == 1


@hint(
    "Take each batch out of data_iter() when the loop needs it: list(data_iter()), for example, has all "
    "batches in memory at once."
)
@misconception("queue-is-free")
def test_draws_when_needed(both):
    """At most one batch is taken out of data_iter() ahead of time."""
    for epoch in both():
        with saw(
            "Batches taken out of data_iter() and unfinished at one time: up to {most_held} of {batches}.",
            most_held=epoch.most_held,
            batches=epoch.batches,
        ):
            assert epoch.most_held <= epoch.most_in_flight + 1


@core
@hint(
    "One wait in each batch is enough: the one for the loss. Which other line of the loop waits for work that is not "
    "done yet: the output of the network, the gradients, the step? The next batch waits for these by itself."
)
@misconception("wait-in-the-loop")
def test_one_wait_in_each_batch(both):
    """train_sync waits for unfinished work once in each batch."""
    for epoch in both():
        waits = ", ".join(map(str, epoch.waits_in_batches)) or "0"
        with saw("Waits for unfinished work, batch by batch: {waits}.", epoch.events, waits=waits):
            assert set(epoch.waits_in_batches) == {1}


@value
@weight(2)
@hint("Every batch needs: the loss under autograd.record, backward, and trainer.step with the size of this batch.")
@misconception("divide-once")
def test_weights(both):
    """After the epoch the weights are right."""
    for epoch in both():
        epoch.check_weights()


@value
@hint("Add up loss(...).mean() of every batch, as it was before the step, and return the sum as a float.")
@misconception("reads-the-task")
def test_returns_the_loss(both):
    """train_sync returns the sum of the mean losses as one number."""
    for epoch in both():
        with saw("train_sync returned {kind}.", kind=kind_of(epoch.returned)):
            assert is_number(epoch.returned)
        np.testing.assert_allclose(epoch.returned, epoch.loss, rtol=1e-4)


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
