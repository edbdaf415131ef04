"""checkpointed(blocks, x, budget): forward through all blocks, within a budget of memory."""

import math

import numpy as np
import pytest
from networks import forward, gradients, is_close, weights

from syncpoint.graders import EngineArray, array, core, hint, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay

WIDTH = 16


@pytest.fixture(scope="module")
def call(student, run):
    """``call(count, *axes)``: one call with this many blocks and x of (*axes, width), and the backward pass after it.

    The batch is so large that the room for gradients, which come last, holds hardly an activation.
    """
    rng = np.random.default_rng()

    def called(count, *axes, held=True):
        blocks = weights(rng, count, WIDTH)
        x, head = rng.normal(size=(2, *axes, WIDTH))
        # As the exercise says it: segments of about the root need as many inputs and activations, and some more.
        budget = 4 * WIDTH * WIDTH * count + 4 * x.size * (2 * math.isqrt(count) + 6)
        found = run(
            "checkpointed",
            held=held,
            weights=[array(w, device=1) for w in blocks],
            x=array(x, device=1),
            head=array(head, device=1),
            budget=budget,
        )
        other = {"blocks": weights(rng, count, WIDTH)}
        other["x"], other["head"] = rng.normal(size=(2, *axes, WIDTH)).astype("float32")
        values = dict(enumerate([*other["blocks"], other["x"], other["head"]], 1))
        more = {"again": student.replay(found, values), "other": other} if held else {}
        return {**found, "blocks": blocks, "x": x, "head": head, "budget": budget, **more}

    return called


@pytest.fixture(scope="module")
def count():
    """A drawn number of blocks."""
    return int(np.random.default_rng().integers(37, 40))  # no multiple of 6: there is a rest


@pytest.fixture(scope="module")
def seen(call, count):
    """That number of blocks."""
    return call(count, 512)


@pytest.fixture(scope="module")
def many(call):
    """Many blocks: a number of segments that is right for fewer blocks is far from the root."""
    return call(int(np.random.default_rng().integers(257, 262)), 2048, held=False)


@core
@weight(4)
@hint(
    "Each segment keeps only its input. While a segment goes backward, all its activations exist. One "
    "large segment means all activations at once; many small segments mean many inputs. Look for the "
    "middle."
)
@misconception("checkpoint-once")
def test_peak(seen, many):
    """The peak memory, forward and backward, is within the budget."""
    for one in (seen, many):
        one["usage"].check_peak(one["budget"])


@core
@weight(3)
@hint(
    "Every block gets its gradient, including the first ones. detach and no_grad cut the way back. The "
    "reentrant kind of checkpoint gives no gradients if its input does not ask for one."
)
@misconception("detach-saves-memory")
def test_gradients(seen):
    """All blocks have the right gradients."""
    check_gradients(seen, seen)
    seen["again"].check(check_gradients, seen["other"])


def check_gradients(seen, given):
    """Fail unless these are the gradients for what was given."""
    right = gradients(given["blocks"], given["x"], given["head"])
    missing = sum(not isinstance(answer, EngineArray) for answer in seen["gradients"])
    with saw("Blocks without a gradient: {missing} of {total}.", missing=missing, total=len(right)):
        assert not missing
    pairs = zip(seen["gradients"], right, strict=True)
    wrong = sum(not is_close(answer, wanted) for answer, wanted in pairs)
    with saw("Blocks with a wrong gradient: {wrong} of {total}.", wrong=wrong, total=len(right)):
        assert not wrong


@core
@hint("Do not use the host's memory here: copy nothing to the host, and wait for nothing.")
@misconception("checkpoint-once")
def test_on_the_device(seen):
    """Nothing is moved to the host, and the host waits for nothing."""
    seen["usage"].check_stays_on_device()
    seen["usage"].check_no_wait()


@value
@hint("The call returns what the last block gives for x.")
@misconception("reads-the-task")
def test_output(seen):
    """The output is that of all blocks, one after another."""
    check_output(seen, seen)
    seen["again"].check(check_output, seen["other"])


def check_output(seen, given):
    """Fail unless the output is that for what was given."""
    with saw("What was returned is not what the last block gives."):
        assert is_close(seen["output"], forward(given["blocks"], given["x"])[-1])


@hint("Nothing in checkpointed needs the number of the axes of x: x.nbytes and x.numel() work for any shape.")
@misconception("reads-the-task")
def test_any_axes(call):
    """x may have any number of axes."""
    for axes in ((), (3, 5)):
        seen = call(30, *axes, held=False)
        with saw("checkpointed returned no tensor of the shape of x."):
            assert isinstance(seen["output"], EngineArray) and seen["output"].values.shape == seen["x"].shape


@value
@hint(
    "A block with dropout draws random numbers. Computed again, it must draw the same ones: checkpoint keeps the state "
    "of the generators, unless you tell it not to."
)
@misconception("checkpoint-once")
def test_dropout(student, rng, seen, count):
    """A block with dropout drops the same numbers when it is computed again."""
    # Other blocks than those of the first call, and as many.
    place = int(rng.integers(2, 5))  # in the first segment, which everybody computes again
    # After it each number is multiplied by itself alone, so the output is 0 where one was dropped.
    blocks = [
        *weights(rng, place + 1, WIDTH),
        *(np.diag(rng.uniform(0.8, 1.2, size=WIDTH)).astype("float32") for _ in range(place + 1, count)),
    ]
    x, head = rng.normal(size=(2, 64, WIDTH))
    seen = student.observe(
        "checkpointed",
        weights=[array(w, device=1) for w in blocks],
        x=array(x, device=1),
        head=array(head, device=1),
        budget=4 * WIDTH * WIDTH * count + 4 * x.size * (2 * math.isqrt(count) + 6),
        dropout=place,
    )
    with saw("What was returned is not what the last block gives."):
        assert isinstance(seen["output"], EngineArray) and seen["output"].values.shape == x.shape
    dropped = {place: 2 * (seen["output"].values != 0)}
    with saw("What was returned is not what the last block gives."):
        assert is_close(seen["output"], forward(blocks, x, dropped)[-1])
    pairs = zip(seen["gradients"], gradients(blocks, x, head, dropped), strict=True)
    wrong = sum(not is_close(answer, 1 + wanted) for answer, wanted in pairs)  # backward adds to the ones from before
    with saw("Blocks with a wrong gradient, when one block has dropout: {wrong} of {total}.", wrong=wrong, total=count):
        assert not wrong


@weight(2)
@hint("Forward once, and once again in the backward pass: a segment inside a segment computes some blocks three times.")
@misconception("checkpoint-once")
def test_at_most_twice(seen):
    """No block is computed forward more than twice."""
    # The backward pass itself reads a weight once more.
    most = max(seen["usage"].uses(number) for number in range(1, len(seen["blocks"]) + 1))
    with saw(
        "Operations that read the weight of one block: up to {most}, including the one of the backward pass.", most=most
    ):
        assert most <= 3


@hint("x belongs to the caller. Copy it before you change it in place.")
@misconception("reads-the-task")
def test_x_stays(seen):
    """x stays as it is."""
    seen["usage"].check_works()
    seen["usage"].check_stay(len(seen["blocks"]) + 1)
    with saw("x asks for a gradient after the call, but did not before it."):
        assert not seen["x_asks"]


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(seen):
    """The list of blocks stays as it is."""
    seen["usage"].check_works()
    check_containers_stay(seen["containers_changed"])
