"""copy_to_cpu(ys): copies in the memory of the host, enqueued."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray, array, hint, weight


@pytest.fixture
def ys(rng):
    """Some arrays of different shapes."""
    shapes = [tuple(rng.integers(1, 6, size=rank)) for rank in rng.permutation([1, 2, 2, 3])]
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def copies(seen, count):
    """The copies that copy_to_cpu returned."""
    assert isinstance(seen.returned, (list, tuple)) and len(seen.returned) == count, seen.returned
    assert all(isinstance(copy, EngineArray) for copy in seen.returned), seen.returned
    return seen.returned


@hint("copy_to_cpu returns a list: one NDArray for each array in ys, with the same numbers, in the same order.")
def test_value(student, ys):
    """copy_to_cpu returns a list of equal arrays, one for each."""
    for some in (ys, ys[:1]):
        seen = student.call("copy_to_cpu", [array(y, 1) for y in some])
        for copy, y in zip(copies(seen, len(some)), some, strict=True):
            np.testing.assert_allclose(copy, y, rtol=1e-6)


@weight(2)
@hint("Print the context of a copy: it must be cpu(0). Some methods leave the array where it is and return a new one.")
def test_on_the_host(student, ys):
    """The copies lie on cpu(0), wherever ys lie."""
    for device in (1, 2):
        seen = student.call("copy_to_cpu", [array(y, device) for y in ys])
        assert [copy.device for copy in copies(seen, len(ys))] == [0] * len(ys)


@weight(3)
@hint(
    "Something waits for an array of ys: asnumpy, wait_to_read, waitall, print. A copy can be enqueued, like a product."
)
def test_does_not_wait(student, ys):
    """copy_to_cpu waits for nothing: it returns before ys are computed."""
    seen = student.call("copy_to_cpu", [array(y, 1, gated=True) for y in ys])
    assert len(seen.pending) == len(ys), seen.events
    assert any(event.kind == "enqueue" for event in seen.events), "nothing was queued"


@hint("A copy has the type of its original: look at the dtype of both.")
def test_dtype(student, rng):
    """The copies keep the type of their numbers."""
    types = [np.dtype(name) for name in ("float32", "int32", "float64", "float16")]
    seen = student.call("copy_to_cpu", [array(rng.integers(0, 9, size=3), 1, dtype=dtype) for dtype in types])
    assert [np.asarray(copy).dtype for copy in copies(seen, len(types))] == types


@hint("The caller still needs ys. Make a new list for the copies.")
def test_leaves_ys_alone(student, ys):
    """ys holds the same arrays as before, where they were."""
    seen = student.call("copy_to_cpu", [array(y, 1) for y in ys])
    (left,) = seen.arguments
    assert [y.device for y in left] == [y.device for y in seen.inputs] == [1] * len(ys)
    for after, before in zip(left, ys, strict=True):
        np.testing.assert_array_equal(after, before)
