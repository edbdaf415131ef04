"""Inputs of the graders, and what a list of ten products must be."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray


@pytest.fixture
def matrix(rng):
    """``matrix()``: a fresh square matrix of a random size."""

    def make():
        size = rng.integers(3, 8)
        return rng.normal(size=(size, size)).astype(np.float32)

    return make


@pytest.fixture
def arrays():
    """``arrays(returned)`` fails unless a list of engine arrays was returned, not empty; gives it back."""

    def check(returned):
        assert isinstance(returned, (list, tuple)) and returned, returned
        assert all(isinstance(value, EngineArray) for value in returned), returned
        return returned

    return check


@pytest.fixture
def check_products(arrays):
    """``check_products(ys, x)`` fails unless ys are ten arrays, each x times x."""

    def check(ys, x):
        assert len(arrays(ys)) == 10
        for y in ys:
            np.testing.assert_allclose(y, x @ x, rtol=1e-3, atol=1e-3)

    return check
