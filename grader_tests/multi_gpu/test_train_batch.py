"""train_batch(X, y, gpu_params, ctx, lr): one step of SGD on the whole batch, shared by all devices."""

import lenet
import numpy as np
import pytest
from lenet import Training, is_near, roughly_trained, training
from replicas import check_replicas, first_replica

from syncpoint.graders import Device, array, core, first_wait, hint, joined, message, misconception, mixed, saw, weight

TOLERANCE = 1e-4
# The devices of ctx: those of devices(k), and of the others in an order that it never has.
PLACES = {1: [1], 2: [1, 2], 3: [1, 2, 3], "others": [3, 1], "many": [2, 5, 1, 4, 3], "large": [2, 1]}
LARGE_BATCH = 102
PLACES_OF_SEVERAL_BATCHES = [1, 2]


@pytest.fixture(scope="module")
def one_step(student):
    """``one_step(key)``: a call of train_batch, X and y pending, and the right result; it runs once.

    The devices are those of PLACES.
    """
    calls = {}

    def run(devices):
        if devices not in calls:
            rng = np.random.default_rng()
            images = 1 if devices == "many" else int(rng.integers(2, 5))
            right = large_training(rng) if devices == "large" else training([len(PLACES[devices]) * images])
            X, y = right.batches[0]
            calls[devices] = (
                right,
                student.call(
                    "train_batch",
                    array(X, gated=True),
                    array(y, gated=True),
                    [[used_before(values, device) for values in right.start] for device in PLACES[devices]],
                    [Device(device) for device in PLACES[devices]],
                    right.learning_rate,
                ),
            )
        return calls[devices]

    return run


@pytest.fixture(scope="module")
def several_batches(student):
    """Three batches of different sizes, one after the other, on the same replicas on two devices."""
    right = training([8, 4, 6])
    seen = student.observe(
        "consecutive_batches",
        weights=right.start,
        batches=right.batches,
        ctx=[Device(device) for device in PLACES_OF_SEVERAL_BATCHES],
        learning_rate=right.learning_rate,
    )
    return right, seen


def large_training(rng):
    """One large batch, whose right step is known roughly."""
    start, data, learning_rate = lenet.weights(rng), lenet.batch(rng, LARGE_BATCH), float(rng.uniform(0.12, 0.17))
    return Training(start, [data], learning_rate, [roughly_trained(start, [data], learning_rate)])


def used_before(values, device):
    """A parameter whose gradient buffer holds what an earlier batch left there."""
    return array(values, device=device, gradient=np.random.default_rng().normal(size=values.shape))


def backward_passes(seen):
    """The places of the backward passes in the log."""
    return [place for place, event in enumerate(seen.events) if event.kind == "enqueue" and event.label == "backward"]


@hint("With one device there is nothing to share: forward, loss and backward, then sgd with the size of the batch.")
@misconception("divide-once")
def test_one_device(one_step):
    """On one device, train_batch makes one step of SGD."""
    right, seen = one_step(1)
    check_replicas(seen.arguments[2], PLACES[1], right.after[0], TOLERANCE)


@core
@weight(4)
@hint(
    "Try k = 1 and k = 2 with the same batch: all replicas must come out the same. Which gradients does each device "
    "add up, when, and which batch size does sgd get?"
)
@misconception("divide-once")
def test_whole_batch(one_step):
    """With 2, 3 and 5 devices, each replica gets the parameters that one step on the whole batch gives."""
    for devices in (2, 3, "many"):
        right, seen = one_step(devices)
        check_replicas(seen.arguments[2], PLACES[devices], right.after[0], TOLERANCE)
    right, seen = one_step("large")
    with saw("The weights after a batch of {images} images are wrong.", images=LARGE_BATCH):
        assert is_near(first_replica(seen.arguments[2]), right.after[0], right.start)


@hint("Each replica needs the same update, the sum of all gradients, and it must stay on its own device.")
@misconception("replicas-stay-equal")
def test_replicas_equal(one_step):
    """After the step all replicas are equal, each on its own device."""
    for devices in (2, 3):
        right, seen = one_step(devices)
        first = first_replica(seen.arguments[2])
        check_replicas(seen.arguments[2], PLACES[devices], first, TOLERANCE)
        changed = [np.abs(param - before).max() > TOLERANCE for param, before in zip(first, right.start, strict=True)]
        with saw(
            "Parameters that the step did not change: {count} of {total}.",
            count=changed.count(False),
            total=len(changed),
        ):
            assert all(changed)


@weight(2)
@hint("The devices are those of ctx, in its order, and they may have any numbers: do not ask devices(k) for them.")
@misconception("reads-the-task")
def test_devices_of_ctx(one_step):
    """It works on the devices of ctx, whatever their numbers and their order."""
    _, seen = one_step("others")
    with saw("No backward pass was made."):
        assert backward_passes(seen)
    used = {device for event in seen.events if event.label == "Convolution" for device in event.writes}
    in_ctx = used & set(PLACES["others"])
    with saw(
        "Devices that computed images: {images}, of these in ctx: {in_ctx}. There are 2 in ctx.",
        images=len(used),
        in_ctx=len(in_ctx),
    ):
        assert used == in_ctx


@weight(2)
@hint(
    "Call it twice in a row with batches of different sizes. Does anything stay from the first call: a gradient, a "
    "size? Do new parameters have gradients attached? And X and y must not change."
)
@misconception("every-call-starts-anew")
def test_batch_after_batch(several_batches):
    """It works for one batch after the other, even if their sizes differ."""
    right, seen = several_batches
    for replicas, after in zip(seen["replicas"], right.after, strict=True):
        check_replicas(replicas, PLACES_OF_SEVERAL_BATCHES, after, 5 * TOLERANCE)
    for arrays, batch in zip(seen["batches"], right.batches, strict=True):
        for now, before in zip(arrays, batch, strict=True):
            with saw("After the call, X or y is not what it was."):
                np.testing.assert_array_equal(now, before)


@core
@weight(5)
@hint(
    "Something waits before all the devices have their work. Look for wait_to_read, waitall, asnumpy, asscalar "
    "or print in train_batch, and in those of your functions that it calls."
)
@misconception("devices-in-turn")
def test_enqueues_all_devices_first(one_step):
    """The forward and backward passes of every device are enqueued before anything waits."""
    for devices in (1, 2, 3, "large"):
        _, seen = one_step(devices)
        waits = [place for place, event in enumerate(seen.events) if event.opened]
        backward = backward_passes(seen)
        early = sum(place < min(waits, default=len(seen.events)) for place in backward)
        with saw("No backward pass was made."):
            assert backward
        with saw(
            "Backward passes before the first wait: {early} of {devices}. The wait: {first_wait}.",
            seen.events,
            early=early,
            devices=len(PLACES[devices]),
            first_wait=first_wait(seen.events),
        ):
            assert early == len(backward), seen.events


@core
@weight(4)
@hint("Split X and y: device i computes with shard i and replica i, once, and with nothing else.")
@misconception("work-not-done")
def test_shares_the_batch(one_step, several_batches):
    """Each device computes its own shard of the batch, and no more."""
    for devices in (2, 3):
        convolutions = [event for event in one_step(devices)[1].events if event.label == "Convolution"]
        used = {device for event in convolutions for device in event.writes}
        with saw("Of {devices} devices, {count} computed the network.", devices=devices, count=len(used)):
            assert used == set(PLACES[devices])
    right, seen = several_batches
    for passes, (X, _) in zip(seen["images"], right.batches, strict=True):
        images = {device: sum(count for place, count in passes if place == device) for device, _ in passes}
        in_ctx = [device for device in images if device in PLACES_OF_SEVERAL_BATCHES]
        with saw(
            "Devices that computed images: {images}, of these in ctx: {in_ctx}. There are 2 in ctx.",
            images=len(images),
            in_ctx=len(in_ctx),
        ):
            assert set(images) == set(PLACES_OF_SEVERAL_BATCHES), images
        shares = joined(message("{share:.2f}", share=count / len(X)) for count in images.values())
        with saw(
            "Images that the two devices computed, as parts of the batch: {shares}. Each should be 0.50.", shares=shares
        ):
            assert images == {device: len(X) / 2 for device in PLACES_OF_SEVERAL_BATCHES}, images


@weight(3)
@hint("Some operation gets arrays of two devices. On GPUs it would crash: copy with copyto or as_in_context first.")
@misconception("devices-mix")
def test_no_mixing(one_step):
    """No operation mixes arrays of different devices."""
    for devices in (2, 3):
        _, seen = one_step(devices)
        with saw("There was no backward pass."):
            assert backward_passes(seen)
        with saw(mixed(seen.mixing)):
            assert not seen.mixing, seen.mixing
