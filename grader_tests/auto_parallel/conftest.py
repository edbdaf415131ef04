"""Inputs of the graders, and what a list of ten products must be."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray, kind_of, saw


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
        with saw(f"What should be a list of MXNet arrays is {kind_of(returned)}."):
            assert isinstance(returned, (list, tuple)) and returned, returned
        others = [value for value in returned if not isinstance(value, EngineArray)]
        with saw(f"{len(others)} of the {len(returned)} things in the list are no MXNet arrays."):
            assert not others, returned
        return returned

    return check


@pytest.fixture
def check_products(arrays):
    """``check_products(ys, x)`` fails unless ys are ten arrays, each x times x."""

    def check(ys, x):
        with saw(f"The list has {len(arrays(ys))} arrays."):
            assert len(ys) == 10
        for y in ys:
            np.testing.assert_allclose(y, x @ x, rtol=1e-3, atol=1e-3)

    return check


def holds(operation, product):
    """Whether all numbers of this product are among the results of an operation, and not among its inputs."""
    return among(operation["results"], product) and not among(operation["inputs"], product)


def among(arrays, product):
    """Whether one of the arrays holds all numbers of this product, in whatever shape."""
    return any(
        np.isclose(product.reshape(-1, 1), np.asarray(array).reshape(1, -1), rtol=1e-3, atol=1e-3).any(axis=1).all()
        for array in arrays
    )


@pytest.fixture
def check_own_work(student):
    """``check_own_work(function, arguments, place, others)`` fails unless there are ten products of one argument.

    They are ten products if, while the first of them is held, so many others finish; and the lists that the function
    returns hold ten different arrays each.  arguments: [(values, device)]; place: the number of the argument.
    """

    def check(function, arguments, place, others):
        values, device = arguments[place]
        product = values @ values
        seen = student.observe("with_one_held", function=function, arguments=arguments, device=device, held=None)
        with saw(f"Different arrays among the results: {min(seen['different'], default=0)}."):
            assert set(seen["different"]) == {10}, seen["different"]
        products = [number for number, operation in enumerate(seen["operations"]) if holds(operation, product)]
        with saw("The product of x with itself was never computed before your code waited."):
            assert products, seen["events"]
        first = products[0]
        seen = student.observe("with_one_held", function=function, arguments=arguments, device=device, held=first)
        done = sum(operation["finished"] for operation in seen["operations"] if holds(operation, product))
        with saw(f"While one product was held back, {done} others could finish."):
            assert done >= others, (done, seen["events"])

    return check
