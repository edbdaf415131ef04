"""train_bounded(net, data_iter, loss, trainer, in_flight=2) keeps in_flight batches in flight, and no more.

A batch is in flight from the first operation of its forward pass until a wait has shown its loss computed.
"""

from syncpoint.graders import core, hint, message, misconception, saw, value, weight

# No more: pending operations hold places for temporary numbers, of which there are 64 (docs/explanation/gates.md).
LIMITS = (1, 2, 4)
LONG = 24  # batches: enough to find who stops early


def bounded(train, limit):
    """One epoch with this limit, long enough to fill the bound twice over."""
    return train("train_bounded", LONG if limit == 2 else 2 * limit + 3, limit, held=LONG)


def counts(epoch):
    """What the student may read about the batches in flight."""
    in_flight = ", ".join(map(str, epoch.in_flight)) or message("nothing")
    return message(
        "Batches in flight each time a batch started, including this batch: {in_flight}.", in_flight=in_flight
    )


@core
@weight(4)
@hint("Before batch t + in_flight starts, the loss of batch t must be computed. Try it on paper with in_flight = 1.")
@misconception("queue-is-free")
def test_never_more(train):
    """At most in_flight batches are in flight."""
    for limit in (*LIMITS, 9):
        epoch = bounded(train, limit)
        with saw(
            "With in_flight={limit}: {counts}", epoch.events, missing_wait=True, limit=limit, counts=counts(epoch)
        ):
            assert 1 <= epoch.most_in_flight <= limit


@hint(
    "Take each batch out of data_iter() when the loop needs it: list(data_iter()), for example, has all "
    "batches in memory at once."
)
@misconception("queue-is-free")
def test_draws_when_needed(train):
    """At most one batch is taken out of data_iter() ahead of time."""
    for limit in LIMITS:
        epoch = bounded(train, limit)
        with saw(
            "With in_flight={limit}, up to {most_held} batches taken out of data_iter() were unfinished at one time.",
            limit=limit,
            most_held=epoch.most_held,
        ):
            assert epoch.most_held <= max(limit, epoch.most_in_flight) + 1


@core
@weight(4)
@hint(
    "The loop waits too early or for too much. Before batch t + in_flight starts, wait only for the loss of "
    "batch t, the oldest one: not for a group of batches, not for the newest loss, and not for everything. Like"
    " item, float and print, a boolean mask, nonzero and unique also wait."
)
@misconception("empty-queue")
def test_makes_use_of_the_bound(train):
    """Once in_flight batches are in flight, that many stay in flight: the loop waits for no more than it must."""
    for limit in LIMITS:
        epoch = bounded(train, limit)
        with saw(
            "With in_flight={limit}: {counts} {pace}", epoch.events, limit=limit, counts=counts(epoch), pace=epoch.pace
        ):
            # Each batch from there on starts when the one that was limit places before it is done, and no other.
            assert len(epoch.in_flight) > limit and min(epoch.in_flight[limit:]) >= limit


@weight(3)
@hint("Is the default in_flight=2? Does each wait come as late as it may, so that two batches are in flight?")
@misconception("reads-the-task")
def test_default(train):
    """Called without in_flight, the function keeps two batches in flight."""
    epoch = train("train_bounded", 7)
    most = epoch.most_in_flight
    if most > 2:
        found = message(
            "Without in_flight, {most} batches were in flight at one time, so a wait is missing or comes too late. "
            "{counts}",
            most=most,
            counts=counts(epoch),
        )
    else:
        found = message(
            "Without in_flight, fewer than two batches were in flight: the loop waits too early or for "
            "too much. {pace} {counts}",
            pace=epoch.pace,
            counts=counts(epoch),
        )
    with saw(found, epoch.events, missing_wait=most > 2):
        assert most == 2 and epoch.in_flight[2:] == [2] * (epoch.batches - 2)


@core
@hint("When train_bounded returns, nothing may be left to do. The last loss is not the last work: what comes after it?")
@misconception("last-loss-last-work")
def test_finished_at_return(train):
    """Everything has been computed when train_bounded returns, including the last update."""
    epoch = bounded(train, 2)
    with saw(epoch.leftovers, epoch.events, missing_wait=bool(epoch.unfinished)):
        assert epoch.most_in_flight and not epoch.unfinished


@value
@hint("Every batch needs: the loss under autograd.record, backward, and trainer.step with the size of this batch.")
@misconception("divide-once")
def test_weights(train):
    """After the epoch the weights are right."""
    bounded(train, 2).check_weights()


@hint("Call data_iter() once, before the loop: each call starts a new pass over the data.")
@misconception("reads-the-task")
def test_one_pass(train):
    """The data are read exactly once."""
    bounded(train, 2).check_one_pass()


@hint("The batches belong to the caller: do not write into them, with [:], += or out=.")
@misconception("reads-the-task")
def test_data_stay(train):
    """The batches stay as they are."""
    bounded(train, 2).check_data_stay()


@hint(
    "An epoch may have fewer batches than in_flight, and in_flight may be large. What does the code do where it looks "
    "for the oldest loss?"
)
@misconception("reads-the-task")
def test_more_room_than_batches(train):
    """With fewer batches than in_flight, each batch is used once, and the only wait is at the end."""
    for batches, limit in ((3, 7), (12, 13)):
        epoch = train("train_bounded", batches, limit)
        epoch.check_weights()
        with saw(
            "With in_flight={limit}: {counts} {pace}", epoch.events, limit=limit, counts=counts(epoch), pace=epoch.pace
        ):
            assert epoch.most_in_flight >= batches - 1  # the first may have been waited for, to fill caches
        with saw(epoch.leftovers, epoch.events, missing_wait=bool(epoch.unfinished)):
            assert not epoch.unfinished
