"""queue_work(x) only puts work into the engine's queue."""

import numpy as np

from syncpoint.graders import EngineArray, array, core, first_wait, hint, kind_of, misconception, saw, value, weight


def check_sum(seen, x, tolerance=1e-4):
    """Fail unless the call returned the sum of x times x."""
    with saw("queue_work returned {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, EngineArray)
    with saw("What queue_work returned has more than one element."):
        assert np.size(seen.returned) == 1
    # A float rounds every term, so the error grows with the size of the terms and not with that of their sum.
    np.testing.assert_allclose(
        np.ravel(seen.returned)[0], sum_of_product(x), rtol=0, atol=tolerance * sum_of_product(abs(x))
    )


def sum_of_product(x):
    """The sum of all entries of x times x."""
    return x.sum(axis=0) @ x.sum(axis=1)


@value
@hint("The result is the sum of all entries of the matrix product of x with itself: dot, then sum.")
@misconception("reads-the-task")
def test_value(student, rng):
    """queue_work returns the sum of the product of x with itself."""
    for size in (1, 3, 8, 8):  # twice the same size: nothing may be kept from an earlier call
        x = rng.normal(size=(size, size))
        seen = student.call("queue_work", array(x))
        check_sum(seen, x)
        with saw("{loop} changed x itself.", loop="queue_work"):
            np.testing.assert_array_equal(seen.inputs[0], np.float32(x))
        check_sum(student.call("queue_work", array(x, dtype=np.float64)), x, tolerance=1e-12)


@core
@weight(2)
@hint(
    "Something in queue_work makes the front end wait. Is it wait_to_read, waitall, asnumpy, asscalar, item, float "
    "or print? An array in an if or assert, a boolean mask, nonzero and unique also wait."
)
@misconception("hidden-waits")
def test_does_not_wait(student, rng):
    """queue_work enqueues its work and returns before its input is computed."""
    for size, dtype in [(4, np.float32), (1, np.float32), (2, np.float64)]:
        seen = student.call("queue_work", array(rng.normal(size=(size, size)), gated=True, dtype=dtype))
        with saw(
            "queue_work waited before it returned. The first wait: {first_wait}.",
            seen.events,
            first_wait=first_wait(seen.events),
        ):
            assert seen.returned_while_gated
        with saw("When queue_work returned, nothing was in the queue."):
            assert any(event.kind == "enqueue" for event in seen.events)


@core
@hint("A large matrix is no different from a small one: the engine computes, and the front end only enqueues.")
@misconception("numpy-and-the-engine")
def test_does_not_wait_for_large_matrices(student, rng):
    """queue_work returns before its input is computed, however large it is."""
    for size in (150, 300):
        x = rng.uniform(size=(size, size))
        seen = student.call("queue_work", array(x, gated=True))
        check_sum(seen, x)
        with saw(
            "For a large matrix, queue_work waited. The first wait: {first_wait}.",
            seen.events,
            first_wait=first_wait(seen.events),
        ):
            assert seen.returned_while_gated
