"""train_bounded(net, data_iter, loss, trainer, in_flight=2) keeps at most in_flight batches unfinished."""

from syncpoint.graders import hint, weight

LIMITS = (1, 2, 3, 8)


def bounded(train, limit):
    """One epoch with this limit, long enough to break it."""
    return train("train_bounded", limit + 3, limit)


@weight(4)
@hint("Before batch t + in_flight starts, the loss of batch t must be computed. Try it on paper with in_flight = 1.")
def test_never_more(train):
    """At most in_flight batches are in flight."""
    for limit in LIMITS:
        epoch = bounded(train, limit)
        assert 1 <= epoch.most_in_flight <= limit
        # Who draws the next batch before it is needed holds one more.
        assert epoch.most_held <= limit + 1


@weight(2)
@hint(
    "The loop waits too early or for too much. With in_flight = 3, two more batches may start before batch 0 is done. "
    "Beside item, float and print, a boolean mask, nonzero and unique wait, too."
)
def test_makes_use_of_the_bound(train):
    """Up to in_flight batches are in flight: it waits for no more than it must."""
    for limit in LIMITS:
        assert bounded(train, limit).most_in_flight >= limit


@hint("Give the parameter a default: in_flight=2.")
def test_default(train):
    """Without in_flight, two batches are in flight."""
    assert train("train_bounded", 5).most_in_flight == 2


@hint("When train_bounded returns, nothing may be left to do. The last loss is not the last work: what comes after it?")
def test_finished_at_return(train):
    """Everything is computed when train_bounded returns, the last update too."""
    epoch = bounded(train, 2)
    assert epoch.most_in_flight and not epoch.unfinished


@hint("Every batch needs: the loss under autograd.record, backward, and trainer.step with the size of this batch.")
def test_weights(train):
    """After the epoch the weights are right."""
    bounded(train, 2).check_weights()


@hint("Call data_iter() once, before the loop: each call starts a new pass over the data.")
def test_one_pass(train):
    """The data are gone through once."""
    assert bounded(train, 2).calls == 1
