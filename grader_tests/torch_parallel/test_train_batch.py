"""train_batch(X, y, replicas, net, lr): one step of data-parallel training on several devices."""

import numpy as np
import pytest
from devices import Devices
from passes import MLP, is_close

from syncpoint.graders import array, core, hint, joined, misconception, saw, value, weight
from syncpoint.graders.device_log import DOWNLOAD, PEER, UPLOAD
from syncpoint.graders.unchanged import check_containers_stay

LR = 0.1


@pytest.fixture(scope="module")
def train(student):
    """``train(count, rows, steps)``: this many steps on this many devices, each with a batch of this many examples.

    ``order``: the devices, by their numbers from 1.  ``dtype``: of weights and batches.
    """
    rng = np.random.default_rng()

    def call(count, rows, steps=1, order=None, dtype="float32"):
        def drawn():
            return [[one.astype(dtype) for one in net.batch(rng, rows)] for _ in range(steps)]

        net = MLP(rng)
        batches = drawn()
        found = student.results_gated.observe(
            "train_batch",
            weights=[
                [array(one, device=number, dtype=dtype) for one in net.weights]
                for number in order or range(1, count + 1)
            ],
            batches=batches,
            lr=LR,
        )
        other = {"net": MLP(rng), "batches": drawn()}
        pairs = [pair for two in zip(batches, other["batches"], strict=True) for pair in zip(*two, strict=True)]
        again = student.replay(found, dict(enumerate(other["net"].weights * count, 1)), host=pairs)
        places = list(order or range(1, count + 1))
        more = {"count": count, "places": places, "log": Devices.of(found), "again": again, "other": other}
        return {**found, "net": net, "batches": batches, **more}

    return call


@pytest.fixture(scope="module")
def seen(train):
    """One step on three devices, none at its own place, with a batch of which chunk makes only two parts."""
    return train(3, 4, order=[3, 1, 4])


@pytest.fixture(scope="module")
def three(train):
    """Three steps on two devices, with float64."""
    return train(2, 5, steps=3, dtype="float64")


def check_parameters(seen):
    """Fail unless each replica is what one device would have made of the whole batches."""
    seen["log"].check_no_race()
    _check_parameters(seen)
    seen["again"].check(lambda again: _check_parameters({**seen, **seen["other"], "params": again["params"]}))


def _check_parameters(seen):
    right = seen["net"].trained([[batch] for batch in seen["batches"]], LR)
    count, dtype = len(right), seen["batches"][0][0].dtype
    wrong = 0
    for number in range(seen["count"]):
        mine = seen["params"][number * count : (number + 1) * count]
        wrong += not all(is_close(one, wanted, dtype) for one, wanted in zip(mine, right, strict=True))
    with saw(
        "Replicas that are not what one device would have got with the whole batch: {wrong} of {count}.",
        wrong=wrong,
        count=seen["count"],
    ):
        assert not wrong


@core
@weight(2)
@hint(
    "The loss is the mean over the whole batch: add up the squares of a part, and divide by the size of all parts. "
    "Then the gradients of the parts add up to that of the batch."
)
@misconception("divide-once")
def test_like_one_device(seen):
    """After the step, all replicas have the values that one device would have got with the whole batch."""
    check_parameters(seen)


def forward(seen):
    """Of each device the first operation that computes with the weights of its replica."""
    found = []
    for replica, place in zip(seen["first"], seen["places"], strict=True):
        mine = [one for one in seen["log"].uses(replica.number) if one.stream[0] == place]
        found.append(mine[0] if mine else None)
    idle = found.count(None)
    with saw("{idle} of {count} devices did not compute with their own replica.", count=len(found), idle=idle):
        assert not idle
    return found


@core
@weight(2)
@hint("First enqueue the forward and backward passes of all devices, without any wait between them.")
@misconception("devices-in-turn")
def test_side_by_side(seen):
    """Each device has a forward pass of its own, and these may run at the same time."""
    log, first = seen["log"], forward(seen)
    ordered = sum(not log.beside(one, other) for place, one in enumerate(first) for other in first[:place])
    with saw(
        "Pairs of devices that cannot overlap: {ordered} of {total}.",
        ordered=ordered,
        total=len(first) * (len(first) - 1) // 2,
    ):
        assert not ordered


@core
@hint("Each device gets a part of the batch, as your split_batch makes them. All parts together are the batch.")
@misconception("work-not-done")
def test_a_part_each(seen):
    """Each device gets its part of the batch, and no more."""
    seen["log"].check_works()
    rows = len(seen["batches"][0][0])
    example = sum(one.nbytes for one in seen["batches"][0]) / rows
    got = dict.fromkeys(seen["places"], 0)
    for event in (seen["events"][one.place] for one in brought(seen)):
        if event.writes[0] in got:
            got[event.writes[0]] += event.nbytes / example
    with saw(
        "The batch had {rows} examples. Examples that each device received: {got}.",
        rows=rows,
        got=joined((f"{n:.0f}" for n in got.values()), commas=True),
    ):
        assert max(got.values()) <= rows / 2
    empty = list(got.values()).count(0)
    with saw("Devices that got no part of the batch: {empty} of {count}.", empty=empty, count=seen["count"]):
        assert not empty
    # Who fetches all parts and computes the step alone has the other devices compute for nothing.
    idle = used_for_nothing(seen)
    with saw("Devices whose own pass is not part of the step: {idle} of {count}.", idle=idle, count=seen["count"]):
        assert not idle


def passes(seen):
    """Of each device the operations that compute with the weights of its replica, but for the step."""
    return [
        {one for one in seen["log"].uses(own.number) if one.stream[0] == place and own.number not in one.outputs}
        for own, place in zip(seen["first"], seen["places"], strict=True)
    ]


def brought(seen):
    """The copies that bring a device numbers of the batch: from the host, or from another device that had them so."""
    log, computed = seen["log"], set().union(*passes(seen))
    for one in log.operations:
        if one.label == UPLOAD:
            yield one
        elif one.label == PEER:
            behind = log.ancestors([one])
            if computed.isdisjoint(behind) and any(earlier.label == UPLOAD for earlier in behind):
                yield one


def used_for_nothing(seen):
    """The devices with a pass from which no replica's new values follow; none if no replica was written."""
    log = seen["log"]
    steps = [writer for one in seen["first"] for writer in log.writers(one.number)]
    saved = {*steps, *log.ancestors(steps)}
    return sum(saved.isdisjoint(mine) for mine in passes(seen)) if steps else 0


@core
@hint(
    "Wait neither for a loss nor for a gradient: item, print and pageable copies wait, also those of your split_batch."
)
@misconception("hidden-waits")
def test_no_wait(seen, three):
    """The host waits for nothing, in the first step and in later ones."""
    for one in (seen, three):
        forward(one)
        one["log"].check_no_wait()


@core
@hint("backward has left the gradients on the devices: add them up there, with your allreduce.")
@misconception("copy-is-free")
def test_not_by_the_host(seen):
    """The gradients go from device to device, and not through the host."""
    seen["log"].check_works()
    down = sum(one.label == DOWNLOAD for one in seen["log"].operations)
    with saw("Copies to the host: {down}.", down=down):
        assert not down


@value
@weight(2)
@hint("backward adds to the gradients that are there already: empty them, p.grad = None, when the step is done.")
@misconception("gradients-add-up")
def test_three_batches(three):
    """Three steps in a row are right, even with float64."""
    check_parameters(three)


@value
@hint("One device, two or four: replicas is a list of any length, and its first device need not be device 0.")
@misconception("reads-the-task")
def test_any_number(train, seen):
    """The step is right with one device, with two and with four, in any order, and the host never waits."""
    for order in ([2], [3, 1], [4, 2, 3, 1]):
        one = train(len(order), 9, order=order)
        check_parameters(one)
        if not seen["log"].waits:  # else test_no_wait says so
            one["log"].check_no_wait()


@hint("X and y belong to the caller. Change only copies of them.")
@misconception("reads-the-task")
def test_batch_stays(seen):
    """X and y stay as they are."""
    seen["log"].check_works()
    with saw("train_batch changed {changed} of the tensors X and y.", changed=seen["changed"]):
        assert not seen["changed"]


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_lists_stay(seen):
    """The lists of replicas stay as they are."""
    seen["log"].check_works()
    check_containers_stay(seen["containers_changed"])
