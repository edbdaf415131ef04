"""accumulate(net, loss, optimizer, X, y, parts): the update of the whole batch, with the activations of one part."""

import numpy as np
import pytest
from networks import gradients, is_close, weights

from syncpoint.graders import array, core, hint, misconception, saw, value, weight

WIDTH, DEPTH = 16, 8
# Of gradients: older ones, two that are added up, and their sum.
SETS = 4
# Of the arrays of one part: what the blocks keep, the passes themselves, the loss, and a copy of each part besides.
ROOM = 1.1
INDEX = 8  # bytes: somebody may pick examples by their numbers
MOMENTUM, DECAY = 0.5, 0.1


@pytest.fixture(scope="module")
def train(student, run):
    """``train(size, parts, depth, calls)``: calls with drawn batches of that size, and the right weights after them.

    ``dtype``: of the weights and the batches.
    ``axes``: those of an example, in addition to the last one.  ``frozen``: numbers of layers that ask for no gradient.
    ``decay``: of the weights.  ``tied``: whether all layers share one weight.
    ``again``: whether the device runs it once more.
    ``most``: the bytes that a call may have at its peak.
    """
    rng = np.random.default_rng()

    def called(
        size,
        parts,
        depth=2,
        calls=2,
        held=True,
        axes=(),
        again=True,
        frozen=(),
        decay=0.0,
        dtype="float32",
        tied=False,
    ):
        rate = float(rng.uniform(0.5, 1))
        count = 1 if tied else depth
        blocks = weights(rng, count, WIDTH)
        batches = [rng.normal(size=(2, size, *axes, WIDTH)) for _ in range(calls)]
        found = run(
            "accumulated",
            held=held,
            weights=[array(w, device=1, dtype=dtype) for w in blocks],
            batches=[[array(one, device=1, dtype=dtype) for one in batch] for batch in batches],
            parts=parts,
            rate=rate,
            momentum=MOMENTUM,
            decay=decay,
            frozen=list(frozen),
            depth=depth,
        )
        others, other_batches = (
            weights(rng, count, WIDTH),
            [rng.normal(size=(2, size, *axes, WIDTH)) for _ in range(calls)],
        )
        values = [*others, *(one for batch in other_batches for one in batch)]
        more = {"right_again": _trained(others, other_batches, rate, frozen, decay, depth), "before_again": others}
        if again:
            more["again"] = student.replay(found, {number: one.astype(dtype) for number, one in enumerate(values, 1)})
        one = 4 * WIDTH * -(-size // parts)
        most = SETS * 4 * WIDTH * WIDTH * depth + int(ROOM * one * (depth + 4)) + INDEX * size
        right = _trained(blocks, batches, rate, frozen, decay, depth)
        return {**found, "right": right, "before": blocks, "parts": parts, "most": most, **more}

    return called


def _trained(blocks, batches, rate, frozen, decay, depth):
    """The weights after one update with each whole batch, but for the frozen ones; layers share them in turn."""
    saved, count = [0 * w for w in blocks], len(blocks)
    for X, y in batches:
        layers = [blocks[number % count] for number in range(depth)]
        each = gradients(layers, X, lambda out, y=y: np.clip(out - y, -1, 1) / y.size)
        step = [sum(each[number::count]) for number in range(count)]
        step = [new + decay * w for w, new in zip(blocks, step, strict=True)]
        saved = [MOMENTUM * old + new for old, new in zip(saved, step, strict=True)]
        rates = [0 if number in frozen else rate for number in range(len(blocks))]
        blocks = [w - one * change for w, one, change in zip(blocks, rates, saved, strict=True)]
    return blocks


@pytest.fixture(scope="module")
def seen(train):
    """One batch in parts of a drawn number, that are large compared with the weights; it is not divisible."""
    parts = int(np.random.default_rng().integers(9, 12))  # more than somebody tries
    return train(512 * parts - 1, parts, DEPTH, calls=1, again=False)


@pytest.fixture(scope="module")
def many(train):
    """One batch in very many small parts: code that leaves the whole rest to the last part makes a large one."""
    parts = int(np.random.default_rng().integers(58, 64))
    return train(8 * parts - 1, parts, depth=1, calls=1, held=False, again=False)


def check_weights(seen):
    """Fail unless the network learned what two whole batches teach."""
    _check_weights(seen, seen["right"], seen["before"])
    seen["again"].check(_check_weights, seen["right_again"], seen["before_again"])


def _check_weights(seen, rights, befores):
    pairs = list(zip(seen["trained"], rights, befores, strict=True))
    wrong = 0
    for answer, right, before in pairs:
        wrong += not is_close(answer, right, rtol=0, atol=2e-3 * np.abs(right - before).max() + 2e-6)
    with saw(
        "Layers whose weights are not those of one update with each whole batch: {wrong} of {total}.",
        wrong=wrong,
        total=len(pairs),
    ):
        assert not wrong


@core
@weight(4)
@hint(
    "backward adds to the gradients, and the activations of a part are freed after its backward pass. So run "
    "the backward pass of each part before the forward pass of the next part."
)
@misconception("backward-forgets")
def test_peak(seen, many):
    """At the peak, only the activations of one part are in memory."""
    for one in (seen, many):
        one["usage"].check_works()
        one["usage"].check_peak(one["most"])


@core
@hint("tensor_split or chunk makes the parts. Each of them goes through the network once.")
@misconception("reads-the-task")
def test_parts(seen):
    """The batch goes through the network in as many parts as were asked for."""
    passes = seen["usage"].passes(1, DEPTH + 1)
    with saw("Passes through the first layer: {passes}, for {parts} parts.", passes=passes, parts=seen["parts"]):
        assert passes in (seen["parts"], 2 * seen["parts"])  # with checkpointing as well, it is computed twice


@core
@weight(3)
@hint(
    "Weight each part by its number of examples. Set the gradients to zero for each batch, and call the step of"
    " the given optimizer once, after all parts."
)
@misconception("gradients-add-up")
def test_weights(train):
    """The weights are those of one update with the whole batch, even if its parts are uneven."""
    for size, parts, tied in ((13, 4, False), (11, 3, True)):
        check_weights(train(size, parts, depth=2, decay=DECAY, tied=tied))


@core
@hint("One step of the optimizer for the whole batch: after the loop over the parts.")
@misconception("gradients-add-up")
def test_one_step(seen, many):
    """There is one step for the batch."""
    most = max([many["usage"].updates(1), *(seen["usage"].updates(number) for number in range(1, DEPTH + 1))])
    with saw("Updates of a layer: up to {most}. There should be one.", most=most):
        assert most == 1


@hint("loss.item(), print and the like wait. The number is not needed.")
@misconception("wait-in-the-loop")
def test_no_wait(seen):
    """The host waits for nothing."""
    seen["usage"].check_works()
    seen["usage"].check_no_wait()


@hint(
    "With one part it is the whole batch; with as many parts as examples, each part has one. An example may have "
    "several axes."
)
@misconception("reads-the-task")
def test_extremes(train):
    """One part and parts of one example each are also right, whatever the shape of an example."""
    for size, parts, axes in ((5, 1, ()), (4, 4, (2, 3))):
        check_weights(train(size, parts, depth=2, axes=axes))


@value
@hint("A frozen parameter has no gradient, not even zeros: an optimizer with weight decay would change it.")
@misconception("reads-the-task")
def test_frozen(train):
    """Frozen parameters stay as they are, and all others are trained."""
    check_weights(train(8, 2, depth=2, frozen=(0,), decay=DECAY, dtype="float64"))


@hint("X and y belong to the caller. Write neither into them nor into views of them.")
@misconception("reads-the-task")
def test_batch_stays(seen):
    """X and y stay as they are."""
    seen["usage"].check_works()
    seen["usage"].check_stay(DEPTH + 1, DEPTH + 2)
    with saw(
        "Of X and y, tensors that ask for a gradient after the call, but did not before it: {asking}.",
        asking=seen["asking"],
    ):
        assert not seen["asking"]
