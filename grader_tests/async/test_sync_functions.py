"""wait_for_one, wait_for_all, as_numpy and as_scalar: what each of them waits for and returns."""

import numpy as np
import pytest

from syncpoint.graders import (
    EngineArray,
    array,
    core,
    first_wait,
    hint,
    is_number,
    joined,
    kind_of,
    misconception,
    saw,
    value,
    weight,
)


@pytest.fixture
def x(rng):
    """A square matrix."""
    size, x = rng.integers(3, 7), np.eye(1)
    while np.linalg.norm(x @ x, 2) > 0.98 * np.linalg.norm(x @ x):  # another norm is another number
        x = rng.normal(size=(size, size))
    return x


@pytest.fixture
def some(rng, x):
    """That matrix, one of one number and a large one."""
    return [x, rng.uniform(1, 2, size=(1, 1)), rng.normal(size=(40, 40))]


def check_product(values, x, rtol=1e-3, atol=1e-4):
    """Fail unless the values are those of x times x."""
    with saw("The numbers that were returned are not those of dot(x, x)."):
        assert np.shape(values) == x.shape
        np.testing.assert_allclose(values, x @ x, rtol=rtol, atol=atol)


# float64 has these digits and float32 does not.
EXACT = {"rtol": 1e-10, "atol": 1e-10}


def one(seen):
    """The array that wait_for_one returned."""
    with saw("wait_for_one returned {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, EngineArray)
    return seen.returned


def both(seen):
    """The arrays that wait_for_all returned."""
    with saw("wait_for_all returned {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, (tuple, list)) and len(seen.returned) == 2
    with saw("wait_for_all returned {kinds}.", kinds=joined(map(kind_of, seen.returned))):
        assert all(isinstance(result, EngineArray) for result in seen.returned)
    return seen.returned


def products_made(seen, x):
    """How many products were made by operations that did not read one, and whether the returned arrays are products.

    A copy of a product does not count as made.
    """
    results, known, count = iter(seen["results"]), {}, 0
    for event in (event for event in seen["events"] if event.kind == "enqueue"):
        made = {number: products_in(next(results, None), x) for number in event.outputs}
        if not any(known.get(number) for number in event.inputs):
            count += sum(made.values())
        known |= made
    return count, all(known.get(number) for number in seen["numbers"])


def products_in(result, x):
    """How often a result holds the numbers of x times x, in whatever order."""
    if not isinstance(result, EngineArray) or np.size(result) % x.size:
        return 0
    rows = np.sort(np.reshape(result, (-1, x.size)))
    return int(np.isclose(rows, np.sort(x @ x, axis=None), rtol=1e-3, atol=1e-4).all(axis=1).sum())


@value
@hint("wait_for_one returns the array dot(x, x) itself.")
@misconception("reads-the-task")
def test_wait_for_one_value(student, some):
    """wait_for_one returns the product."""
    for x in some:
        check_product(one(student.call("wait_for_one", array(x))), x)
        check_product(one(student.call("wait_for_one", array(x, dtype=np.float64))), x, **EXACT)
    x = some[0]
    seen = student.observe("slow_results", function="wait_for_one", arrays=[array(x)], seconds=[], enqueueing=0)
    with saw("The array that wait_for_one returned is not the result of a product.", seen["events"]):
        assert all(products_made(seen, x))


@core
@weight(2)
@hint("After y was enqueued, wait_for_one must wait for y itself.")
@misconception("any-wait-will-do")
def test_wait_for_one_is_computed(student, some):
    """When wait_for_one returns, its product is computed."""
    for x, dtype in zip(some, (np.float32, np.float64, np.float32), strict=True):
        seen = student.results_gated.call("wait_for_one", array(x, dtype=dtype))
        check_product(one(seen), x)  # another array may well be there
        with saw("y was still pending when wait_for_one returned it.", seen.events, missing_wait=True):
            assert seen.ready


@core
@weight(2)
@hint("wait_for_one waits for more than y. Which call waits for one array only?")
@misconception("any-wait-will-do")
def test_wait_for_one_waits_for_nothing_else(student, some):
    """wait_for_one returns while other work is still pending."""
    for x in some:
        seen = student.beside_unrelated_work.call("wait_for_one", array(x))
        one(seen)
        with saw(
            "wait_for_one waited for work that y does not need. The wait: {first_wait}.",
            seen.events,
            first_wait=first_wait(seen.events),
        ):
            assert "unrelated" in seen.pending


@value
@hint("wait_for_all computes dot(x, x) twice, and returns two arrays of the engine.")
@misconception("reads-the-task")
def test_wait_for_all_values(student, x, some):
    """wait_for_all returns the product twice."""
    for values in some:
        for product in both(student.call("wait_for_all", array(values, dtype=np.float64))):
            check_product(product, values, **EXACT)
    seen = student.observe("slow_results", function="wait_for_all", arrays=[array(x)], seconds=[], enqueueing=0)
    made, returned = products_made(seen, x)
    with saw("Both arrays that wait_for_all returned come from one product.", seen["events"]):
        assert made >= 2
    with saw("An array that wait_for_all returned is not the result of a product.", seen["events"]):
        assert returned


@core
@hint("wait_for_all must wait after both products were enqueued.")
@misconception("any-wait-will-do")
def test_wait_for_all_is_computed(student, some):
    """When wait_for_all returns, both products are computed."""
    for x in some:
        seen = student.results_gated.call("wait_for_all", array(x))
        for product in both(seen):
            check_product(product, x)
        with saw("A product was still pending when wait_for_all returned it.", seen.events, missing_wait=True):
            assert seen.ready


@core
@weight(2)
@hint("wait_for_all must also wait for work that was pending before its call. Which call waits for everything?")
@misconception("any-wait-will-do")
def test_wait_for_all_waits_for_everything(student, some):
    """wait_for_all returns only when all pending work is done, also work from before the call."""
    for x in some:
        seen = student.beside_unrelated_work.call("wait_for_all", array(x))
        with saw(
            "Work from before the call was still pending when wait_for_all returned.", seen.events, missing_wait=True
        ):
            assert seen.waits and "unrelated" not in seen.pending


@core
@hint("as_numpy returns a NumPy array, not an array of the engine.")
@misconception("numpy-and-the-engine")
def test_as_numpy_type(student, x):
    """as_numpy returns a NumPy array."""
    returned = student.call("as_numpy", array(x)).returned
    with saw("as_numpy returned {kind}.", kind=kind_of(returned)):
        assert isinstance(returned, np.ndarray)


@core
@hint("as_numpy returns the values of dot(x, x).")
@misconception("reads-the-task")
def test_as_numpy_value(student, some):
    """as_numpy returns the values of the product."""
    for x in some:
        check_product(as_values(student.call("as_numpy", array(x))), x)
        check_product(as_values(student.call("as_numpy", array(x, dtype=np.float64))), x)


@core
@hint("as_scalar returns one number of Python or NumPy: neither an array of the engine nor an array with one element.")
@misconception("numpy-and-the-engine")
def test_as_scalar_type(student, x):
    """as_scalar returns a scalar."""
    returned = student.call("as_scalar", array(x)).returned
    with saw("as_scalar returned {kind}.", kind=kind_of(returned)):
        assert is_number(returned) and not isinstance(returned, (bool, np.ndarray))


@core
@hint("The norm is the root of the sum of the squares of all entries of dot(x, x).")
@misconception("reads-the-task")
def test_as_scalar_value(student, some):
    """as_scalar returns the norm of the product."""
    for x in some:
        for dtype in (np.float32, np.float64):
            values = as_values(student.call("as_scalar", array(x, dtype=dtype)))
            with saw("as_scalar returned more than one number."):
                assert values.size == 1
            np.testing.assert_allclose(values.ravel()[0], np.linalg.norm(x @ x), rtol=1e-3)


@hint("x belongs to the caller: do not write into it, with [:], += or out=.")
@misconception("names-and-arrays")
def test_x_stays(student, x):
    """None of the four functions changes x."""
    for name in ("wait_for_one", "wait_for_all", "as_numpy", "as_scalar"):
        seen = student.call(name, array(x))
        with saw("{loop} returned nothing.", loop=name):
            assert seen.returned is not None
        with saw("{loop} changed x itself.", loop=name):
            np.testing.assert_array_equal(seen.inputs[0], np.float32(x))


def as_values(seen):
    """What was returned, as numbers of whatever type."""
    with saw("What was returned is {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, (int, float, np.number, np.ndarray, EngineArray)), seen.returned
    return np.asarray(seen.returned)
