"""The notebook's LeNet in NumPy, with softmax cross-entropy, and the right training of fresh weights.

Weights are lists of 8 arrays.
"""

from dataclasses import dataclass

import numpy as np

SHAPES = [(20, 1, 3, 3), (20,), (50, 20, 5, 5), (50,), (800, 128), (128,), (128, 10), (10,)]
# An input of a ReLU so near to 0 may have one sign in float64 and the other in float32.
KINK = 5e-6
# The same before each step of `training`: what float32 loses grows with the steps, up to half of it was seen.
KINKS = (1e-5, 3e-5, 5e-5)
TRIES, TRIES_OF_A_BATCH = 200, 5


@dataclass(frozen=True)
class Training:
    """Fresh weights and batches, and the result of a right training.

    start: the 8 weights (float32).  batches: [(X (n, 1, 28, 28), y (n,))], float32.  learning_rate: of plain SGD.
    after: the right weights (float64) after each of the batches.
    """

    start: list[np.ndarray]
    batches: list[tuple[np.ndarray, np.ndarray]]
    learning_rate: float
    after: list[list[np.ndarray]]


def weights(rng):
    """Weights of a size that keeps the signal, float32: errors show in all of them."""
    fans = [9, 0, 500, 0, 800, 0, 128, 0]
    return [
        (rng.normal(size=shape) * (np.sqrt(2 / fan) if fan else 0.1)).astype(np.float32)
        for shape, fan in zip(SHAPES, fans, strict=True)
    ]


def images(rng, count):
    """Images of 16 squares, black, gray or white, (count, 1, 28, 28) float32 in [0, 1]; few inputs are near 0."""
    squares = rng.integers(0, 3, size=(count, 1, 4, 4)) / 2
    return squares.repeat(7, axis=2).repeat(7, axis=3).astype(np.float32)


def batch(rng, size):
    """Images and labels, float32 as the loader gives them."""
    return images(rng, size), rng.integers(0, 10, size=size).astype(np.float32)


def logits(weights, X):
    """The output of the network, (n, 10) float64."""
    return _forward(weights, X)[-1]


def loss(weights, batches):
    """The mean loss over all images of the batches."""
    losses = np.concatenate([-_log_softmax(logits(weights, X))[_labels(y)] for X, y in batches])
    return float(losses.mean())


def accuracy(weights, batches):
    """The share of images whose largest logit is the right one."""
    return float(np.concatenate([logits(weights, X).argmax(axis=1) == y for X, y in batches]).mean())


def step(weights, X, y, learning_rate, kink=KINK):
    """The weights after one step of SGD on the mean loss; None if an input of a ReLU is nearer to 0 than ``kink``."""
    z1, p1, z2, p2, z3, logits = _forward(weights, X)
    if any(np.abs(z).min() < kink for z in (z1, z2, z3)):
        return None
    _, _, W2, _, W3, _, W4, _ = weights
    d4 = np.exp(_log_softmax(logits))
    d4[_labels(y)] -= 1
    d4 /= len(X)
    d3 = d4 @ W4.T * (z3 > 0)
    d2 = _unpool((d3 @ W3.T).reshape(p2.shape), z2.shape[2]) * (z2 > 0)
    d1 = _unpool(_back(d2, W2), z1.shape[2]) * (z1 > 0)
    gradients = [
        *(_correlate(X, d1), d1.sum(axis=(0, 2, 3))),
        *(_correlate(p1, d2), d2.sum(axis=(0, 2, 3))),
        *(p2.reshape(len(X), -1).T @ d3, d3.sum(axis=0)),
        *(np.maximum(z3, 0).T @ d4, d4.sum(axis=0)),
    ]
    return [weight - learning_rate * gradient for weight, gradient in zip(weights, gradients, strict=True)]


def train(weights, batches, learning_rate):
    """The weights after each batch, and whether rounding errors cannot change them much; if they can, it stops."""
    after = []
    for X, y in batches:
        weights = step(weights, X, y, learning_rate)
        if weights is None:
            return after, False
        after.append(weights)
    return after, True


def roughly_trained(weights, batches, learning_rate):
    """The weights after these batches, whatever rounding errors change in them; for `is_near`."""
    for X, y in batches:
        weights = step(weights, X, y, learning_rate, kink=0)
    return weights


def is_near(found, right, start):
    """Whether these weights are the right ones, but for what rounding errors change in a training from ``start``."""
    return all(
        np.linalg.norm(seen - values) < 0.05 * np.linalg.norm(values - before)
        for seen, values, before in zip(found, right, start, strict=True)
    )


def training(sizes):
    """Fresh weights and one batch of each size (three at most), and what plain SGD makes of them: a Training."""
    rng = np.random.default_rng()
    # The notebook uses 0.2, 0.3 and 0.5, and 0.1 comes to mind first.
    learning_rate = float(rng.uniform(0.12, 0.17))
    for _ in range(TRIES):
        found = Training(weights(rng), [], learning_rate, [])
        if all(_goes_on(found, rng, size, kink) for size, kink in zip(sizes, KINKS, strict=False)):
            return found
    raise RuntimeError(f"no weights and batches without an input near 0 in {TRIES} tries")


def _goes_on(training, rng, size, kink):
    """Add a batch that rounding errors cannot change much; whether one was found.  With some weights there is none."""
    before = [training.start, *training.after][-1]
    for _ in range(TRIES_OF_A_BATCH):
        data = batch(rng, size)
        after = step(before, *data, training.learning_rate, kink)
        if after is not None:
            training.batches.append(data)
            training.after.append(after)
            return True
    return False


def _forward(weights, X):
    """The inputs of the three ReLUs, between them the inputs of the second convolution and dense layer; the logits."""
    W1, b1, W2, b2, W3, b3, W4, b4 = (np.asarray(weight, dtype=np.float64) for weight in weights)
    z1 = _convolve(X, W1) + b1[:, None, None]
    p1 = _pool(np.maximum(z1, 0))
    z2 = _convolve(p1, W2) + b2[:, None, None]
    p2 = _pool(np.maximum(z2, 0))
    z3 = p2.reshape(len(X), -1) @ W3 + b3
    return z1, p1, z2, p2, z3, np.maximum(z3, 0) @ W4 + b4


def _convolve(x, W):
    """x (n, c, h, w) with W (f, c, k, k), no padding: (n, f, h - k + 1, w - k + 1)."""
    return np.tensordot(_windows(x, W.shape[2]), W, axes=((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2)


def _correlate(x, d):
    """The gradient of the weights (f, c, k, k), from the inputs x and the gradient d of the outputs."""
    return np.tensordot(d, _windows(x, x.shape[2] - d.shape[2] + 1), axes=((0, 2, 3), (0, 2, 3)))


def _windows(x, size):
    """What each place of an output sees of x: (n, c, h - size + 1, w - size + 1, size, size)."""
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(2, 3))


def _back(d, W):
    """The gradient of a convolution's inputs, from the gradient d of its outputs."""
    n, _, height, width = d.shape
    _, channels, size, _ = W.shape
    shares = np.tensordot(W, d, axes=(0, 1))  # of the outputs, for what each saw: (c, k, k, n, h, w)
    inputs = np.zeros((channels, n, height + size - 1, width + size - 1))
    for row, column in np.ndindex(size, size):
        inputs[:, :, row : row + height, column : column + width] += shares[:, row, column]
    return inputs.transpose(1, 0, 2, 3)


def _pool(x):
    """The mean of each square of 2 x 2; an odd last row or column has none."""
    n, c, height, width = x.shape
    height, width = height // 2, width // 2
    return x[:, :, : 2 * height, : 2 * width].reshape(n, c, height, 2, width, 2).mean(axis=(3, 5))


def _unpool(d, size):
    """The gradient of the inputs of `_pool`, which had `size` rows and columns."""
    spread = (d / 4).repeat(2, axis=2).repeat(2, axis=3)
    rim = size - spread.shape[2]
    return np.pad(spread, ((0, 0), (0, 0), (0, rim), (0, rim)))


def _log_softmax(logits):
    logits = logits - logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def _labels(y):
    """The index of the right class in each row."""
    return np.arange(len(y)), y.astype(int)
