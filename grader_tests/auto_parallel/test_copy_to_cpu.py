"""copy_to_cpu(ys): copies in the memory of the host, enqueued."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray, array, core, first_wait, hint, kind_of, misconception, saw, value, weight

TYPES = [np.dtype(name) for name in ("float32", "int32", "float64", "float16", "int64", "uint8")]


@pytest.fixture
def ys(rng):
    """Some arrays of different shapes."""
    shapes = [tuple(rng.integers(1, 6, size=rank)) for rank in rng.permutation([1, 2, 2, 3])]
    shapes += [shapes[0], (1, 1), (40, 30)]
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def copies(seen, count):
    """The copies that copy_to_cpu returned."""
    return checked(seen.returned, count)


def checked(returned, count):
    """The same list; fails unless it is one of this many arrays."""
    with saw("For {count} arrays, copy_to_cpu returned {kind}.", count=count, kind=kind_of(returned)):
        assert isinstance(returned, (list, tuple)) and len(returned) == count, returned
    others = [copy for copy in returned if not isinstance(copy, EngineArray)]
    with saw("Copies that are not MXNet arrays: {others} of {count}.", others=len(others), count=count):
        assert not others, returned
    return returned


@core
@hint("copy_to_cpu returns a list: one NDArray for each array in ys, with the same numbers, in the same order.")
@misconception("reads-the-task")
def test_value(student, ys):
    """copy_to_cpu returns a list with a copy of each array."""
    infinite = [y.copy() for y in ys]
    for y in infinite:
        y[..., 0] = np.inf
    for some in (ys, ys[:1], 3 * ys, infinite):
        seen = student.call("copy_to_cpu", [array(y, 1) for y in some])
        for copy, y in zip(copies(seen, len(some)), some, strict=True):
            with saw("A copy does not hold the numbers of its array, in their shape."):
                assert np.shape(copy) == y.shape
                np.testing.assert_allclose(copy, y, rtol=1e-6)


@hint("The caller may still use the copies of an earlier call. Make new arrays in each call: keep none for the next.")
@misconception("every-call-starts-anew")
def test_new_copies_each_time(student, rng, ys):
    """A second call makes new copies, and leaves those of the first as they are."""
    others = [rng.normal(size=y.shape).astype(np.float32) for y in ys]
    for same in (False, True):
        seen = student.observe("two_calls", function="copy_to_cpu", first=ys, second=others, device=1, same=same)
        before, afterwards, second = (checked(seen[when], len(ys)) for when in ("before", "returned", "second"))
        for copy, unchanged in zip(afterwards, before, strict=True):
            with saw("After a second call, a copy of the first call holds other numbers than before."):
                np.testing.assert_array_equal(copy, unchanged)
        for copy, other in zip(second, others, strict=True):
            with saw(
                "A second call got the same arrays, with other numbers in them: a copy that it returned does not hold "
                "their numbers."
                if same
                else "A second call got other arrays: a copy that it returned does not hold their numbers."
            ):
                np.testing.assert_allclose(copy, other, rtol=1e-6)


@core
@weight(2)
@hint("Print the context of a copy: it must be cpu(0). Some methods leave the array where it is and return a new one.")
@misconception("as-in-context")
def test_on_the_host(student, ys):
    """The copies are on cpu(0), wherever ys are."""
    for device in (1, 2):
        seen = student.call("copy_to_cpu", [array(y, device) for y in ys])
        elsewhere = [copy for copy in copies(seen, len(ys)) if copy.device != 0]
        with saw("Copies that are not on cpu(0): {elsewhere} of {total}.", elsewhere=len(elsewhere), total=len(ys)):
            assert not elsewhere
    seen = student.observe("two_calls", function="copy_to_cpu", first=ys, second=ys, device=1, same=False)
    with saw("Some copies are not on cpu(0), but in a memory of another kind, such as cpu_pinned."):
        assert set(seen["kinds"]) == {"cpu"}, seen["kinds"]


@core
@weight(3)
@hint(
    "Something waits for an array of ys: asnumpy, wait_to_read, waitall, print. A copy can be enqueued, like a product."
)
@misconception("hidden-waits")
def test_does_not_wait(student, ys):
    """copy_to_cpu waits for nothing: it returns before ys are computed."""
    others = [array(y, 1, gated=True, dtype=dtype) for y, dtype in zip(ys, TYPES, strict=False)]
    for given in ([array(y, 1, gated=True) for y in ys], others):
        seen = student.call("copy_to_cpu", given)
        types = ", ".join(dict.fromkeys(str(y.values.dtype) for y in given))
        wait = first_wait(seen.events)
        with saw(
            "copy_to_cpu waited before it returned. The first wait: {wait}. Types in ys: {types}.",
            seen.events,
            wait=wait,
            types=types,
        ):
            assert len(seen.pending) == len(given), seen.events
        with saw("When copy_to_cpu returned, nothing was in the queue."):
            assert any(event.kind == "enqueue" for event in seen.events)


@value
@hint("A copy has the type of its original: look at the dtype of both.")
@misconception("numpy-and-the-engine")
def test_dtype(student, rng):
    """The copies keep the type of their numbers."""
    numbers = [rng.integers(1, 9, size=3) for _ in TYPES]
    # float32 has no room for these, and float64 none for the last.
    numbers[1] = 2 * numbers[1] + 2**24 + 1
    numbers[2] = rng.integers(1, 9, size=1200) + rng.integers(1, 1000, size=1200) * 2.0**-36
    numbers[4] = 2 * numbers[4] + 2**53 + 1
    seen = student.call(
        "copy_to_cpu", [array(values, 1, dtype=dtype) for values, dtype in zip(numbers, TYPES, strict=True)]
    )
    typed = [np.asarray(copy).dtype == dtype for copy, dtype in zip(copies(seen, len(TYPES)), TYPES, strict=True)]
    with saw(
        "Copies of another type than their original: {count} of {total}.",
        count=typed.count(False),
        total=len(typed),
    ):
        assert all(typed)
    with saw("Some numbers are not the same on the host."):
        for copy, values, dtype in zip(copies(seen, len(TYPES)), numbers, TYPES, strict=True):
            np.testing.assert_array_equal(np.asarray(copy), values.astype(dtype))


@hint("The caller still needs ys. Make a new list for the copies.")
@misconception("names-and-arrays")
def test_leaves_ys_alone(student, ys):
    """ys holds the same arrays as before, where they were."""
    seen = student.call("copy_to_cpu", [array(y, 1) for y in ys])
    (left,) = seen.arguments
    with saw("copy_to_cpu returned nothing."):
        assert seen.returned is not None
    with saw("After the call, ys does not hold the arrays that it held before."):
        assert [y.device for y in left] == [y.device for y in seen.inputs] == [1] * len(ys)
        for after, before in zip(left, ys, strict=True):
            np.testing.assert_array_equal(after, before)
