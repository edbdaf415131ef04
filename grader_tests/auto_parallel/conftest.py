"""Inputs of the graders, and a look at what computes a list of products."""

import numpy as np
import pytest
from products import holds

from syncpoint.graders import saw


@pytest.fixture
def matrix(rng):
    """``matrix()``: a fresh square matrix of a random size."""

    def make():
        size = rng.integers(3, 8)
        return rng.normal(size=(size, size)).astype(np.float32)

    return make


@pytest.fixture
def check_own_work(student):
    """``check_own_work(function, arguments, place, others)`` fails unless there are ten products of one argument.

    They are ten products if, while the first of them is held, so many others finish; and the lists that the function
    returns hold ten different arrays each.  arguments: name -> (values, device), in order; place: the name of one.
    """

    def check(function, arguments, place, others):
        values, device = arguments[place]
        given = list(arguments.values())
        product = values @ values
        seen = student.observe("with_one_held", function=function, arguments=given, device=device, held=None)
        with saw(f"Of the ten results, {min(seen['different'], default=0)} are different arrays."):
            assert set(seen["different"]) == {10}, seen["different"]
        products = [number for number, operation in enumerate(seen["operations"]) if holds(operation, product)]
        with saw(f"The product of {place} with itself was not in the queue when your code first waited or returned."):
            assert products, seen["events"]
        first = products[0]
        seen = student.observe("with_one_held", function=function, arguments=given, device=device, held=first)
        done = sum(operation["finished"] for operation in seen["operations"] if holds(operation, product))
        one_by_one = f"One product was held back, as if it took long: {done} of the other nine were done meanwhile."
        fewer = (
            f"When your code first waited or returned, ten operations in the queue should compute the product of "
            f"{place} with itself. Yours: {len(products)}."
        )
        with saw(one_by_one if len(products) >= 10 else fewer):
            assert done >= others, (done, seen["events"])

    return check
