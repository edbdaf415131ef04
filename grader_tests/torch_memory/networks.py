"""The network of these exercises in NumPy: blocks of a linear layer without bias, and tanh."""

import numpy as np

from syncpoint.graders import EngineArray


def is_close(answer, wanted, rtol=1e-2, atol=1e-3):
    """Whether what a student's side gave is an array of this shape with these values, but for rounding."""
    if not isinstance(answer, EngineArray) or answer.values.shape != np.shape(wanted):
        return False
    return bool(np.allclose(answer.values, wanted, rtol=rtol, atol=atol))


def weights(rng, count, width):
    """The weights of this many blocks, (width, width) each, float32."""
    return [(rng.normal(size=(width, width)) / np.sqrt(width)).astype("float32") for _ in range(count)]


def forward(blocks, x, dropped=()):
    """What goes into the first block, and what comes out of each; the last one is the output.

    dropped: of blocks with dropout what their output is multiplied by, by their numbers.
    """
    values = [np.asarray(x, dtype="float64")]
    for number, w in enumerate(blocks):
        out = np.tanh(values[-1] @ w.T)
        values.append(out * dropped[number] if number in dropped else out)
    return values


def gradients(blocks, x, head, dropped=()):
    """Of each block's weight.

    head: the gradient of the output, of its size; or a function that makes it of the output.  dropped: as for forward.
    """
    values, found = forward(blocks, x, dropped), []
    head = head(values[-1]) if callable(head) else head
    for number, w in reversed(list(enumerate(blocks))):
        into, out = values[number], values[number + 1]
        head = head * dropped[number] * (1 - (out / 2) ** 2) if number in dropped else head * (1 - out**2)
        found.append(head.reshape(-1, len(w)).T @ into.reshape(-1, len(w)))
        head = head @ w
    return found[::-1]
