"""Inputs of the graders, and a check of what computes a list of products."""

import numpy as np
import pytest
from products import holds

from syncpoint.graders import message, saw


@pytest.fixture
def matrix(rng):
    """``matrix(size, dtype)``: a fresh square matrix, of a random size if none is given."""

    def make(size=None, dtype=np.float32):
        size = size or rng.integers(3, 8)
        return rng.normal(size=(size, size)).astype(dtype)

    return make


@pytest.fixture
def several(matrix):
    """An ordinary matrix, one of one number, a large one and one of float64."""
    return [matrix(), matrix(1), matrix(40), matrix(dtype=np.float64)]


@pytest.fixture
def check_own_work(student, rng):
    """``check_own_work(function, arguments, place, others, own)``: fails unless there are ten products of an argument.

    They are ten products if, while one of them is held, the expected number of others finish; and the lists that the
    function returns hold ten different arrays each.  own: whether each of them must need its own product, and no other.
    arguments: name -> (values, device), in order; place: the name of one.
    """

    def check(function, arguments, place, others, own=False):
        values, device = arguments[place]
        given = list(arguments.values())
        product = values @ values
        seen = student.observe("with_one_held", function=function, arguments=given, device=device, held=None)
        with saw("Different arrays among the ten results: {least}.", least=min(seen["different"], default=0)):
            assert set(seen["different"]) == {10}, seen["different"]
        products = [number for number, operation in enumerate(seen["operations"]) if holds(operation, product)]
        with saw(
            "The product of {place} with itself was not in the queue when your code first waited or returned.",
            place=place,
        ):
            assert products, seen["events"]
        another = int(rng.choice(products[1:] or products))
        for held in (products[0], another):
            seen = student.observe("with_one_held", function=function, arguments=given, device=device, held=held)
            done = sum(operation["finished"] for operation in seen["operations"] if holds(operation, product))
            if len(products) >= 10:
                text = message(
                    "One product was held back, as if it took long: {done} of the other nine were done meanwhile.",
                    done=done,
                )
            else:
                text = message(
                    "When your code first waited or returned, ten operations in the queue should compute the product "
                    "of {place} with itself. Yours: {count}.",
                    place=place,
                    count=len(products),
                )
            with saw(text):
                assert done >= others, (done, seen["events"])
            there = dict(zip(arguments, seen["there"], strict=False)).get(place, 0)
            with saw(
                "One product was held back. Arrays of the list that were computed meanwhile: {there} of ten.",
                there=there,
            ):
                # A copy of a product is not there before its product; of what was made in another way, all is.
                assert there == 9 if own else there <= 9, (seen["there"], seen["events"])

    return check
