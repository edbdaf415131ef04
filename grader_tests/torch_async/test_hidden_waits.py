"""count_waits(work) counts hidden waits; quiet_step trains as noisy_step does, and does not wait."""

import numpy as np
import pytest
from passes import FEATURES, draw_weights, trained
from tensors import kind

from syncpoint.graders import EngineArray, array, core, hint, is_number, kind_of, misconception, saw, value, weight
from syncpoint.graders.device_log import LOOK, DeviceLog
from syncpoint.graders.reference import HUBER_MOMENTUM, KINK, RUNAWAY, Updates, right_pass

STEPS = 2  # their number in the log: they are the second argument
HIDDEN, SILENT = ("item", "cpu", "bool", "nonzero", "mask", "to"), ("add", "sum", "where", "aside", "warn")
# Sizes and scales of the batches: the gradients of the first and the third are clipped, those of the others are not.
# Two are of one size: a buffer that is used again holds the wrong numbers.  One is large.
BATCHES = (8, 5.0), (260, 0.05), (8, 10.0), (5, 0.05)
EARLIER = 297  # older losses that come into the history: with those of the steps, a count at which people print one


@value
@weight(3)
@hint(
    "Set the debug mode to 'warn'. Collect all warnings, not only the first of each line, and count those about"
    " waiting. Call work() once, and set the mode back to 'default' at the end."
)
@misconception("asks-for-a-number")
def test_count_waits(student, rng):
    """count_waits returns how many hidden waits there were."""
    # Each way to wait is there, and each that does not.  Of five waits all come from one line: a filter that shows
    # a warning once for each line misses four.
    for waits in ((), HIDDEN, ["item"] * 5):
        count, steps = len(waits), [str(name) for name in rng.permutation([*waits, *SILENT])]
        x = array(rng.normal(size=(4, 4)), device=1)
        places = array(np.array([(*HIDDEN, *SILENT).index(name) for name in steps]), device=1, look=True)
        seen = student.results_gated.observe("counted", function="count_waits", x=x, steps=places)
        told, log = seen["returned"], DeviceLog.of(seen)
        looks = log.reading(STEPS)
        calls = [event.label for event in log.events if event.kind == LOOK].count("0")
        with saw("count_waits returned {kind}.", kind=kind_of(told)):
            assert is_number(told)
        with saw("count_waits called work() {calls} times.", calls=calls):
            assert calls == 1
        with saw("work() stopped after {done} of {count} parts.", done=looks[LOOK], count=len(steps)):
            assert looks[LOOK] >= len(steps)
        with saw("count_waits read data that belongs to the function work."):
            assert looks == {LOOK: len(steps)}
        with saw("A piece of work had {count} hidden waits, and count_waits returned {told}.", count=count, told=told):
            assert told == count
        with saw("count_waits did not set the debug mode back."):
            assert seen["mode"] == 0


class Steps:
    """The student's four steps, and those of noisy_step with the same weights and batches."""

    def __init__(self, student):
        rng = np.random.default_rng()
        weights, batches, self.right = _drawn(rng)
        seen = student.results_gated.observe(
            "training_steps",
            function="quiet_step",
            weights=[array(values, device=1) for values in weights],
            batches=batches,
            **HUBER_MOMENTUM.parameters,
            earlier=EARLIER,
        )
        self.log, self.seen, self.history = DeviceLog.of(seen), seen, seen["history"]
        other_weights, others, self.right_again = _drawn(rng)  # what is clipped, and what has no label, is the same
        pairs = [pair for old, new in zip(batches, others, strict=True) for pair in zip(old, new, strict=True)]
        self.again = student.replay(seen, dict(enumerate(other_weights, 1)), host=pairs)

    def check_trained(self):
        """Fail unless each step has updated the weights by what follows from a pass on the device."""
        updates = len(trained(self.log))
        with saw(
            "Updates of the weights that were computed from a pass through the network: {updates}, in {steps} steps.",
            self.log.events,
            updates=updates,
            steps=len(BATCHES),
        ):
            assert updates >= len(BATCHES)


@pytest.fixture(scope="module")
def steps(student):
    """Four steps with fresh weights and batches."""
    return Steps(student)


@core
@weight(5)
@hint(
    "Something in quiet_step still waits: item, a tensor in an if or in max(), a boolean mask, a copy from "
    "memory that is not pinned, or a copy that blocks. A weight of 0 leaves an example out; clamp and where "
    "need no values on the host."
)
@misconception("asks-for-a-number")
def test_waits_for_nothing(steps):
    """quiet_step trains and waits for nothing."""
    log = steps.log
    with saw(
        "Waits in four steps: {count}. The first: {first_wait}.",
        log.events,
        count=len(log.waits),
        first_wait=log.first_wait,
    ):
        assert not log.waits
    steps.check_trained()


@core
@hint("A copy to the device waits unless its source is pinned and the copy is non_blocking: you need both.")
@misconception("copy-is-free")
def test_copies_do_not_wait(steps):
    """The copies of quiet_step to the device wait for nothing."""
    copies = [event.label for event in steps.log.events if event.kind == "wait" and event.label.startswith("copy")]
    with saw("Copies to the device that waited, in four steps: {count}.", steps.log.events, count=len(copies)):
        assert not copies
    steps.check_trained()


@value
@weight(2)
@hint(
    "The same step, with the given loss and optimizer: the mean over the examples that have a label, and gradients "
    "whose norm is 1 at most."
)
@misconception("gradients-add-up")
def test_weights(steps):
    """The weights are those of noisy_step."""
    _check_weights(steps.seen, steps.right[0])
    steps.again.check(_check_weights, steps.right_again[0])


@value
@hint("Append the loss of each step to history, as a tensor on the device: one element, without its graph if you like.")
@misconception("reads-the-task")
def test_history(steps):
    """The history holds the losses."""
    with saw("Entries in history after four steps: {count}.", count=len(steps.history)):
        assert len(steps.history) == len(BATCHES)
    for told in steps.history:
        with saw("An entry of history is {kind}.", kind=kind(told)):
            assert isinstance(told, EngineArray) or is_number(told)
        value = told.values if isinstance(told, EngineArray) else told
        with saw("An entry of history has {size} elements.", size=np.size(value)):
            assert np.size(value) == 1
    _check_history(steps.seen, steps.right[1])
    steps.again.check(_check_history, steps.right_again[1])


@hint("X and y belong to the caller. Copy them before you change them with += or a mask.")
@misconception("reads-the-task")
def test_data_stay(steps):
    """X and y stay as they are."""
    changed = steps.seen["changed"]
    with saw("In four steps, quiet_step changed {changed} of the tensors X and y.", changed=changed):
        assert not changed
    steps.check_trained()


def _check_weights(seen, right):
    for one, wanted in zip(seen["weights"], right, strict=True):
        np.testing.assert_allclose(one.values, wanted, rtol=1e-3, atol=1e-4)


def _check_history(seen, losses):
    for one, right in zip(seen["history"], losses, strict=True):
        if one is not None:
            np.testing.assert_allclose(np.ravel(one)[0], right, rtol=1e-3, atol=1e-4)


def _drawn(rng):
    """Weights, batches, and what is right after these steps."""
    right = None
    while right is None:
        weights = [values / 4 for values in draw_weights(rng)]
        batches = [_batch(rng, size, scale) for size, scale in BATCHES]
        right = _right_steps(weights, batches)
    return weights, batches, right


def _batch(rng, size, scale):
    """X and y; every third example has no label, which y < 0 marks.  0 is a label."""
    X, y = rng.normal(size=(size, FEATURES)) * scale, abs(rng.normal(size=size)) * scale
    y[0], y[1::3] = 0, -1
    return X.astype(np.float32), y.astype(np.float32)


def _right_steps(weights, batches):
    """Weights and losses after these steps; None where rounding could change much, or other steps would be clipped."""
    weights, losses = [np.array(values, dtype=np.float64) for values in weights], []
    updates = Updates(HUBER_MOMENTUM)
    for (X, y), (_, scale) in zip(batches, BATCHES, strict=True):
        known = y >= 0
        loss, gradients, _ = right_pass(weights, X[known], y[known], HUBER_MOMENTUM.loss)
        before = X @ weights[0].T + weights[1]
        norm = np.sqrt(sum((gradient**2).sum() for gradient in gradients))
        if abs(before).min() < KINK or abs(before).max() > 4 * RUNAWAY or abs(norm - 1) < 0.1:
            return None
        if (norm > 1) != (scale > 1):
            return None
        losses.append(loss)
        weights = updates.step(weights, [gradient / max(norm, 1) for gradient in gradients])
    return weights, losses
