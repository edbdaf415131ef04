"""train(num_gpus, batch_size, lr, num_epochs): epochs of train_batch with one wait in each batch, and a line each."""

import itertools
from dataclasses import dataclass
from typing import Any

import lenet
import numpy as np
import pytest
from printed import check_accuracy, epoch_lines
from replicas import check_replicas, first_replica

from syncpoint.graders import core, hint, misconception, mixed, saw, value, weight

BATCH_SIZE = 6
BATCHES = 3
# A training of more batches than anybody counts.
MANY_BATCHES, SMALL_BATCH_SIZE = 10, 2
# The last batch is smaller, and for each number of devices one that it can be divided by.
LAST_BATCH = {1: 5, 2: 4, 3: 3}
TRIES = 200


@dataclass(frozen=True)
class Run:
    """A small training: what it started from, what is right, and what train did.

    right: the weights after each epoch.  replicas, params: after the training.  lines: what it printed about epochs.
    """

    devices: int
    batch_size: int
    start: list[np.ndarray]
    training_data: tuple[np.ndarray, np.ndarray]
    test_data: tuple[np.ndarray, np.ndarray]
    right: list[list[np.ndarray]]
    replicas: Any
    params: list[Any]
    lines: list[Any]
    stdout: str
    events: tuple[Any, ...]

    @property
    def epochs(self) -> int:
        """How many were asked for."""
        return len(self.right)

    @property
    def steps(self) -> int:
        """Batches of an epoch."""
        return len(_batches(self.training_data, self.batch_size))


@pytest.fixture(scope="module")
def run(small_training):
    """Two epochs on two devices."""
    return small_training(devices=2, epochs=2, tells=True)


@pytest.fixture(scope="module")
def short_runs(small_training):
    """One epoch on one device and one on three."""
    return [small_training(devices, epochs=1, tells=False) for devices in (1, 3)]


@pytest.fixture(scope="module")
def long_run(student):
    """One epoch of many small batches on two devices; only the last ones of the test are guessed right."""
    rng = np.random.default_rng()
    start, images = lenet.weights(rng), MANY_BATCHES * SMALL_BATCH_SIZE
    training_data, rate = lenet.batch(rng, images), float(rng.uniform(0.02, 0.03))
    right = lenet.roughly_trained(start, _batches(training_data, SMALL_BATCH_SIZE), rate)
    X = lenet.images(rng, images)
    y = (lenet.logits(right, X).argmax(axis=1) + (np.arange(images) < 0.8 * images)) % 10
    test_data = X, y.astype(np.float32)
    return _run(student, 2, SMALL_BATCH_SIZE, rate, (start, training_data, test_data, [right]))


@pytest.fixture(scope="module")
def small_training(student):
    """``small_training(devices, epochs, tells)``: a `Run`; for ``tells`` see `_task`."""

    def make(devices, epochs, tells):
        rng = np.random.default_rng()
        rate = float(rng.uniform(0.04, 0.06))  # unlike those of the notebook; with these, the loss mostly falls
        return _run(student, devices, BATCH_SIZE, rate, _task(rng, rate, devices, epochs, tells))

    return make


def _run(student, devices, batch_size, learning_rate, task):
    """Run train for a task: weights, training and test data, and the right weights after each epoch."""
    start, training_data, test_data, right = task
    seen = student.observe(
        "small_training",
        weights=start,
        training_data=training_data,
        test_data=test_data,
        arguments=[devices, batch_size, learning_rate, len(right)],
    )
    return Run(
        devices=devices,
        batch_size=batch_size,
        start=start,
        training_data=training_data,
        test_data=test_data,
        right=right,
        lines=epoch_lines(seen["stdout"]),
        **{name: seen[name] for name in ("replicas", "params", "stdout", "events")},
    )


def _task(rng, learning_rate, devices, epochs, tells):
    """Weights, training and test data, and the right weights after each epoch.

    tells: the loss falls clearly in each epoch, and the right accuracies are none that a wrong evaluation prints.
    """
    images = BATCH_SIZE * (BATCHES - 1) + LAST_BATCH[devices]
    for _ in range(TRIES):
        start, training_data = lenet.weights(rng), lenet.batch(rng, images)
        right, safe = lenet.train(start, _batches(training_data) * epochs, learning_rate)
        if not safe:
            continue
        right = right[BATCHES - 1 :: BATCHES]
        if not tells:
            return start, training_data, lenet.batch(rng, 2), right
        losses = [lenet.loss(weights, [training_data]) for weights in (start, *right)]
        if all(after < 0.95 * before for before, after in itertools.pairwise(losses)):
            test_data, clear = _test_data(rng, [start, *right], lenet.accuracy(right[-1], [training_data]))
            if clear:
                return start, training_data, test_data, right
    raise RuntimeError(f"no task that learns and tells in {TRIES} tries")


def _batches(data, size=BATCH_SIZE):
    X, y = data
    return [(X[first : first + size], y[first : first + size]) for first in range(0, len(y), size)]


def _test_data(rng, stages, training_accuracy):
    """Test data, and whether they are useful: whether a wrong evaluation prints wrong accuracies."""
    images = lenet.images(rng, 40)
    first, before, last = (lenet.logits(weights, images) for weights in (stages[0], stages[-2], stages[-1]))
    *_, second, best = np.sort([before, last], axis=2).T  # each (images, 2)
    clear = np.flatnonzero((best - second).min(axis=1) > 0.05)[:25]  # no guess that a rounding error could change
    first, before, last = (logits[clear].argmax(axis=1) for logits in (first, before, last))
    for _ in range(TRIES):
        # Most of what the network has just learnt is wrong, so the best accuracy is not the last; of the rest, a part.
        learned = last != before
        right = rng.random(len(clear)) < np.where(learned, 0.2, rng.uniform(0.4, 0.8))
        y = np.where(right, last, np.where(learned, before, (last + rng.integers(1, 10, size=len(clear))) % 10))
        accuracy, *others = (np.mean(guesses == y) for guesses in (last, first, before))
        others.append(np.mean(last[:BATCH_SIZE] == y[:BATCH_SIZE]))  # of the first batch alone
        # 0 and 1 are what an accuracy without decimals would be, and 0 is what stands for one that is not known yet.
        tells = np.mean(before == y) > 0.1
        tells = tells and all(abs(accuracy - other) > 0.06 for other in (*others, training_accuracy, 0, 1))
        if tells:
            break
    return (images[clear], y.astype(np.float32)), tells


@hint("Does train_batch get every batch, the replicas and lr? Keep the same replicas from the first epoch to the last.")
@misconception("reads-the-task")
def test_loss_falls(run):
    """Training lowers the loss."""
    before = lenet.loss(run.start, [run.training_data])
    after = lenet.loss(first_replica(run.replicas), [run.training_data])
    with saw("The loss on the training data is {percent:.0f}% of what it was.", percent=100 * after / before):
        assert after < 0.995 * before, (before, after)


@core
@weight(3)
@hint(
    "Count on paper: how often is train_batch called, with which batches, replicas, devices and learning rate? It must "
    "be once for each batch, also the smaller last one, in each of num_epochs epochs."
)
@misconception("reads-the-task")
def test_every_batch_of_every_epoch(run, short_runs, long_run):
    """The replicas have the values that num_epochs passes over the training data give, with 1, 2 and 3 devices."""
    for some in (run, *short_runs, long_run):
        first = first_replica(some.replicas)
        with saw(
            "Replicas that were trained with num_gpus={devices}: {count}.",
            devices=some.devices,
            count=len(some.replicas),
        ):
            assert len(some.replicas) == some.devices
        batches = len({event.label for event in some.events if event.kind == "forward"})
        with saw(
            "With num_gpus={devices} and {epochs} epochs, the weights are not those of {steps} steps "
            "in each epoch. Batches that were begun: {begun}.",
            devices=some.devices,
            epochs=some.epochs,
            steps=some.steps,
            begun=batches,
        ):
            # In a training of many steps, rounding errors may grow.
            assert batches == some.steps if some is long_run else lenet.is_near(first, some.right[-1], some.start)


@weight(3)
@hint("One replica for each of devices(num_gpus), all of them given to train_batch.")
@misconception("replicas-stay-equal")
def test_replicas_equal(run, short_runs):
    """There is one replica on each device, and all are equal at the end."""
    for some in (run, *short_runs):
        first = first_replica(some.replicas)
        check_replicas(some.replicas, range(1, some.devices + 1), first, 1e-3)
        with saw("After the training, a parameter is still what it was at the start."):
            assert all(np.abs(seen - before).max() > 1e-3 for seen, before in zip(first, some.start, strict=True))


@core
@weight(4)
@hint(
    "Wait once after each batch, for all its work: without a wait the batches pile up in the queue. Waiting for"
    " X is not enough, a wait in the middle of a batch is too early, and the last batch of an epoch also needs "
    "one."
)
@misconception("queue-is-free")
def test_one_wait_for_each_batch(run, long_run):
    """Every batch is enqueued as a whole, and batch t is waited for before batch t + 2 and before the test."""
    for some in (run, long_run):
        finished, started = set(), set()
        recorded = sum(event.kind.startswith("recorded pass") for event in some.events)
        counted = sum(event.kind == "forward" for event in some.events)
        with saw(
            "Forward passes that were recorded: {recorded}. Of lenet: {counted}.", recorded=recorded, counted=counted
        ):
            assert recorded == counted
        for event in some.events:
            opened = {int(label.split()[1]) for label in event.opened}
            with saw(
                "One wait was for {batches} batches: they had piled up in the queue.",
                some.events,
                missing_wait=True,
                batches=len(opened),
            ):
                assert len(opened) <= 1
            finished |= opened
            if event.kind == "test":
                with saw("The test began before the last batch of the epoch was done.", some.events, missing_wait=True):
                    assert started <= finished
            if event.kind == "forward":
                started.add(int(event.label))
            if event.kind == "forward" or event.label == "backward":
                with saw("There was a backward pass before any forward pass."):
                    assert started
                with saw("There is a wait in the middle of a batch.", some.events):
                    assert max(started) not in finished
        with saw(
            "Batches: {batches}; started: {started}; waited for: {finished}.",
            batches=some.steps * some.epochs,
            started=len(started),
            finished=len(finished),
        ):
            assert started and started == finished  # whether these are all, another test asks


@weight(2)
@hint(
    "Some operation gets arrays of two devices; on GPUs it would crash. Which device does evaluate_accuracy get, and "
    "where is the replica that it uses?"
)
@misconception("devices-mix")
def test_no_mixing(run, short_runs):
    """No operation of the training mixes arrays of different devices."""
    for some in (run, *short_runs):
        mixing = [event for event in some.events if event.mixes_devices]
        with saw("No operation of the training was seen."):
            assert some.events
        with saw(mixed(mixing)):
            assert not mixing
        elsewhere = {event.reads[0] for event in some.events if event.kind == "pass"} - set(range(1, some.devices + 1))
        with saw("The accuracy was computed on another device than those of the replicas."):
            assert not elsewhere


@hint("Print one line after each epoch, like: epoch 1, time 1.5 sec, test acc 0.60. The first epoch is number 1.")
@misconception("reads-the-task")
def test_prints_each_epoch(run):
    """Each epoch prints its number, the time and the test accuracy."""
    numbers = [line.number for line in run.lines]
    with saw(
        "For {epochs} epochs, lines with these numbers were printed: {numbers}.", epochs=run.epochs, numbers=numbers[:9]
    ):
        assert numbers == list(range(1, run.epochs + 1)), run.stdout


@value
@weight(2)
@hint("Which data and which parameters do you evaluate, and when? It must be the test data, after the training.")
@misconception("reads-the-task")
def test_accuracy(run, long_run):
    """Each line has the accuracy of the replicas on the test data, as they are after this epoch."""
    with saw("No line about an epoch was printed."):
        assert run.lines and long_run.lines, run.stdout
    trained = first_replica(run.replicas)
    with saw("The accuracy after the last epoch is wrong."):
        check_accuracy(run.lines[-1], lenet.accuracy(trained, [run.test_data]))
    # Else nobody knows the replicas of earlier epochs.
    if len(run.lines) == run.epochs and lenet.is_near(trained, run.right[-1], run.start):
        for line, weights in zip(run.lines, run.right[:-1], strict=False):
            with saw("The accuracy after epoch {number} of {epochs} is wrong.", number=line.number, epochs=run.epochs):
                check_accuracy(line, lenet.accuracy(weights, [run.test_data]), slack=1 / len(run.test_data[1]))
    accuracy = lenet.accuracy(first_replica(long_run.replicas), [long_run.test_data])
    with saw("The accuracy is not that of all the test data."):
        check_accuracy(long_run.lines[-1], accuracy, slack=1 / len(long_run.test_data[1]))


@hint("Train the copies of get_params: params are the start of every training, and must not change.")
@misconception("names-and-arrays")
def test_params_stay(run):
    """The parameters on the host do not change."""
    with saw("No replicas were trained."):
        assert run.replicas
    assert len(run.params) == len(run.start)
    for seen, before in zip(run.params, run.start, strict=True):
        with saw("The training changed params."):
            np.testing.assert_array_equal(seen, before)
