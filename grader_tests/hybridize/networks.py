"""Dense networks in numpy with weights nobody can know."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from syncpoint.graders import EngineArray, kind_of, saw

ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}
BATCH_NORM_EPSILON = 1e-5  # of nn.BatchNorm, if nothing else is said


@dataclass(frozen=True)
class Perceptron:
    """Dense layers with an activation between them.

    weights: W (outputs, inputs) and b (outputs,) of each layer, float32.
    plus_input: whether the input is added to the output.
    averages: of a BatchNorm after the first activation, if there is one: gamma, beta, running mean and running
    variance, each of (outputs of the first layer,), float32.
    """

    weights: list[np.ndarray]
    activation: str = "relu"
    plus_input: bool = False
    averages: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def draw(
        cls, rng: np.random.Generator, widths: tuple[int, ...], batch_norm: bool = False, **kind: Any
    ) -> "Perceptron":
        """Fresh weights; widths: the features of the input, then the outputs of each layer."""
        weights = []
        for inputs, outputs in pairwise(widths):
            # Divided so that no layer makes its numbers much larger or smaller.
            weights.append((rng.normal(size=(outputs, inputs)) / np.sqrt(inputs)).astype(np.float32))
            weights.append(rng.normal(size=outputs).astype(np.float32) / 2)
        if batch_norm:
            # Far from those of a new layer, and the two that divide are far from 0.
            lowest, highest = (1.5, 1, 1, 2), (2, 2, 2, 3)
            kind["averages"] = list(rng.uniform(lowest, highest, size=(widths[1], 4)).T.astype(np.float32))
        return cls(weights, **kind)

    def layer(self, number: int, x: np.ndarray) -> np.ndarray:
        """What one layer computes, without its activation."""
        W, b = self.weights[2 * number : 2 * number + 2]
        return np.asarray(x, dtype=np.float64) @ W.T.astype(np.float64) + b

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """What the network computes."""
        h = x
        for number in range(len(self.weights) // 2 - 1):
            h = ACTIVATIONS[self.activation](self.layer(number, h))
            if number == 0 and self.averages:
                gamma, beta, mean, variance = self.averages
                h = gamma * (h - mean) / np.sqrt(variance + BATCH_NORM_EPSILON) + beta
        output = self.layer(len(self.weights) // 2 - 1, h)
        return output + x if self.plus_input else output


def perceptron(*widths: int, where: Callable[[Perceptron], bool] = lambda net: True, **kind: Any) -> Perceptron:
    """A network of these widths, the features of the input first, with fresh weights.

    where: a condition that it must fulfil, so that every mistake shows; most networks fulfil it.
    batch_norm: whether it has one.  Further keywords are those of `Perceptron`.
    """
    rng = np.random.default_rng()
    while not where(net := Perceptron.draw(rng, widths, **kind)):
        pass
    return net


def has_both_signs(values: np.ndarray) -> bool:
    """Whether some values are clearly below 0 and others clearly above."""
    return bool(np.min(values) < -0.1 and np.max(values) > 0.1)


def check_output(output: Any, right: np.ndarray, tolerance: float = 1e-3) -> None:
    """Fail unless a network's output is an NDArray with the right values."""
    with saw("The output is {kind}.", kind=kind_of(output)):
        assert isinstance(output, EngineArray), output
    with saw("The output has another shape than that of these layers."):
        assert output.values.shape == right.shape, output
    # Where large numbers are added up, float32 rounds the small ones.
    np.testing.assert_allclose(output, right, rtol=tolerance, atol=max(tolerance, 1e-5 * np.abs(right).max()))
