"""ddp(net): the gradients of the last layers are averaged while those of the first ones are computed."""

import numpy as np
import pytest
from ranks import COLLECTIVES, check_frozen, check_parameters, confirm_early, trained, with_early

from syncpoint.graders import core, hint, misconception, saw, value, weight

STEPS = 12


@pytest.fixture(scope="module")
def seen(student):
    """Two steps of two ranks, with four layers of drawn widths."""
    rng = np.random.default_rng()
    return with_early(trained(student, rng, "ddp", widths=(4, *rng.integers(3, 8, size=3).tolist(), 1)))


@pytest.fixture(scope="module")
def many(student):
    """More steps than code usually prints the loss of; one rank, and one layer."""
    return trained(student, np.random.default_rng(), "ddp", size=1, steps=STEPS, widths=(2, 2), again=False)


@pytest.fixture(scope="module")
def tied(student):
    """One step of two ranks with a network in which two layers share their parameters."""
    return trained(student, np.random.default_rng(), "ddp", steps=1, widths=(3, 4, 4), tied=True)


def late(seen, weight):
    """In how many backward passes the all-reduce of most of a parameter had to wait for the last work."""
    log, found, whole = seen["log"], 0, 4 * seen["net"].weights[weight].size
    for step in range(seen["steps"]):
        for rank in range(seen["size"]):
            mine = log.averaging(rank, step, weight)
            with saw("The update of a layer was not computed from the result of a collective."):
                assert mine
            early = sum(log.events[one.place].nbytes for one in mine if log.overlaps(one, rank, step))
            found += 2 * early <= whole
    return found


@core
@weight(3)
@hint(
    "register_post_accumulate_grad_hook calls you when a gradient is there, while backward goes on. Start its "
    "all-reduce in the hook, with async_op=True, and wait for it in finish."
)
@misconception("gradients-come-one-by-one")
def test_overlap(seen):
    """The all-reduce of the last layer may run at the same time as the last work of the backward pass."""
    last = len(seen["right"]) - 2  # the matrix of the last layer
    found, total = late(seen, last), seen["steps"] * seen["size"]
    with saw(
        "Backward passes in which the all-reduce of the last layer came too late to overlap the rest: "
        "{found} of {total}.",
        found=found,
        total=total,
    ):
        assert not found
    confirm_early(seen, [last])


@weight(2)
@hint(
    "A hook for each parameter, which starts its all-reduce at once: it may run at the same time as all "
    "remaining layers."
)
@misconception("gradients-come-one-by-one")
def test_every_layer(seen):
    """The all-reduce of each layer but the first may run at the same time as the last work of the backward pass."""
    layers = range(2, len(seen["right"]), 2)
    found = sum(
        late(seen, weight) > 0 or (_averaged(seen, weight + 1) and late(seen, weight + 1) > 0) for weight in layers
    )
    with saw(
        "Layers after the first that were averaged only after the backward pass: {found} of {total}.",
        found=found,
        total=len(layers),
    ):
        assert not found
    confirm_early(seen, layers)


def _averaged(seen, weight):
    """Whether a parameter went through a collective in every step: else that is for the test of averages."""
    return all(
        seen["log"].averaging(rank, step, weight) for step in range(seen["steps"]) for rank in range(seen["size"])
    )


@core
@weight(2)
@hint("Call handle.wait() for every all-reduce, in finish: then the stream waits, and so does the step after it.")
@misconception("collective-has-happened")
def test_no_race(seen):
    """The step does not use a gradient before its average has arrived."""
    seen["log"].check_no_race()


@weight(3)
@hint("Call handle.wait() for each handle: an earlier collective may still run when a later one has finished.")
@misconception("collective-has-happened")
def test_each_handle(seen):
    """finish waits for each handle, and not only for the last one."""
    log, alone, missed, total = seen["log"], seen["log"].each_alone, 0, 0
    with saw("Your code called no collective."):
        assert any(one.label in COLLECTIVES for one in log.operations)
    for step in range(seen["steps"]):
        for rank in range(seen["size"]):
            for number in range(len(seen["right"])):
                update = log.update(rank, step, number)
                for one in log.averaging(rank, step, number):
                    ordered = log.before(one, update)  # else the step has a race
                    total += ordered
                    missed += ordered and not alone.before(alone.at(one.place), alone.at(update.place))
    with saw("Collectives whose handle was not waited for: {missed} of {total}.", missed=missed, total=total):
        assert not missed


@core
@weight(2)
@hint(
    "The average of all ranks: ReduceOp.AVG, or the sum divided by dist.get_world_size(). This is needed "
    "for matrices and for biases."
)
@misconception("divide-once")
def test_averages(seen):
    """All gradients are averaged over the ranks, in each step."""
    check_parameters(seen)


@core
@hint("handle.wait() makes the stream wait and not the host. synchronize, item, print and barrier hold up the host.")
@misconception("host-orders-streams")
def test_no_wait(seen, many):
    """The host waits for nothing, however many steps there are."""
    for one in (seen, many):
        one["log"].check_no_wait()


@hint(
    "Send each gradient once: in the hook of its parameter, and not again in finish. net.parameters() gives a "
    "parameter once, even if two modules share it."
)
@misconception("work-not-done")
def test_once(seen, tied):
    """Each gradient goes to the others once."""
    for one in (seen, tied):
        whole = sum(weight.size for weight in one["net"].weights) * 4
        for step in range(one["steps"]):
            for rank in range(one["size"]):
                given = sum(one["events"][sent.place].nbytes for sent in one["log"].collectives(rank, step))
                with saw(
                    "In one step a rank gave {given} bytes to collectives, but its gradients have {whole} bytes.",
                    given=given,
                    whole=whole,
                ):
                    assert given <= 1.1 * whole


@value
@hint("dist.get_world_size() says how many ranks there are.")
@misconception("divide-once")
def test_three_ranks(student, rng, tied):
    """The averages are also right for three ranks, for float64, and for a parameter that two layers share."""
    check_parameters(trained(student, rng, "ddp", size=3, steps=1, dtype="float64"))
    check_parameters(tied)


@hint("A parameter with requires_grad = False gets no gradient, and refuses a hook: leave it out.")
@misconception("reads-the-task")
def test_frozen(student, rng):
    """Parameters that ask for no gradient are left alone."""
    seen = trained(student, rng, "ddp", steps=1, frozen=(0, 1))
    check_parameters(seen)
    check_frozen(seen)
