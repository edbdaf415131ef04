"""What a list of ten products must be."""

import numpy as np

from syncpoint.graders import EngineArray, kind_of, saw


def arrays(returned):
    """Return the list of engine arrays; fail unless a list was returned that is not empty."""
    with saw("What should be a list of MXNet arrays is {kind}.", kind=kind_of(returned)):
        assert isinstance(returned, (list, tuple)) and returned, returned
    others = [value for value in returned if not isinstance(value, EngineArray)]
    with saw(
        "Elements of the list that are not MXNet arrays: {others} of {total}.", others=len(others), total=len(returned)
    ):
        assert not others, returned
    return returned


def check_products(ys, x):
    """Fail unless ys are ten arrays, each x times x."""
    with saw("Arrays in the list: {count}.", count=len(arrays(ys))):
        assert len(ys) == 10
    tolerance = 1e-3 if x.dtype == np.float32 else 1e-10
    for y in ys:
        with saw("An array in the list is not the product of the matrix with itself."):
            assert np.shape(y) == x.shape
            np.testing.assert_allclose(y, x @ x, rtol=tolerance, atol=tolerance)


def check_stay(seen, *matrices, name):
    """Fail unless the arguments of the call hold the numbers that they held before."""
    for now, before in zip(seen.inputs, matrices, strict=True):
        with saw("{loop} changed x itself.", loop=name):
            np.testing.assert_array_equal(now, before)


def holds(operation, product):
    """Whether all numbers of this product are among the results of an operation, and not among its inputs."""
    return among(operation["results"], product) and not among(operation["inputs"], product)


def among(arrays, product):
    """Whether one of the arrays holds all numbers of this product, in whatever shape."""
    return any(
        np.isclose(product.reshape(-1, 1), np.asarray(array).reshape(1, -1), rtol=1e-3, atol=1e-3).any(axis=1).all()
        for array in arrays
    )
