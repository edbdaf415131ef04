"""A small network in NumPy, and its training: the reference for what the devices compute."""

import itertools

import numpy as np

from syncpoint.graders import EngineArray

EXACT = {"rtol": 0, "atol": 0}
ROUNDING = {"float32": {"rtol": 1e-3, "atol": 1e-4}, "float64": {"rtol": 1e-9, "atol": 1e-9}, "int64": EXACT}


def is_close(answer, right, dtype="float32"):
    """Whether what a student's side gave is an array of this type with these values, but for rounding."""
    if not isinstance(answer, EngineArray) or answer.values.dtype != dtype:
        return False
    return np.shape(right) == answer.values.shape and np.allclose(answer.values, right, **ROUNDING[str(dtype)])


class MLP:
    """Fully connected layers with tanh between them, drawn; the loss is the mean of the squares of the errors.

    weights: of each layer the matrix (outputs, inputs) and the bias, as in nn.Linear, float32.  tied: whether the last
    layer is there twice, with the same weights.
    """

    def __init__(self, rng, widths=(4, 5, 2), tied=False):
        self.widths, self.tied = widths, tied
        self.weights = []
        for inputs, outputs in itertools.pairwise(widths):
            self.weights += [rng.normal(size=(outputs, inputs)), rng.normal(size=outputs)]
        self.weights = [one.astype("float32") for one in self.weights]

    def batch(self, rng, rows):
        """Examples and their targets."""
        return [rng.normal(size=(rows, width)) for width in (self.widths[0], self.widths[-1])]

    def gradients(self, weights, X, y):
        """Of the loss, for each of the weights."""
        layers = [(weights[place], weights[place + 1]) for place in range(0, len(weights), 2)]
        layers += layers[-1:] * self.tied
        inputs = [np.asarray(X, dtype="float64")]
        for place, (W, b) in enumerate(layers):
            out = inputs[-1] @ W.T + b
            inputs.append(out if place == len(layers) - 1 else np.tanh(out))
        error = 2 * (inputs[-1] - y) / y.size
        found = []
        for place in reversed(range(len(layers))):
            found = [error.T @ inputs[place], error.sum(0), *found]
            error = (error @ layers[place][0]) * (1 - inputs[place] ** 2)
        if self.tied:
            *found, W, b = found
            found[-2:] = [found[-2] + W, found[-1] + b]
        return found

    def mean_gradients(self, weights, parts):
        """The mean of the gradients of some batches."""
        each = [self.gradients(weights, X, y) for X, y in parts]
        return [sum(ones) / len(parts) for ones in zip(*each, strict=True)]

    def trained(self, steps, lr, frozen=()):
        """The weights after gradient descent; steps: for each step the batches whose gradients are averaged."""
        weights = [one.astype("float64") for one in self.weights]
        for parts in steps:
            gradients = self.mean_gradients(weights, parts)
            rates = [0 if place in frozen else lr for place in range(len(weights))]
            weights = [one - rate * two for one, rate, two in zip(weights, rates, gradients, strict=True)]
        return weights


def adam(weights, gradients, lr, betas=(0.9, 0.999), eps=1e-8):
    """The weights after some steps of Adam, as torch.optim.Adam makes them; gradients: of each step."""
    weights = [one.astype("float64") for one in weights]
    first, second = [0 * one for one in weights], [0 * one for one in weights]
    for step, now in enumerate(gradients, 1):
        for place, gradient in enumerate(now):
            first[place] = betas[0] * first[place] + (1 - betas[0]) * gradient
            second[place] = betas[1] * second[place] + (1 - betas[1]) * gradient**2
            mean, square = first[place] / (1 - betas[0] ** step), second[place] / (1 - betas[1] ** step)
            weights[place] = weights[place] - lr * mean / (np.sqrt(square) + eps)
    return weights
