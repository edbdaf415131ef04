"""run(x): ten products nd.dot(x, x), enqueued."""

from collections import Counter

import numpy as np
from products import arrays, check_products, check_stay

from syncpoint.graders import array, core, first_wait, hint, message, misconception, saw, value, weight

COPIES = {"_copy", "_copyto", "identity"}


@value
@weight(2)
@hint("run returns a list of ten NDArrays; each of them is the matrix product of x with itself, for any size of x.")
@misconception("reads-the-task")
def test_value(student, several):
    """run returns ten products."""
    for device, x in zip((0, 1, 0, 1), several, strict=True):
        seen = student.call("run", array(x, device, dtype=x.dtype))
        check_products(seen.returned, x)
        check_stay(seen, x, name="run")


@hint(
    "The caller may still use the results of an earlier call. Make ten new arrays in each call: keep none for the next."
)
@misconception("every-call-starts-anew")
def test_new_arrays_each_time(student, matrix):
    """A second call leaves the results of the first as they are."""
    x = matrix()
    seen = student.observe("two_calls", function="run", first=[x], second=[2 * x], device=1, same=False, apart=True)
    check_products(seen["second"], 2 * x)
    for result, unchanged in zip(arrays(seen["returned"]), seen["before"], strict=True):
        with saw("After a second call, a result of the first call holds other numbers than before."):
            np.testing.assert_array_equal(result, unchanged)


@hint("Work runs on the device where its inputs are. Do not name a device in run, and do not move x.")
@misconception("as-in-context")
def test_device(student, matrix):
    """run works on the device where x is, whichever that is."""
    for device in (0, 1, 2):
        seen = student.call("run", array(matrix(), device))
        with saw("Some of the results are on another device than x."):
            assert {y.device for y in arrays(seen.returned)} == {device}
        with saw("Some of the work was done on another device than that of x."):
            assert all(event.writes == (device,) for event in seen.events if event.kind == "enqueue"), seen.events


@core
@weight(3)
@hint("Each of the ten results needs its own nd.dot and its own array. Is there one that is used more than once?")
@misconception("work-not-done")
def test_ten_products(student, matrix, check_own_work):
    """run computes ten products, and none of them needs another one."""
    for x in (matrix(), matrix(40)):
        seen = student.observe("release_in_turn", function="run", values=x, device=1, steps=10)
        labels = (event.label for event in seen["events"] if event.kind == "enqueue")
        count = Counter(label for label in labels if label not in COPIES)
        most, times = max(count.items(), key=lambda item: item[1], default=(message("no operation"), 0))
        with saw(
            "No operation was enqueued ten times. Times that the most frequent one was enqueued: {times} ({most}).",
            times=times,
            most=most,
        ):
            assert max(count.values(), default=0) >= 10, count
        with saw(
            "Ten products were enqueued, but only {at_once} could be computed while the others were held back.",
            at_once=seen["at_once"],
        ):
            assert seen["at_once"] >= 10, seen
    check_own_work("run", {"x": (matrix(), 1)}, place="x", others=9, own=True)


@core
@weight(2)
@hint("Something in run makes the front end wait: look for waitall, wait_to_read, asnumpy or print.")
@misconception("hidden-waits")
def test_does_not_wait(student, several):
    """run waits for nothing: it returns before x is computed."""
    for x in several:
        seen = student.call("run", array(x, 1, gated=True, dtype=x.dtype))
        with saw(
            "run waited before it returned. The first wait: {first_wait}.",
            seen.events,
            first_wait=first_wait(seen.events),
        ):
            assert seen.returned_while_gated, seen.events
        with saw("When run returned, nothing was in the queue."):
            assert any(event.kind == "enqueue" for event in seen.events)
