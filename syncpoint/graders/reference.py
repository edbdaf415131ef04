"""Trains a small network (dense layer, ReLU, dense layer) in NumPy, as a reference for the graders of each engine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

# An input of a ReLU this close to 0 may have one sign in float64 and another in float32. If errors become this large,
# the training diverges and rounding errors grow. Of 60,000 other draws in float32, none differed by more than a
# thirtieth of what check_weights allows.
KINK, RUNAWAY = 1e-4, 20.0
MOST_DRAWS = 100  # for one batch
Weights = list[np.ndarray]
Batch = tuple[np.ndarray, np.ndarray]
SMALL = 1e-3  # Adam divides a gradient by its own size, so rounding matters for smaller gradients
# This many numbers of one size, of either sign, add up to 0 in any order; with more, rounding may leave a rest.
EXACT = 5
# For each loss, by its name in torch.nn and in Gluon: the cost of an error, and the slope.
LOSSES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "MSELoss": (np.square, lambda error: 2 * error),
    "L1Loss": (np.abs, np.sign),
    "margin": (lambda e: np.maximum(abs(e) - 1, 0), lambda error: np.sign(error) * (abs(error) > 1)),
    "HuberLoss": (lambda e: np.where(abs(e) < 1, e**2 / 2, abs(e) - 0.5), lambda error: np.clip(error, -1, 1)),
}


@dataclass(frozen=True)
class Recipe:
    """The arguments of a training function, by the names in torch.nn and torch.optim; "margin" is a scenario's own."""

    loss: str
    optimizer: str
    options: tuple[tuple[str, float], ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """The recipe in the form that a scenario accepts."""
        return {"loss": self.loss, "optimizer": self.optimizer, "options": dict(self.options)}


PLAIN = Recipe("MSELoss", "SGD", (("lr", 0.05),))
# Code with a hard-coded loss or update has those of the notebook, not these.
HUBER_MOMENTUM = Recipe("HuberLoss", "SGD", (("lr", 0.05), ("momentum", 0.8)))
L1_ADAM = Recipe("L1Loss", "Adam", (("lr", 0.02),))
# A function and not a module: of predictions that are near enough it asks nothing.
MARGIN = Recipe("margin", "SGD", (("lr", 0.05), ("momentum", 0.8)))


class Updates:
    """An optimizer, with its state."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe, self.options, self.steps = recipe, dict(recipe.options), 0
        self._first: Weights = []
        self._second: Weights = []

    def step(self, weights: Weights, gradients: Weights) -> Weights:
        """Return the weights after one more step, computed like torch.optim."""
        self.steps += 1
        decay = self.options.get("wd", 0.0)
        gradients = [new + decay * one for new, one in zip(gradients, weights, strict=True)]
        self._first = self._first or [0 * one for one in gradients]
        if self.recipe.optimizer == "SGD":
            momentum = self.options.get("momentum", 0.0)
            self._first = [momentum * old + new for old, new in zip(self._first, gradients, strict=True)]
            changes = self._first
        else:
            self._second = self._second or [0 * one for one in gradients]
            self._first = [0.9 * old + 0.1 * new for old, new in zip(self._first, gradients, strict=True)]
            self._second = [0.999 * old + 0.001 * new**2 for old, new in zip(self._second, gradients, strict=True)]
            means = [one / (1 - 0.9**self.steps) for one in self._first]
            roots = [np.sqrt(one / (1 - 0.999**self.steps)) for one in self._second]
            changes = [mean / (root + 1e-8) for mean, root in zip(means, roots, strict=True)]
        return [one - self.options["lr"] * change for one, change in zip(weights, changes, strict=True)]

    def is_safe(self, gradients: Weights) -> bool:
        """Whether rounding of these gradients changes a step only a little."""
        if self.recipe.optimizer == "SGD":
            return True
        return all(np.all((one == 0) | (abs(one) > SMALL)) for one in gradients)


def right_pass(weights: Weights, X: np.ndarray, y: np.ndarray, loss: str) -> tuple[float, Weights, bool]:
    """Return a batch's mean loss, its gradients, and whether rounding changes either only a little."""
    W1, b1, W2, b2 = (np.array(values, dtype=np.float64) for values in weights)
    before = X @ W1.T + b1
    after = np.maximum(before, 0)
    error = after @ W2.T + b2 - y[:, None]
    cost, slope = LOSSES[loss]
    wrong = slope(error) / error.size
    back = wrong @ W2 * (before > 0)
    gradients = [back.T @ X, back.sum(axis=0), wrong.T @ after, wrong.sum(axis=0)]
    safe = abs(before).min() >= KINK and abs(error).max() <= RUNAWAY
    if loss == "margin":
        safe = safe and abs(abs(error) - 1).min() >= KINK
    if loss == "L1Loss":
        safe = safe and abs(error).min() >= KINK and not any(map(_cancel, (back, wrong)))
    return cost(error).mean(), gradients, safe


def _cancel(terms: np.ndarray) -> bool:
    """Whether many terms of a gradient cancel: Adam would turn a rounding error into a whole step."""
    return bool(((terms.sum(axis=0) == 0) & (np.count_nonzero(terms, axis=0) > EXACT)).any())


def drawn_epoch(
    weights: Weights, draws: Iterable[Callable[[], Batch]], recipe: Recipe, factors: Iterable[float] = repeat(1.0)
) -> tuple[list[Batch], Weights, float] | None:
    """Draw an epoch batch by batch; draw a batch again if rounding could change the weights much.

    Args:
        weights: The weights before the epoch, layer by layer.
        draws: Functions that draw one batch each, in order.
        recipe: Loss and optimizer.
        factors: The factors of each batch's gradients.

    Returns:
        The batches, the weights after them, and the sum of the mean losses; None if the weights have become so large
        that no batch is suitable.
    """
    weights, total, updates = [np.array(values, dtype=np.float64) for values in weights], 0.0, Updates(recipe)
    batches: list[Batch] = []
    for draw, factor in zip(draws, factors, strict=False):
        for _ in range(MOST_DRAWS):
            X, y = draw()
            loss, gradients, safe = right_pass(weights, X, y, recipe.loss)
            gradients = [factor * gradient for gradient in gradients]
            if safe and updates.is_safe(gradients):
                break
        else:
            return None
        batches.append((X, y))
        total += loss
        weights = updates.step(weights, gradients)
    return batches, weights, total


def right_epoch(
    weights: Weights,
    batches: Sequence[Batch],
    recipe: Recipe,
    factors: Iterable[float] = repeat(1.0),
    strict: bool = True,
) -> tuple[Weights, float] | None:
    """The weights after an epoch, and the sum of the mean losses.

    Args:
        weights: The weights before the epoch, layer by layer.
        batches: Pairs of examples and labels, in order.
        recipe: Loss and optimizer.
        factors: The factors of each batch's gradients.
        strict: Whether to return None if rounding could change the weights much.
    """
    weights, total, updates = [np.array(values, dtype=np.float64) for values in weights], 0.0, Updates(recipe)
    for (X, y), factor in zip(batches, factors, strict=False):
        loss, gradients, safe = right_pass(weights, X, y, recipe.loss)
        gradients = [factor * gradient for gradient in gradients]
        if strict and not (safe and updates.is_safe(gradients)):
            return None
        total += loss
        weights = updates.step(weights, gradients)
    return weights, total
