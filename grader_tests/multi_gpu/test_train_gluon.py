"""train_gluon(net, num_gpus, batch_size, lr, num_epochs): a fresh start, and epochs of train_batch_gluon."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
from printed import check_accuracy, epoch_lines

from syncpoint.graders import core, hint, misconception, mixed, saw, value, weight

BATCH_SIZE = 12
BATCHES = 3
LAST_BATCH = 6
CLASSES = 3
PICTURE = (1, 3, 4)
TEST_IMAGES = 24
# Devices and epochs of each call; without epochs there are four.  The last network is trained once more.
CALLS = [(1, 1), (2, 3), (3, None)]
AGAIN = (2, 1)


@dataclass(frozen=True)
class Training:
    """One call of train_gluon on Dense(3).

    start: [weight, bias] in the first recorded forward pass.  used: the devices of all of these passes.
    passes: how many of them were on device 1.
    stages: [weight, bias] on device 1 after each epoch but the last; empty if it is not clear where an epoch ends.
    tested: [weight, bias] in the last forward pass that was not recorded, None if there is none.
    replicas: [weight on each device, bias on each device] afterwards.  lines: what was printed about the epochs.
    """

    devices: int
    epochs: int
    learning_rate: float
    training_data: tuple[np.ndarray, np.ndarray]
    test_data: tuple[np.ndarray, np.ndarray]
    start: list[np.ndarray]
    stages: list[list[np.ndarray]]
    used: set[int]
    passes: int
    tested: list[np.ndarray] | None
    replicas: list[list[Any]]
    printed: str
    lines: list[Any]

    @property
    def trained(self) -> list[np.ndarray]:
        """Weight and bias of the first replica."""
        with saw("After the training, a parameter has no values."):
            assert all(self.replicas)
        return [np.asarray(replicas[0]) for replicas in self.replicas]


@pytest.fixture(scope="module")
def seen(student):
    """What the scenario saw, and the data."""
    rng = np.random.default_rng()
    kinds = np.eye(CLASSES).repeat(4, axis=1).reshape(CLASSES, *PICTURE)
    training_data = images(rng, kinds, BATCH_SIZE * (BATCHES - 1) + LAST_BATCH)
    X, y = images(rng, kinds, TEST_IMAGES)
    # Half of the test labels are those of other kinds, so that the accuracy is not that of the training data.
    y[: TEST_IMAGES // 2] = (y[: TEST_IMAGES // 2] + 1) % CLASSES
    # Other rates for each call, far from one another.
    rates = [float(rate) for rate in rng.permutation([0.1, 0.2, 0.3]) + rng.uniform(0.02, 0.06, size=3)]
    seen = student.observe(
        "gluon_trainings",
        classes=CLASSES,
        training_data=training_data,
        test_data=(X, y),
        calls=[
            [devices, BATCH_SIZE, rate, *([] if epochs is None else [epochs])]
            for (devices, epochs), rate in zip(CALLS, rates, strict=True)
        ],
        again=[AGAIN[0], BATCH_SIZE, rates[0], AGAIN[1]],
    )
    return {**seen, "training_data": training_data, "test_data": (X, y), "rates": rates}


@pytest.fixture(scope="module")
def trainings(seen):
    """The calls, each on a new network."""
    found = []
    for (devices, epochs), rate, call in zip(CALLS, seen["rates"], seen["calls"], strict=True):
        recorded = [seen_in for is_recorded, *seen_in in call["passes"] if is_recorded]
        others = [seen_in for is_recorded, *seen_in in call["passes"] if not is_recorded]
        with saw("No forward pass was recorded."):
            assert recorded
        with saw("The network was trained on other data than those of load_data_fashion_mnist."):
            assert recorded[0][1].values.shape == (CLASSES, np.prod(PICTURE))
        epochs = epochs or 4
        on_the_first = [[np.asarray(values) for values in now] for device, *now in recorded if device.number == 1]
        found.append(
            Training(
                devices=devices,
                epochs=epochs,
                learning_rate=rate,
                training_data=seen["training_data"],
                test_data=seen["test_data"],
                start=[np.asarray(values) for values in recorded[0][1:]],
                stages=on_the_first[BATCHES::BATCHES] if len(on_the_first) == BATCHES * epochs else [],
                used={device.number for device, *_ in recorded},
                passes=len(on_the_first),
                tested=[np.asarray(values) for values in others[-1][1:]] if others else None,
                replicas=call["replicas"],
                printed=call["printed"],
                lines=epoch_lines(call["printed"]),
            )
        )
    return found


def images(rng, kinds, count):
    """Noisy images (count, 1, 3, 4) of some kinds, and which kind each one is; float32."""
    y = rng.permutation(np.arange(count) % len(kinds))
    return (kinds[y] + 0.1 * rng.normal(size=(count, *kinds.shape[1:]))).astype(np.float32), y.astype(np.float32)


def probabilities(parameters, X):
    """The predictions of the network, (n, classes)."""
    W, b = (np.asarray(values, dtype=np.float64) for values in parameters)
    odds = np.exp(X.reshape(len(X), -1) @ W.T + b)
    return odds / odds.sum(axis=1, keepdims=True)


def loss(parameters, data):
    """The mean softmax cross-entropy."""
    X, y = data
    return -np.log(probabilities(parameters, X)[np.arange(len(y)), y.astype(int)]).mean()


def right_training(parameters, data, epochs, learning_rate, divisor=None):
    """Plain SGD, batch by batch; each gradient is divided by the size of its batch if there is no other divisor."""
    W, b = (np.asarray(values, dtype=np.float64) for values in parameters)
    X, y = data
    for first in list(range(0, len(y), BATCH_SIZE)) * epochs:
        rows = slice(first, first + BATCH_SIZE)
        error = probabilities([W, b], X[rows]) - np.eye(CLASSES)[y[rows].astype(int)]
        rate = learning_rate / (divisor or len(error))
        W, b = W - rate * error.T @ X[rows].reshape(len(error), -1), b - rate * error.sum(axis=0)
    return [W, b]


@weight(2)
@hint("Does every batch of the training data reach train_batch_gluon, with a Trainer for this network?")
@misconception("reads-the-task")
def test_loss_falls(trainings):
    """Training lowers the loss."""
    for training in trainings:
        before, after = (loss(parameters, training.training_data) for parameters in (training.start, training.trained))
        with saw("The loss on the training data is {percent:.0f}% of what it was.", percent=100 * after / before):
            assert after < 0.95 * before, (before, after)


@core
@weight(3)
@hint(
    "Count on paper: in each of num_epochs epochs every batch, including the smaller last one, makes one step, with "
    "the learning rate lr; and nothing starts again between two epochs. Without num_epochs there are four."
)
@misconception("reads-the-task")
def test_every_batch_of_every_epoch(trainings):
    """The network has made one step of SGD for each batch of each epoch, with 1, 2 and 3 devices."""
    for training in trainings:
        task = training.start, training.training_data, training.epochs, training.learning_rate
        # As in the book, code that writes the steps out may also divide the last, smaller batch by batch_size.
        rights = [right_training(*task), right_training(*task, divisor=BATCH_SIZE)]
        same = partial(np.allclose, rtol=1e-3, atol=1e-3)
        with saw(
            "With num_gpus={devices} and {epochs} epochs, the weights are not those of {steps} steps "
            "of SGD with lr in each epoch. Forward passes on the first device: {passes}.",
            devices=training.devices,
            epochs=training.epochs,
            steps=BATCHES,
            passes=training.passes,
        ):
            assert any(all(map(same, training.trained, right)) for right in rights)


@core
@weight(3)
@hint("All devices train one network: give the whole list of devices to replicated_init and to train_batch_gluon.")
@misconception("replicas-stay-equal")
def test_replicas_equal(trainings):
    """There is one replica on each of devices(num_gpus), and all are equal at the end."""
    for training in trainings:
        expected = list(range(1, training.devices + 1))
        with saw(
            "With num_gpus={devices}, the forward passes ran on the wrong devices. Devices used: {count}.",
            devices=training.devices,
            count=len(training.used),
        ):
            assert sorted(training.used) == expected, training.used
        for replicas in training.replicas:
            with saw(
                "With num_gpus={devices}, a parameter has replicas on other devices than it should.",
                devices=training.devices,
            ):
                assert sorted(replica.device for replica in replicas) == expected
            for replica in replicas[1:]:
                with saw("After the training, the replicas differ."):
                    np.testing.assert_allclose(replica, replicas[0], rtol=1e-6, atol=1e-7)


@core
@weight(2)
@hint("Call replicated_init in train_gluon: the network may have been trained before, on other devices.")
@misconception("every-call-starts-anew")
def test_starts_anew(seen, trainings):
    """Each call initializes the network again, on the devices of this call."""
    with saw("Trained once more, on other devices, the network raised {raised}.", raised=seen["raised"]):
        assert not seen["raised"]
    starts = [values for is_recorded, _, *values in seen["again"]["passes"] if is_recorded]
    with saw("When the network was trained once more, no forward pass was recorded."):
        assert starts
    for W, b in (starts[0], *(training.start for training in trainings)):
        with saw("A training began with weights that were trained before, or drawn in another way."):
            assert np.abs(W).max() < 0.08 and np.abs(b).max() < 1e-6


@hint("Print one line after each epoch, like: epoch 1, time 1.5 sec, test acc 0.60. The first epoch is number 1.")
@misconception("reads-the-task")
def test_prints_each_epoch(trainings):
    """Each epoch prints a line with its number, the time and the test accuracy."""
    for training in trainings:
        numbers = [line.number for line in training.lines]
        with saw(
            "For {epochs} epochs, lines with these numbers were printed: {numbers}.",
            epochs=training.epochs,
            numbers=numbers[:9],
        ):
            assert numbers == list(range(1, training.epochs + 1)), training.printed


@value
@weight(2)
@hint("Which data do you evaluate, and when? It must be the test data, after the training of the epoch.")
@misconception("reads-the-task")
def test_accuracy(trainings):
    """Each line has the accuracy of the network on the test data, as it is after this epoch."""
    for training in trainings:
        with saw("No line about an epoch was printed, or no forward pass was made for the test."):
            assert training.lines and training.tested, training.printed
        for tested, trained in zip(training.tested, training.trained, strict=True):
            with saw("The last forward pass for the test was not made with the weights after the training."):
                np.testing.assert_allclose(tested, trained, rtol=1e-6, atol=1e-7)
        X, y = training.test_data
        lines, stages = training.lines, [*training.stages, training.trained]
        if len(lines) != len(stages):
            lines, stages = lines[-1:], stages[-1:]
        for line, parameters in zip(lines, stages, strict=True):
            accuracy = np.mean(probabilities(parameters, X).argmax(axis=1) == y)
            with saw(
                "The accuracy after epoch {number} of {epochs} is wrong.", number=line.number, epochs=training.epochs
            ):
                # Two scores may be so close that float32 takes the other one.
                check_accuracy(line, accuracy, slack=1 / TEST_IMAGES)


@weight(2)
@hint("Some operation gets arrays of two devices. On GPUs it would crash.")
@misconception("devices-mix")
def test_no_mixing(seen, trainings):
    """No operation mixes arrays of different devices."""
    # MXNet's own update in its key-value store does on CPU contexts.
    ours = [event for event in seen["events"] if not event.label.endswith("_update")]
    mixing = [event for event in ours if event.mixes_devices]
    with saw("No training was seen."):
        assert trainings
    with saw(mixed(mixing)):
        assert not mixing
