"""train_batch_gluon(X, y, net, loss, trainer, ctx): one step of the trainer on the whole batch, on all devices."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from syncpoint.graders import Device, hint, weight

LEARNING_RATE = 0.5
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Steps:
    """Some batches, one after the other, on one network.

    after: the right weights after each batch.  replicas: for each batch and parameter, the arrays of all devices.
    logs: the events of each batch.
    """

    devices: int
    sizes: list[int]
    after: list[list[np.ndarray]]
    replicas: Any
    logs: list[list[Any]]

    def backward_passes(self):
        """For each batch, the places of the backward passes in its log."""
        return [[place for place, event in enumerate(log) if event.name == "backward"] for log in self.logs]


@pytest.fixture(scope="module")
def steps(student):
    """``steps(devices)``: two batches of different sizes on so many devices; runs once."""
    runs = {}

    def run(devices):
        if devices not in runs:
            runs[devices] = _run(student, devices)
        return runs[devices]

    return run


def _run(student, devices):
    rng = np.random.default_rng()
    features, hidden, classes = (int(size) for size in rng.integers(4, 8, size=3))
    shapes = [(hidden, features), (hidden,), (classes, hidden), (classes,)]
    start = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
    sizes = [4 * devices, 2 * devices]
    batches = [(rng.normal(size=(size, features)), rng.integers(0, classes, size=size)) for size in sizes]
    batches = [(X.astype(np.float32), y.astype(np.float32)) for X, y in batches]
    seen = student.observe(
        "gluon_steps",
        weights=start,
        batches=batches,
        ctx=[Device(device) for device in range(1, devices + 1)],
        learning_rate=LEARNING_RATE,
    )
    weights, after = start, []
    for X, y in batches:
        weights = right_step(weights, X, y)
        after.append(weights)
    logs = []
    for event in seen["events"]:
        if event.kind == "batch":
            logs.append([])
        else:
            logs[-1].append(event)
    return Steps(devices, sizes, after, seen["replicas"], logs)


def right_step(weights, X, y):
    """One step of SGD with the mean softmax cross-entropy of Dense(tanh), Dense; float64."""
    W1, b1, W2, b2 = (np.asarray(values, dtype=np.float64) for values in weights)
    hidden = np.tanh(X @ W1.T + b1)
    scores = hidden @ W2.T + b2
    error = np.exp(scores - scores.max(axis=1, keepdims=True))
    error /= error.sum(axis=1, keepdims=True)
    error[np.arange(len(y)), y.astype(int)] -= 1
    error *= LEARNING_RATE / len(X)
    back = error @ W2 * (1 - hidden**2)
    return [W1 - back.T @ X, b1 - back.sum(axis=0), W2 - error.T @ hidden, b2 - error.sum(axis=0)]


def check_replicas(steps, batch, right):
    """Fail unless every device holds the right weights after this batch."""
    for replicas, values in zip(steps.replicas[batch], right, strict=True):
        assert [replica.device for replica in replicas] == list(range(1, steps.devices + 1))
        for replica in replicas:
            np.testing.assert_allclose(replica, values, rtol=TOLERANCE, atol=TOLERANCE)


@hint("With one device: the loss under autograd.record, backward, and trainer.step with the size of the batch.")
def test_one_device(steps):
    """On one device, train_batch_gluon makes one step of SGD."""
    check_replicas(steps(1), 0, steps(1).after[0])


@weight(4)
@hint(
    "Try k = 1 and k = 2 with the same batch: the weights must come out the same. The gradients of all devices are "
    "added up: by which size must trainer.step divide them?"
)
def test_whole_batch(steps):
    """With 2 and 3 devices, each replica is what one step on the whole batch makes of it."""
    for devices in (2, 3):
        check_replicas(steps(devices), 0, steps(devices).after[0])


@hint("Call it twice with batches of different sizes. Does anything stay from the first call, such as a size?")
def test_batch_after_batch(steps):
    """It works for one batch after the other, also if their sizes differ."""
    for devices in (1, 2):
        check_replicas(steps(devices), 1, steps(devices).after[1])


@weight(4)
@hint("Split X and y. Device i computes with shard i, and with nothing else.")
def test_shares_the_batch(steps):
    """Each device computes its own shard of the batch, and no more."""
    for run in (steps(2), steps(3)):
        for log, size in zip(run.logs, run.sizes, strict=True):
            examples = Counter()
            for event in log:
                if event.kind == "forward":
                    examples[event.reads[0]] += int(event.name)
            assert examples == dict.fromkeys(range(1, run.devices + 1), size // run.devices)


@weight(4)
@hint(
    "Something waits before all devices have their work: look for wait_to_read, waitall, asnumpy, asscalar, print, or "
    "an NDArray in an if, and for what turns X into NumPy."
)
def test_enqueues_all_devices_first(steps):
    """The forward and backward passes of every device are enqueued before anything waits."""
    for run in (steps(2), steps(3)):
        for log, backward in zip(run.logs, run.backward_passes(), strict=True):
            waits = [place for place, event in enumerate(log) if event.opened]
            forward = [place for place, event in enumerate(log) if event.kind == "forward"]
            assert backward and {log[place].reads[0] for place in forward} >= set(range(1, run.devices + 1)), log
            assert max(*forward, *backward) < min(waits, default=len(log)), log


@weight(3)
@hint("Some operation gets arrays of two devices. On GPUs it would crash: split_and_load puts a shard on its device.")
def test_no_mixing(steps):
    """No operation mixes arrays of different devices."""
    for run in (steps(2), steps(3)):
        assert all(run.backward_passes())
        assert not [event for log in run.logs for event in log if event.mixes_devices]
