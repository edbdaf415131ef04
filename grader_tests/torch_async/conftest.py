"""The fixture that the graders of the three training loops share."""

from typing import Any

import pytest
from passes import Epoch, train_epoch


@pytest.fixture(scope="module")
def train(student):
    """``train(function, sizes, *arguments, pinned=False, again=False)``: one epoch of such batches.

    The same call runs once; ``again``: and once more by the device alone, with other weights and batches.
    """
    epochs: dict[tuple, Epoch] = {}

    def run(function: str, sizes: tuple[int, ...], *arguments: Any, pinned: bool = False, again: bool = False) -> Epoch:
        key = function, sizes, arguments, pinned
        if key not in epochs:
            epochs[key] = train_epoch(student, function, sizes, arguments, pinned, again)
        return epochs[key]

    return run


@pytest.fixture
def matrix(rng):
    """``matrix()``: a fresh square matrix."""

    def make():
        size = rng.integers(3, 7)
        return rng.normal(size=(size, size)).astype("float32")

    return make
