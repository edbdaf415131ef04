"""run_and_copy(x): ten products on the device of x, and their copies on the host, overlapping."""

import numpy as np
import pytest
from products import among, arrays, check_products, check_stay

from syncpoint.graders import array, core, first_wait, hint, misconception, mixed, saw, value, weight

DEVICE = 1


def is_copy(event):
    """Whether this event enqueues a copy from the device to the host."""
    return event.kind == "enqueue" and DEVICE in event.reads and 0 in event.writes


@pytest.fixture(scope="module")
def held(student):
    """What finished while products were held; see scenarios.py."""
    x = np.random.default_rng().normal(size=(4, 4)).astype(np.float32)
    return student.observe("release_in_turn", function="run_and_copy", values=x, device=DEVICE, steps=10)


def check_queue(held):
    """Fail unless ten products were in the queue when they were to be held."""
    with saw(
        "When your code first waited or returned, there should be ten products in the queue, "
        "each an operation of its own. Yours: {steps}.",
        steps=held["steps"],
    ):
        assert held["steps"] >= 10, held


@value
@weight(2)
@hint("run_and_copy returns a list of ten NDArrays: the copies of the ten products nd.dot(x, x).")
@misconception("reads-the-task")
def test_value(student, several):
    """run_and_copy returns the copies of ten products."""
    for x in several[:3]:  # rows of float32 are right
        seen = student.call("run_and_copy", array(x, DEVICE, dtype=x.dtype))
        check_products(seen.returned, x)
        with saw("Some copies have another type than their products."):
            assert {copy.values.dtype for copy in seen.returned} == {x.dtype}
        check_stay(seen, x, name="run_and_copy")


@core
@weight(2)
@hint("Compute first, then copy: the products run on the device of x, and their results go to cpu(0).")
@misconception("as-in-context")
def test_devices(student, matrix):
    """The products run on the device of x, and the copies are on the host."""
    seen = student.call("run_and_copy", array(matrix(), DEVICE))
    with saw("Not all of the returned arrays are on the host."):
        assert {copy.device for copy in arrays(seen.returned)} == {0}
    done = sum(event.writes == (DEVICE,) for event in seen.events)
    with saw("Ten products need ten operations on the device of x. Yours are {done}.", done=done):
        assert done >= 10, seen.events
    with saw(mixed(seen.mixing)):
        assert not seen.mixing, seen.mixing


@core
@weight(4)
@hint("Each of the ten copies needs a product of its own: ten times nd.dot, enqueued before your code waits.")
@misconception("work-not-done")
def test_ten_products(matrix, check_own_work):
    """run_and_copy computes ten products, and returns ten arrays."""
    # Two arrays on the device, used in turn, are enough: while one of them is held, five products go to the other.
    check_own_work("run_and_copy", {"x": (matrix(), DEVICE)}, place="x", others=5)


@core
@weight(5)
@hint("A copy must need its own product and nothing else. Then the copy of y[i-1] can run while y[i] is not ready yet.")
@misconception("order-of-lines")
def test_copies_beside_products(held):
    """The copy of y[i-1] finishes while y[i] is held back."""
    check_queue(held)
    # Of ten products, nine others may be held when the first copy finishes, eight at the second, and so on.
    with saw(
        "Copies to the host in the queue when your code first waited or returned: {count} of ten.",
        count=len(held["copies"]),
    ):
        assert len(held["copies"]) >= 10, held
    late = [others < 9 - place for place, others in enumerate(held["copies"][:10])]
    with saw(
        "Different products that the ten copies to the host come from: {count}.", count=len(set(held["copies"][:10]))
    ):
        assert len(set(held["copies"][:10])) == 10, held
    with saw("Copies that had to wait for a product that they do not need: {late} of 10.", late=sum(late)):
        assert not any(late), held


@core
@weight(2)
@hint("A product waits until an earlier copy is done. Does each product get an array of its own?")
@misconception("order-of-lines")
def test_products_beside_copies(held):
    """y[i] need not wait until y[i-1] is copied."""
    check_queue(held)
    with saw(
        "Products that could be computed although the previous one was not copied yet: {at_once}. There "
        "should be more.",
        at_once=held["at_once"],
    ):
        assert held["at_once"] >= 2, held


@core
@weight(5)
@hint("The front end waits too early. Enqueue all products and all copies first; the wait comes at the very end.")
@misconception("wait-in-the-loop")
def test_everything_before_the_wait(student, matrix):
    """All products and all copies are enqueued before the front end waits."""
    for x in (matrix(), matrix(40)):
        seen = student.results_gated.call("run_and_copy", array(x, DEVICE, gated=True))
        found = 0
        for event in seen.events:
            if event.kind in ("wait", "timeout_open") and event.opened:
                break
            found += is_copy(event)
        with saw(
            "Copies enqueued when your code first waited: {found} of ten. The wait: {first_wait}.",
            seen.events,
            found=found,
            first_wait=first_wait(seen.events),
        ):
            assert found >= 10, seen.events


@core
@weight(5)
@hint("The copies are still pending when run_and_copy returns them. What must be computed by then?")
@misconception("call-means-done")
def test_finished_at_return(student, matrix):
    """All copies have been computed when run_and_copy returns them."""
    for x in (matrix(40), matrix()):
        seen = student.results_gated.call("run_and_copy", array(x, DEVICE))
        with saw("When run_and_copy returned, not all ten copies were computed.", seen.events, missing_wait=True):
            assert arrays(seen.returned) and seen.ready, seen.events
    # What never was to hold a product is computed early.
    held = sum(among([copy], x @ x) for copy in seen.returned)
    with saw(
        "Returned arrays that held a product when run_and_copy returned: {held} of {total}.",
        held=held,
        total=len(seen.returned),
    ):
        assert held == len(seen.returned), seen.events
