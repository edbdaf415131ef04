"""train_batch_gluon(X, y, net, loss, trainer, ctx): one step of the trainer on the whole batch, on all devices."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from syncpoint.graders import Device, core, first_wait, hint, misconception, mixed, saw, value, weight

SOFTMAX = "SoftmaxCrossEntropyLoss"
SQUARES = "L2Loss"
TOLERANCE = 1e-4
FROZEN = 1  # a parameter that does not train, if the network is one of pictures
RECORDED = "recorded pass", "recorded pass in prediction mode"
# The lists of devices are in no order: nothing but ctx says where the shards belong.
ONE, TWO, THREE = (1,), (2, 1), (3, 1, 2)
# Examples of each device in the first and second batch.
SHARES = {ONE: (4, 1), TWO: (4, 1), THREE: (80, 2)}


@dataclass(frozen=True)
class Steps:
    """Some batches, one after the other, on one network.

    ctx: the devices.  after: the right weights after each batch.
    replicas: for each batch and parameter, the arrays of all devices.  logs: the events of each batch.
    batches, batches_after: X and y of each, before and after its step.
    """

    ctx: tuple[int, ...]
    batches: list[Any]
    batches_after: list[Any]
    after: list[list[np.ndarray]]
    replicas: Any
    logs: list[list[Any]]

    def backward_passes(self):
        """For each batch, the places of the backward passes in its log."""
        return [[place for place, event in enumerate(log) if event.label == "backward"] for log in self.logs]


@pytest.fixture(scope="module")
def steps(student):
    """``steps(ctx, loss, picture, ordinary)``: two batches of different sizes on these devices; runs once.

    picture: the shape of an example, if it is one.  ordinary: whether the Trainer is made as in the notebook.
    """
    runs = {}

    def run(ctx, loss=SOFTMAX, picture=None, ordinary=False):
        key = ctx, loss, picture, ordinary
        if key not in runs:
            runs[key] = _run(student, *key)
        return runs[key]

    return run


def _run(student, ctx, loss, picture, ordinary):
    rng = np.random.default_rng()
    # All different, and unlike the size of a shard: arrays are told by their shapes.
    features, hidden, classes = (int(size) for size in rng.permutation([5, 7, 9]))
    if picture:
        features = mean_pooled(np.zeros((1, *picture))).size
    outputs = classes if loss == SOFTMAX else 1
    # Code that makes the step without the trainer forgets that the weights decay, or what is left of the last step.
    options = {
        "learning_rate": float(rng.uniform(0.2, 0.5)),
        "wd": float(rng.uniform(0.1, 0.3)),
        "momentum": float(rng.uniform(0.5, 0.9)),
    }
    shapes = [(hidden, features), (hidden,), (outputs, hidden), (outputs,)]
    start = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
    batches = []
    for share in SHARES.get(ctx, (4, 2)):
        size = share * len(ctx)
        y = rng.integers(0, classes, size=size) if loss == SOFTMAX else rng.normal(size=size)
        X = rng.normal(size=(size, *(picture or [features])))
        batches.append((X.astype(np.float32), y.astype(np.float32)))
    seen = student.observe(
        "gluon_steps",
        weights=start,
        batches=batches,
        ctx=[Device(device) for device in ctx],
        options=options,
        loss=loss,
        # An update by the key-value store would mix devices: on CPU contexts, MXNet's own code does.
        trainer_settings={} if ordinary else {"update_on_kvstore": False},
        frozen=[FROZEN] if picture else [],
    )
    weights, moves, after = start, [0.0] * len(start), []
    for X, y in batches:
        inputs = mean_pooled(X) if picture else X
        weights, moves = right_step(weights, moves, inputs, y, options, SCORE_GRADIENTS[loss])
        if picture:
            weights[FROZEN] = start[FROZEN]
        after.append(weights)
    logs = []
    for event in seen["events"]:
        if event.kind == "batch":
            logs.append([])
        else:
            logs[-1].append(event)
    assert len(logs) == len(batches), "the log has no room for all batches"
    return Steps(ctx, batches, seen["batches"], after, seen["replicas"], logs)


def mean_pooled(X):
    """The mean of each square of 2 x 2 of X (n, channels, height, width), one row for each picture."""
    n, channels, height, width = X.shape
    return X.reshape(n, channels, height // 2, 2, width // 2, 2).mean(axis=(3, 5)).reshape(n, -1)


def softmax_gradient(scores, y):
    """The gradient of each example's softmax cross-entropy."""
    gradient = np.exp(scores - scores.max(axis=1, keepdims=True))
    gradient /= gradient.sum(axis=1, keepdims=True)
    gradient[np.arange(len(y)), y.astype(int)] -= 1
    return gradient


def squares_gradient(scores, y):
    """The gradient of half the square of each example's error; there is one score."""
    return scores - y[:, None]


SCORE_GRADIENTS = {SOFTMAX: softmax_gradient, SQUARES: squares_gradient}


def right_step(weights, moves, X, y, options, score_gradient):
    """One step of SGD with weight decay and momentum on the mean loss of Dense(tanh), Dense; float64.

    moves: those of the last step.  Returns the new weights and moves.
    """
    W1, b1, W2, b2 = (np.asarray(values, dtype=np.float64) for values in weights)
    hidden = np.tanh(X @ W1.T + b1)
    error = score_gradient(hidden @ W2.T + b2, y) / len(X)
    back = error @ W2 * (1 - hidden**2)
    gradients = back.T @ X, back.sum(axis=0), error.T @ hidden, error.sum(axis=0)
    moves = [
        options["momentum"] * move - options["learning_rate"] * (gradient + options["wd"] * values)
        for move, gradient, values in zip(moves, gradients, (W1, b1, W2, b2), strict=True)
    ]
    return [values + move for values, move in zip((W1, b1, W2, b2), moves, strict=True)], moves


def check_replicas(steps, batch, right):
    """Fail unless every device holds the right weights after this batch."""
    for replicas, values in zip(steps.replicas[batch], right, strict=True):
        with saw("The network has replicas on other devices than those of ctx."):
            assert sorted(replica.device for replica in replicas) == sorted(steps.ctx)
        for replica in replicas:
            with saw(
                "The weights after batch {number} are wrong; devices: {count}.", number=batch + 1, count=len(steps.ctx)
            ):
                np.testing.assert_allclose(replica, values, rtol=TOLERANCE, atol=TOLERANCE)


@hint("With one device: the loss under autograd.record, backward, and trainer.step with the size of the batch.")
@misconception("divide-once")
def test_one_device(steps):
    """On one device, train_batch_gluon makes one step of SGD."""
    check_replicas(steps(ONE), 0, steps(ONE).after[0])


@core
@weight(6)
@hint(
    "Try k = 1 and k = 2 with the same batch: the weights must come out the same. The gradients of all devices are "
    "added up: by which size must trainer.step divide them?"
)
@misconception("divide-once")
def test_whole_batch(steps):
    """With 2 and 3 devices, each replica gets the parameters that one step on the whole batch gives."""
    for ctx in (TWO, THREE):
        check_replicas(steps(ctx), 0, steps(ctx).after[0])


@value
@hint(
    "Call it twice with batches of different sizes. Does anything stay from the first call, such as a size? And X and "
    "y must not change."
)
@misconception("every-call-starts-anew")
def test_batch_after_batch(steps):
    """It works for one batch after the other, even if their sizes differ."""
    for ctx in (ONE, TWO):
        check_replicas(steps(ctx), 1, steps(ctx).after[1])
        for arrays, batch in zip(steps(ctx).batches_after, steps(ctx).batches, strict=True):
            for now, before in zip(arrays, batch, strict=True):
                with saw("After the call, X or y is not what it was."):
                    np.testing.assert_array_equal(now, before)


@weight(2)
@hint("The network has replicas on the devices of ctx, and perhaps on no others. Does your code choose other devices?")
@misconception("reads-the-task")
def test_devices_of_ctx(steps):
    """It works on the devices of ctx, whatever their numbers and their order."""
    for ctx in ((2,), (3, 1), (2, 5, 1, 4, 3)):
        check_replicas(steps(ctx), 0, steps(ctx).after[0])


@value
@weight(2)
@hint("Call the loss that you got as an argument: loss(scores, labels). Is that name replaced somewhere?")
@misconception("reads-the-task")
def test_given_loss(steps):
    """It makes the step for the loss it was given, on 1 and 2 devices."""
    for ctx in (ONE, TWO):
        check_replicas(steps(ctx, SQUARES), 0, steps(ctx, SQUARES).after[0])


@weight(2)
@hint(
    "With two devices, this Trainer updates the parameters in the place where it adds up the gradients. "
    "Call step, which works with every Trainer."
)
@misconception("reads-the-task")
def test_ordinary_trainer(steps):
    """It also makes its step with a Trainer like that of the notebook, on 2 devices."""
    run = steps(TWO, ordinary=True)
    check_replicas(run, 0, run.after[0])


@value
@weight(2)
@hint(
    "The network may have any layers: its inputs must have the shape that they have in X, and autograd must record in "
    "training mode, without which dropout and batch norm do something else."
)
@misconception("reads-the-task")
def test_any_network(steps):
    """It makes a step of training for a network of pictures, on 1 and 2 devices."""
    for ctx in (ONE, TWO):
        run = steps(ctx, picture=(2, 4, 6))
        check_replicas(run, 0, run.after[0])
        with saw("A forward pass was recorded in prediction mode."):
            assert not [event for log in run.logs for event in log if event.kind == RECORDED[1]]


@core
@weight(6)
@hint("Split X and y. Device i computes with shard i, once, and with nothing else.")
@misconception("work-not-done")
def test_shares_the_batch(steps):
    """Each device computes its own shard of the batch, and no more."""
    for run in (steps(TWO), steps(THREE)):
        for log, (X, _) in zip(run.logs, run.batches, strict=True):
            examples = Counter()
            for event in log:
                if event.kind in ("pass", *RECORDED):
                    examples[event.reads[0]] += int(event.label)
            share = examples.total() / len(X)
            with saw(
                "Devices that computed: {used} of {devices}; together {share:.1f} times the batch.",
                used=len(examples),
                devices=len(run.ctx),
                share=share,
            ):
                assert examples == dict.fromkeys(run.ctx, len(X) // len(run.ctx))


@core
@weight(6)
@hint(
    "Something waits before all devices have their work: look for wait_to_read, waitall, asnumpy, asscalar, "
    "print, an NDArray in an if, or a call that turns X into a NumPy array."
)
@misconception("devices-in-turn")
def test_enqueues_all_devices_first(steps):
    """The forward and backward passes of every device are enqueued before anything waits."""
    for run in (steps(ONE), steps(TWO), steps(THREE)):
        for log, backward in zip(run.logs, run.backward_passes(), strict=True):
            waits = [place for place, event in enumerate(log) if event.opened]
            forward = [place for place, event in enumerate(log) if event.kind in RECORDED]
            used = {log[place].reads[0] for place in forward}
            with saw(
                "Of {devices} devices, {used} made a forward pass that was recorded.",
                devices=len(run.ctx),
                used=len(used),
            ):
                assert backward and used >= set(run.ctx), log
            late = sum(place > min(waits, default=len(log)) for place in forward + backward)
            with saw(
                "Passes that were enqueued after the first wait: {late}. The wait: {first_wait}.",
                log,
                late=late,
                first_wait=first_wait(log),
            ):
                assert not late, log


@weight(3)
@hint("Some operation gets arrays of two devices. On GPUs it would crash: split_and_load puts a shard on its device.")
@misconception("devices-mix")
def test_no_mixing(steps):
    """No operation mixes arrays of different devices."""
    for run in (steps(TWO), steps(THREE)):
        with saw("There was no backward pass."):
            assert all(run.backward_passes())
        mixing = [event for log in run.logs for event in log if event.mixes_devices]
        with saw(mixed(mixing)):
            assert not mixing
