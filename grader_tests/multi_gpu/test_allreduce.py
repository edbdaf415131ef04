"""allreduce(data): the sum of all arrays is written into each of them, on its own device, without a wait."""

import numpy as np

from syncpoint.graders import EngineArray, array, hint, weight


def draw(rng, devices, shape, dtype=np.float32):
    """One array of values for each device, all different.

    They are whole eighths below 32, so that every sum is exact, in any order and in any of the three types.
    """
    return [(rng.integers(-200, 200, size=shape) / 8).astype(dtype) for _ in range(devices)]


def on_devices(data, gated=()):
    """The list that allreduce gets: array i lies on device i + 1."""
    return [array(values, device=i + 1, gated=i in gated, dtype=values.dtype) for i, values in enumerate(data)]


def check_sums(held, data):
    """Fail unless all of these arrays hold the sum of the data."""
    assert isinstance(held, (list, tuple)) and len(held) == len(data), held
    right = sum(values.astype(np.float64) for values in data)
    for number, now in enumerate(held):
        assert isinstance(now, EngineArray) and now.values.shape == right.shape, (number, now)
        np.testing.assert_allclose(now.values, right, rtol=1e-3, atol=1e-3, err_msg=f"array {number} of {len(data)}")


def check_call(student, data):
    """Fail unless the list holds the sums after the call."""
    check_sums(student.call("allreduce", on_devices(data)).arguments[0], data)


def enqueued(seen):
    """Whether the call put any work into the queue."""
    return any(event.kind == "enqueue" for event in seen.events)


@hint("Add up both arrays, then give the sum to both devices. Is the value that you send back the whole sum?")
def test_two_devices(student, rng):
    """With two devices, both arrays hold the sum."""
    for _ in range(3):
        check_call(student, draw(rng, 2, (3, 2)))


@weight(2)
@hint("What holds for two devices must hold for 3, 4 and 5: every array counts once, and every array gets the sum.")
def test_more_devices(student, rng):
    """With 3, 4 and 5 devices, every array holds the sum of all."""
    for devices in (3, 4, 5):
        check_call(student, draw(rng, devices, (2, 3)))


@hint("With one device there is nothing to add: the array must stay as it is.")
def test_one_device(student, rng):
    """With one device, the array keeps its values."""
    check_call(student, draw(rng, 1, (2, 3)))


@hint("The arrays may have one axis or four, and one element or many.")
def test_shapes(student, rng):
    """allreduce works for arrays of any shape."""
    for shape in [(1,), (7,), (1, 1), (2, 1, 3), (4, 2, 3, 1)]:
        check_call(student, draw(rng, 3, shape))


@weight(6)
@hint("data[i] = ... puts another array into the list. Write into the array that is there: +=, [:], copyto, out=.")
def test_in_place(student, rng):
    """The very arrays of the list hold the sum, and not new arrays in their place."""
    for devices in (2, 3):
        data = draw(rng, devices, (2, 3))
        check_sums(student.call("allreduce", on_devices(data)).inputs, data)


@hint("After the call, array i must still be on the device on which it was before.")
def test_own_device(student, rng):
    """Every array stays on its own device."""
    held = student.call("allreduce", on_devices(draw(rng, 3, (2, 3)))).arguments[0]
    assert [getattr(now, "device", None) for now in held] == [1, 2, 3], held


@hint("Arrays of float16 must stay float16, and hold the sum.")
def test_float16(student, rng):
    """allreduce adds float16 arrays and keeps their type."""
    check_type(student, draw(rng, 3, (2, 3), np.float16))


@weight(2)
@hint("A sum of float64 needs float64 all the way: which type have the arrays that nd.zeros and nd.array make?")
def test_float64(student, rng):
    """allreduce adds float64 arrays with the precision of float64."""
    # float32 has no room for the last digits of such numbers; float64 has, and their sum is exact.
    data = [values + rng.integers(1, 1000, size=values.shape) * 2.0**-36 for values in draw(rng, 3, (2, 3), np.float64)]
    held = check_type(student, data)
    for now in held:
        np.testing.assert_allclose(now.values, sum(data), rtol=0, atol=2.0**-40)


def check_type(student, data):
    """Fail unless the arrays hold the sum and kept their type; returns them."""
    held = student.call("allreduce", on_devices(data)).arguments[0]
    check_sums(held, data)
    assert {now.values.dtype for now in held} == {data[0].dtype}, [now.values.dtype for now in held]
    return held


@weight(6)
@hint(
    "An operation takes arrays of two devices. GPUs cannot do that: bring the array to the device of the other first."
)
def test_no_mixing(student, rng):
    """No operation of allreduce mixes arrays of two devices."""
    for devices in (2, 4):
        seen = student.call("allreduce", on_devices(draw(rng, devices, (2, 3))))
        assert not seen.mixing, seen.mixing
        assert enqueued(seen), "nothing was queued"


@weight(6)
@hint("Something waits for one of the arrays: asnumpy, asscalar, wait_to_read, waitall or print. Only enqueue.")
def test_asynchronous(student, rng):
    """allreduce enqueues its work and returns before the arrays are computed."""
    for devices, gated in [(3, [0]), (3, [1]), (3, [2]), (3, [0, 1, 2]), (2, [0, 1])]:
        data = draw(rng, devices, (2, 3))
        seen = student.call("allreduce", on_devices(data, gated))
        assert len(seen.pending) == len(gated), (gated, seen.events)
        assert enqueued(seen), "nothing was queued"


@hint("Something is left over from the call before: a store, a buffer or a counter outside of the function.")
def test_twice(student, rng):
    """A second allreduce of the same arrays adds up what the first one left."""
    data = draw(rng, 3, (2, 3))
    seen = student.observe("allreduce_twice", data=on_devices(data))
    check_sums(seen["data"], [len(data) * values for values in data])
