"""The network of these exercises in NumPy: blocks of a linear layer without bias, and tanh."""

import numpy as np

from syncpoint.graders import EngineArray


def is_close(answer, wanted, rtol=1e-2, atol=1e-3):
    """Whether what a student's side gave is an array of this shape with these values, but for rounding."""
    if not isinstance(answer, EngineArray) or answer.values.shape != np.shape(wanted):
        return False
    return bool(np.allclose(answer.values, wanted, rtol=rtol, atol=atol))


def weights(rng, count, width):
    """The weights of so many blocks, (width, width) each, float32."""
    return [(rng.normal(size=(width, width)) / np.sqrt(width)).astype("float32") for _ in range(count)]


def forward(blocks, x):
    """What goes into the first block, and what comes out of each; the last one is the output."""
    values = [np.asarray(x, dtype="float64")]
    for w in blocks:
        values.append(np.tanh(values[-1] @ w.T))
    return values


def gradients(blocks, x, head):
    """Of each block's weight.

    head: the gradient of the output, of its size; or a function that makes it of the output.
    """
    values, found = forward(blocks, x), []
    head = head(values[-1]) if callable(head) else head
    for w, into, out in zip(reversed(blocks), reversed(values[:-1]), reversed(values[1:]), strict=True):
        head = head * (1 - out**2)
        found.append(head.reshape(-1, len(w)).T @ into.reshape(-1, len(w)))
        head = head @ w
    return found[::-1]
