"""allreduce(data): the sum of all arrays is written into each of them, on its own device, without a wait."""

import numpy as np

from syncpoint.graders import (
    EngineArray,
    array,
    core,
    first_wait,
    hint,
    kind_of,
    misconception,
    mixed,
    saw,
    value,
    weight,
)

# The device of each array; not in order, so that array i is seldom on device i + 1.
DEVICES = {1: [1], 2: [2, 1], 3: [2, 3, 1], 4: [3, 1, 4, 2], 5: [2, 5, 1, 3, 4]}
LARGE = (300, 4)
USUAL = [(2, (2, 3), np.float32), (3, (2, 3), np.float32)]
# Devices, shape and type: code that looks after the usual ones only is found.
OTHERS = [
    (2, (4,), np.float32),
    (2, (1,), np.float32),
    (2, (2, 3), np.float16),
    (2, (2, 1, 2, 2), np.float64),
    (4, (2, 3), np.float32),
    (5, (3,), np.float32),
    (2, (2, 3), np.int32),
    (2, LARGE, np.float32),
    (3, LARGE, np.float64),
]


def draw(rng, devices, shape, dtype=np.float32):
    """One array of values for each device, all different.

    They are whole eighths below 32, so that every sum is exact, in any order and in any of the three types.
    """
    return [(rng.integers(-200, 200, size=shape) / 8).astype(dtype) for _ in range(devices)]


def with_infinity(rng, data):
    """The same arrays; one number of one of them is infinite, and so is its sum."""
    data[rng.integers(len(data))][0, 0] = np.inf
    return data


def on_devices(data, gated=()):
    """The list that allreduce gets, each array on a device of its own."""
    places = DEVICES[len(data)]
    return [
        array(values, device=place, gated=i in gated, dtype=values.dtype)
        for i, (values, place) in enumerate(zip(data, places, strict=True))
    ]


def held_by(seen):
    """What the list holds after the call: as many NDArrays as before."""
    held = seen.arguments[0]
    with saw("After the call, the list of {count} arrays is {kind}.", count=len(seen.inputs), kind=kind_of(held)):
        assert isinstance(held, (list, tuple)) and len(held) == len(seen.inputs), held
    others = [now for now in held if not isinstance(now, EngineArray)]
    with saw(
        "Elements of the list that are not MXNet arrays after the call: {others} of {total}.",
        others=len(others),
        total=len(held),
    ):
        assert not others, held
    return held


def results(student, data):
    """The values that the list holds after allreduce."""
    found = [now.values for now in held_by(student.call("allreduce", on_devices(data)))]
    check_changed(found, data)
    return found


def check_changed(found, data):
    """Fail if all values are unchanged: code that does nothing keeps shapes, types and devices."""
    with saw("None of the arrays changed."):
        assert len(data) == 1 or not all(map(np.array_equal, found, data))


def check_sums(seen, data):
    """Fail unless all arrays of the list hold the sum of the data."""
    right = sum(values.astype(np.float64) for values in data)
    check_equal([now.values for now in held_by(seen)], [right] * len(data))


def check_equal(found, expected):
    """Fail unless these arrays hold these values."""
    for number, (values, right) in enumerate(zip(found, expected, strict=True), start=1):
        with saw("Array {number} of {total} has another shape than before.", number=number, total=len(expected)):
            assert values.shape == right.shape
        with saw("Array {number} of {total} does not hold what it should.", number=number, total=len(expected)):
            np.testing.assert_allclose(values, right, rtol=1e-3, atol=1e-3)


def check_call(student, data):
    """Fail unless the list holds the sums after the call."""
    check_sums(student.call("allreduce", on_devices(data)), data)


def enqueued(seen):
    """Whether the call put any work into the queue."""
    return any(event.kind == "enqueue" for event in seen.events)


# To move wrong sums around without mixing or waiting is worth nothing, so these two tests ask for the right sum of two
# arrays. Apart from them, only test_two_devices and test_more_devices look whether sums are right.


@core
@weight(4)
@hint("Add up both arrays, then give the sum to both devices. Is the value that you send back the whole sum?")
@misconception("replicas-stay-equal")
def test_two_devices(student, rng):
    """With two devices, both arrays hold the sum."""
    for _ in range(3):
        check_call(student, draw(rng, 2, (3, 2)))
    check_call(student, with_infinity(rng, draw(rng, 2, (3, 2))))


@core
@weight(14)
@hint("What holds for two devices must hold for 3, 4 and 5: every array counts once, and every array gets the sum.")
@misconception("replicas-stay-equal")
def test_more_devices(student, rng):
    """With 3, 4 and 5 devices, every array holds the sum of all."""
    for devices in (3, 4, 5):
        for rows in (devices, devices * int(rng.integers(2, 5))):
            check_call(student, draw(rng, devices, (rows, 3)))
        check_call(student, with_infinity(rng, draw(rng, devices, (devices, 3))))


@weight(2)
@hint("With one device there is nothing to add: the array must stay as it is.")
@misconception("reads-the-task")
def test_one_device(student, rng):
    """With one device, the array keeps its values."""
    results(student, draw(rng, 2, (2, 3)))
    check_call(student, draw(rng, 1, (2, 3)))


@value
@weight(2)
@hint(
    "The arrays may have one axis or four, one element or many, and any number of rows: the numbers must come out as "
    "in a matrix."
)
@misconception("reads-the-task")
def test_shapes(student, rng):
    """allreduce treats arrays of any shape like matrices."""
    matrices = draw(rng, 3, (6, 4))
    right = results(student, matrices)
    # 4 rows are one too many for 3 pieces of equal size; rounded up, such pieces end before the last device.
    for shape in [(1,), (24,), (1, 1), (2, 3, 4), (4, 2, 3, 1), (4, 3), (7, 3), (8, 3)]:
        found, expected = (
            [values.ravel()[: np.prod(shape)].reshape(shape) for values in arrays] for arrays in (matrices, right)
        )
        check_equal(results(student, found), expected)
    large = (LARGE[0] // 6, 1)
    check_equal(
        results(student, [np.tile(values, large) for values in matrices]), [np.tile(values, large) for values in right]
    )


@core
@weight(14)
@hint("data[i] = ... puts another array into the list. Write into the array that is there: +=, [:], copyto, out=.")
@misconception("names-and-arrays")
def test_in_place(student, rng):
    """The arrays of the list themselves change, and no new arrays replace them."""
    for devices, shape, dtype in [*USUAL, *OTHERS]:
        data = draw(rng, devices, shape, dtype)
        seen = student.call("allreduce", on_devices(data))
        with saw(
            "The list holds other arrays than before. The caller may have kept the old arrays, and they do not "
            "hold the sum."
        ):
            check_equal([now.values for now in seen.inputs], [now.values for now in held_by(seen)])
        check_changed([now.values for now in seen.inputs], data)


@hint("After the call, array i must still be on the device on which it was before. Ask the array for its context.")
@misconception("as-in-context")
def test_own_device(student, rng):
    """Every array stays on its own device."""
    for devices in (2, 3):
        data = draw(rng, devices, (2, 3))
        held = held_by(student.call("allreduce", on_devices(data)))
        check_changed([now.values for now in held], data)
        moved = [now for now, place in zip(held, DEVICES[devices], strict=True) if now.device != place]
        with saw("Arrays on another device than before: {count} of {devices}.", count=len(moved), devices=devices):
            assert not moved


@value
@weight(2)
@hint("Arrays of float16 must stay float16, and come out with the same numbers as float32.")
@misconception("numpy-and-the-engine")
def test_float16(student, rng):
    """allreduce adds float16 arrays like float32 arrays and keeps their type."""
    data = draw(rng, 3, (2, 3))
    found = results(student, [values.astype(np.float16) for values in data])
    with saw("Arrays of float16 came out with another type."):
        assert {values.dtype for values in found} == {np.dtype(np.float16)}, [values.dtype for values in found]
    check_equal(found, results(student, data))


@value
@weight(4)
@hint("A sum of float64 needs float64 in each step. Which type do nd.zeros and nd.array give to their arrays?")
@misconception("numpy-and-the-engine")
def test_float64(student, rng):
    """allreduce adds float64 arrays with the precision of float64."""
    # float32 has no room for both the large and the small part of such numbers; float64 has, and adds them exactly.
    for shape in [(2, 3), LARGE]:
        large = draw(rng, 3, shape, np.float64)
        small = [rng.integers(1, 1000, size=values.shape) * 2.0**-36 for values in large]
        both = results(student, [a + b for a, b in zip(large, small, strict=True)])
        with saw("Arrays of float64 came out with another type."):
            assert {values.dtype for values in both} == {np.dtype(np.float64)}, [values.dtype for values in both]
        for whole, *parts in zip(both, results(student, large), results(student, small), strict=True):
            np.testing.assert_allclose(whole, sum(parts), rtol=0, atol=2.0**-40)


@hint("A sum of whole numbers is a whole number: float32 has no room for all the digits of a large one.")
@misconception("numpy-and-the-engine")
def test_int32(student, rng):
    """allreduce adds int32 and int64 arrays without rounding."""
    # As above: float32 and float64 have no room for both parts.  No sum of three is too large for the type.
    for dtype, unit in [(np.int32, 2**20), (np.int64, 2**51)]:
        large = [(rng.integers(100, 500, size=(2, 3)) * unit).astype(dtype) for _ in range(3)]
        small = [rng.integers(1, 100, size=values.shape).astype(dtype) for values in large]
        both = results(student, [a + b for a, b in zip(large, small, strict=True)])
        with saw("Arrays of whole numbers came out with another type."):
            assert {values.dtype for values in both} == {np.dtype(dtype)}, [values.dtype for values in both]
        for whole, *parts in zip(both, results(student, large), results(student, small), strict=True):
            np.testing.assert_array_equal(whole, sum(parts))


@core
@weight(14)
@hint(
    "If the sum of two arrays is wrong, fix that first. Otherwise, one of your operations takes arrays of two "
    "devices, which GPUs cannot do. First copy one array to the device of the other. The context of an array "
    "says where it is."
)
@misconception("devices-mix")
def test_no_mixing(student, rng):
    """No operation of allreduce mixes arrays of two devices."""
    for devices, shape, dtype in [*USUAL, *OTHERS]:
        data = draw(rng, devices, shape, dtype)
        seen = student.call("allreduce", on_devices(data))
        with saw(mixed(seen.mixing)):
            assert not seen.mixing, seen.mixing
        if devices == 2:
            check_sums(seen, data)


@core
@weight(14)
@hint(
    "If the sum of two arrays is wrong, fix that first. Otherwise something waits for one of the arrays: "
    "asnumpy, asscalar, wait_to_read, waitall or print. Only enqueue."
)
@misconception("hidden-waits")
def test_asynchronous(student, rng):
    """allreduce enqueues the sum and returns before the arrays are computed."""
    usual = [(3, [0]), (3, [1]), (3, [2]), (3, [0, 1, 2]), (2, [0, 1]), (1, [0])]
    cases = [(devices, gated, (2, 3), np.float32) for devices, gated in usual]
    cases += [(devices, list(range(devices)), shape, dtype) for devices, shape, dtype in OTHERS]
    for devices, gated, shape, dtype in cases:
        data = draw(rng, devices, shape, dtype)
        seen = student.call("allreduce", on_devices(data, gated))
        with saw(
            "allreduce waited before it returned. The first wait: {first_wait}.",
            seen.events,
            first_wait=first_wait(seen.events),
        ):
            assert len(seen.pending) == len(gated), (gated, seen.events)
        if devices == 2:
            check_sums(seen, data)


@weight(2)
@hint("Something is left over from an earlier call: a store, a buffer or a counter outside of the function.")
@misconception("every-call-starts-anew")
def test_twice(student, rng):
    """A second allreduce of the same arrays does what it would do with new ones."""
    data = draw(rng, 3, (2, 3))
    seen = student.observe("allreduce_twice", data=on_devices(data))
    first, second = ([now.values for now in seen[call]] for call in ("first", "second"))
    check_changed(first, data)
    afresh = student.call("allreduce", on_devices(first))
    check_equal(second, [now.values for now in afresh.inputs])
