"""train(rank, size, net, batches, lr, epochs): a whole training of a network of modules, by several ranks."""

from functools import cache

import numpy as np
import pytest
from devices import Devices
from ranks import check_parameters, trained
from trainings import Training

from syncpoint.graders import StudentError, core, hint, misconception, value, weight

SIZES = 6, 8, 4, 8  # a later batch may be larger than the first
UNEVEN = 24, *[2] * 4  # code that takes the mean over the pictures of an epoch lets the first batch count most
SIDE = 28  # pixels of LeNet's pictures
FEW = 4  # numbers of an example of the linear network: a label has half as many bytes


@pytest.fixture(scope="module")
def away(student):
    """A sandbox in which no student code has run."""
    with student.separate_sandbox() as other:
        yield other


@pytest.fixture(scope="module")
def train(student, away):
    """``train(network, sizes, epochs, size, alike)``: a training by this many ranks, and that of a network alone.

    If the student's ddp or bucketed is wrong, ours takes its place: those mistakes were paid for.
    """

    def run(network, sizes, epochs=1, size=2, alike=True):
        rng = np.random.default_rng()
        asked = {
            "network": network,
            "seed": int(rng.integers(1 << 30)),
            "sizes": list(sizes),
            "lr": float(rng.uniform(0.05, 0.08)),
            "epochs": epochs,
            "size": size,
        }
        alone = away.observe("alone", **asked)
        try:
            own = once(asked, alike, alone, [])
            if epochs > 1 and own.passes_each > 1:  # that is for the test of passes: each epoch has its batches again
                own = once(asked, alike, alone, [], own.passes_each)
            if own.is_right() or not wrong():
                return own
        except StudentError:
            if not wrong():
                raise
        return once(asked, alike, alone, wrong())

    @cache
    def wrong():
        return [name for name in ("ddp", "bucketed") if not averages(name)]

    def averages(name):
        rng = np.random.default_rng()
        try:
            most = (1 << 20,) if name == "bucketed" else ()
            seen = trained(student, rng, name, most, steps=1, frozen=(2, 3))
            check_parameters(seen)
            seen["log"].check_no_wait()
        except AssertionError:
            return False
        return True

    def once(asked, alike, alone, given, each=1):
        # Only the order of one training is asked for: the others need no gates, and run on at once.
        one = student.results_gated if asked["network"] == "lenet" else student
        seen = one.observe("train", **asked, alike=alike, given=given, each=each)
        return Training(
            size=asked["size"],
            sizes=tuple(asked["sizes"]),
            epochs=asked["epochs"],
            log=Devices.of(seen),
            returned=seen["returned"],
            params=seen["params"],
            start=[one.values for one in alone["start"]],
            right=[[one.values for one in way] for way in alone["right"]],
            losses=alone["losses"],
            data_passes=seen["data_passes"],
            thawed=seen["thawed"],
            replaced=tuple(seen["called"]),
        )

    return run


@pytest.fixture(scope="module")
def lenet(train):
    """LeNet, one epoch, two ranks."""
    return train("lenet", SIZES)


@pytest.fixture(scope="module")
def linear(train):
    """A linear network, two epochs of uneven batches, two ranks."""
    return train("linear", UNEVEN, epochs=2)


@pytest.fixture(scope="module")
def long(train):
    """A linear network, one rank, one epoch with more batches than code usually prints the loss of."""
    return train("linear", [2] * 103, size=1)


@core
@weight(3)
@hint(
    "For each batch: the mean loss of this rank's part, backward, the average of all gradients, one step, and no old "
    "gradients in the next batch. ddp or bucketed average them."
)
@misconception("divide-once")
def test_like_one_network(lenet):
    """All ranks end with the parameters that training with the whole batches gives."""
    lenet.check_params()
    lenet.check_collectives()


@core
@weight(2)
@hint("Examples rank, rank + size, ... or a piece of tensor_split(size): only these go to the device of this rank.")
@misconception("work-not-done")
def test_a_part_each(lenet, linear):
    """Each rank sends its part of each batch to its device, and no more."""
    lenet.check_parts(SIDE * SIDE)
    linear.check_shares(FEW)


@core
@weight(2)
@hint("Let the stream wait for all gradients before the step, as finish of ddp and bucketed does.")
@misconception("collective-has-happened")
def test_no_race(lenet):
    """No step uses a gradient before its average has arrived."""
    assert lenet.passes
    lenet.log.check_no_race()


@core
@weight(2)
@hint(
    "item, print and copies from pageable memory wait. Add up the loss on the device, and read it after the "
    "last batch of the epoch; pin the part of a batch, and copy it with non_blocking=True."
)
@misconception("wait-in-the-loop")
def test_no_wait_in_an_epoch(lenet, linear, long):
    """The host does not wait between the batches of an epoch, however many there are."""
    assert lenet.passes
    for training in (lenet, linear, long):
        training.check_waits()


@hint("Iterate over batches once in each epoch. len(batches) is their number.")
@misconception("reads-the-task")
def test_one_pass(linear):
    """Each rank goes through the batches at most once in each epoch."""
    linear.check_one_pass()


@value
@weight(2)
@hint(
    "The list has one number for each epoch: the mean of the mean losses of its batches, over all ranks. Each batch "
    "counts the same, and the ranks average theirs."
)
@misconception("replicas-stay-equal")
def test_losses(linear):
    """Each rank returns the mean loss of each epoch over all ranks."""
    linear.check_losses()


@weight(2)
@hint("The network may be any module: go through net.parameters(), and leave it in training mode.")
@misconception("reads-the-task")
def test_resnet(train):
    """A narrow ResNet with batch normalization is also trained."""
    train("resnet", (8,)).check_params()


@value
@hint("Go through batches epochs times. rank and size say which part is yours; size is dist.get_world_size().")
@misconception("reads-the-task")
def test_three_ranks(train):
    """The training is right for three ranks, and for several epochs."""
    training = train("linear", (9, 6), epochs=3, size=3)
    training.check_params()
    training.check_still()
    train("words", (8, 4)).check_params()


@pytest.fixture(scope="module")
def starts(train):
    """How trainings failed in which each rank has weights of its own: one without frozen parameters, one with them.

    None where it did not.  Where the first one fails nothing is said of the other.
    """

    def failure(network):
        try:
            training = train(network, (8, 8), alike=False)
            training.check_params()
            training.check_frozen()
        except AssertionError as failed:
            return failed
        return None

    frozen = failure("frozen")
    plain = frozen and failure("linear")
    return plain, None if plain else frozen


@core
@hint("Each rank got its own random weights. Send the weights of rank 0 to all other ranks before the first batch.")
@misconception("replicas-stay-equal")
def test_starts_with_rank_0(starts):
    """All ranks begin with the weights of rank 0."""
    if starts[0]:
        raise starts[0]


@value
@hint("A parameter with requires_grad = False is sent from rank 0 as all others are, and gets no gradient or update.")
@misconception("reads-the-task")
def test_frozen(lenet, starts):
    """Frozen parameters stay as rank 0 has them, and all others are trained."""
    plain, frozen = starts
    if plain:
        lenet.check_params()  # code that does nothing freezes nothing
    if frozen:
        raise frozen
