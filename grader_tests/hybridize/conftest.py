"""The student's networks with the weights of a grader's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from syncpoint.graders import saw


@pytest.fixture
def passes(student) -> Callable[..., list[dict[str, Any]]]:
    """``passes(network, weights, inputs, hybridized)``: the calls of the student's network with each of the inputs."""

    def run(
        network: str, weights: list[np.ndarray], inputs: list[np.ndarray], hybridized: bool, training: bool = False
    ) -> list[dict]:
        options = {"hybridized": hybridized, "training": training}
        seen = student.observe("passes", network=network, weights=weights, inputs=inputs, **options)
        with saw("The network cannot be called, or has other layers."):
            assert len(seen["calls"]) == len(inputs), seen
        return seen["calls"]

    return run
