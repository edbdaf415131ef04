"""The fixture that the graders of the three training loops share."""

from typing import Any

import pytest
from passes import Epoch, train_epoch


@pytest.fixture(scope="module")
def train(student):
    """``train(function, sizes, *arguments, **options)``: one epoch of such batches; the same call runs once.

    The options are those of `train_epoch`.
    """
    epochs: dict[tuple, Epoch] = {}

    def run(function: str, sizes: tuple[int, ...], *arguments: Any, **options: Any) -> Epoch:
        key = function, sizes, arguments, *options.items()
        if key not in epochs:
            epochs[key] = train_epoch(student, function, sizes, arguments, **options)
        return epochs[key]

    return run
