"""split_and_load(data, ctx): equal shards of a batch, in order, shard i on device ctx[i]."""

import numpy as np

from syncpoint.graders import Device, EngineArray, array, core, hint, kind_of, misconception, mixed, saw, value, weight


def shards_of(student, data, numbers, source=0):
    """The shards that split_and_load makes for the devices of these numbers."""
    batch = array(data, device=source, dtype=data.dtype)
    seen = student.call("split_and_load", batch, [Device(number) for number in numbers])
    check_list(seen.returned, numbers)
    return seen.returned


def check_list(shards, numbers):
    """Fail unless these are the shards, as a list, one for each device."""
    with saw("split_and_load returned {kind}; devices: {count}.", kind=kind_of(shards), count=len(numbers)):
        assert isinstance(shards, (list, tuple)) and len(shards) == len(numbers), shards
    others = [shard for shard in shards if not isinstance(shard, EngineArray)]
    with saw("Shards that are not MXNet arrays: {others} of {total}.", others=len(others), total=len(shards)):
        assert not others, shards


def check_rows(shards, data):
    """Fail unless the shards, one after the other, are the rows of the batch."""
    shapes = [shard.values.shape for shard in shards]
    with saw("A shard differs from the batch in other axes than the first."):
        assert all(len(shape) == data.ndim and shape[1:] == data.shape[1:] for shape in shapes), shapes
    with saw("One after another, the shards are not the rows of the batch in their order."):
        np.testing.assert_allclose(np.concatenate([shard.values for shard in shards]), data, rtol=1e-6)


@weight(2)
@hint("The shards must be a list (or tuple) that can be used more than once, with one NDArray for each device.")
@misconception("reads-the-task")
def test_list(student, rng):
    """split_and_load returns a list with one shard for each device."""
    for devices in (1, 2, 3):
        data = rng.normal(size=(6, 2)).astype(np.float32)
        seen = student.call("split_and_load", array(data), [Device(number + 1) for number in range(devices)])
        check_list(seen.returned, range(devices))


@core
@weight(5)
@hint("Shard i must be on ctx[i], whichever device that is. as_in_context returns an array: what do you do with it?")
@misconception("as-in-context")
def test_devices(student, rng):
    """Shard i is on device ctx[i]."""
    for numbers, source in [([1], 0), ([1, 2], 0), ([3, 1, 2], 0), ([1, 2], 1), ([2, 0], 0)]:
        shards = shards_of(student, rng.normal(size=(6, 2)).astype(np.float32), numbers, source)
        elsewhere = [shard for shard, number in zip(shards, numbers, strict=True) if shard.device != number]
        with saw(
            "Shards that are not on their device: {elsewhere} of {total}.", elsewhere=len(elsewhere), total=len(shards)
        ):
            assert not elsewhere


@core
@weight(3)
@hint("Put the shards one after another: they must contain every row of the batch exactly once, in the same order.")
@misconception("reads-the-task")
def test_rows_in_order(student, rng):
    """The shards hold every row of the batch, in order."""
    # The last two are alike but for their numbers: nothing may be kept from an earlier call.
    for rows, devices in [(1, 1), (5, 1), (4, 2), (6, 2), (6, 3), (8, 4), (5, 5), (400, 2), (3, 3), (3, 3)]:
        data = rng.normal(size=(rows, 3)).astype(np.float32)
        data[rng.integers(rows), 0] = np.inf
        check_rows(shards_of(student, data, range(1, devices + 1)), data)


@core
@weight(2)
@hint("A batch of n examples makes k shards with n / k examples each.")
@misconception("reads-the-task")
def test_equal(student, rng):
    """All shards have the same number of examples."""
    for rows, devices in [(6, 2), (6, 3), (12, 4)]:
        shards = shards_of(student, rng.normal(size=(rows, 6)).astype(np.float32), range(1, devices + 1))
        with saw("The shards do not all have the same number of examples."):
            assert [shard.values.shape[:1] for shard in shards] == [(rows // devices,)] * devices


@value
@weight(2)
@hint("The first axis counts the examples. Labels have one axis, pictures have four; all other axes stay whole.")
@misconception("reads-the-task")
def test_shapes(student, rng):
    """Batches with one to four axes are split along the first one."""
    for shape in [(6,), (6, 1), (6, 4), (6, 2, 3), (6, 1, 4, 4)]:
        data = rng.normal(size=shape).astype(np.float32)
        check_rows(shards_of(student, data, [1, 2]), data)


@value
@hint("The shards must have the type of the batch. Which type do nd.array and nd.zeros choose by themselves?")
@misconception("numpy-and-the-engine")
def test_types(student, rng):
    """The shards have the type of the batch."""
    for dtype, rows in [
        (np.float16, 4),
        (np.float64, 4),
        (np.float64, 400),
        (np.int32, 4),
        (np.int64, 4),
        (np.uint8, 4),
    ]:
        data = rng.integers(0, 100, size=(rows, 3)).astype(dtype)
        # float32 has no room for these, and float64 none for int64.
        if dtype in (np.int32, np.int64):
            data = 2 * data + (2**24 if dtype == np.int32 else 2**53) + 1
        if dtype == np.float64:
            data += rng.integers(1, 1000, size=(rows, 3)) * 2.0**-36
        shards = shards_of(student, data, [1, 2])
        with saw("The shards have another type than the batch."):
            assert [shard.values.dtype for shard in shards] == [data.dtype] * 2, shards
        np.testing.assert_array_equal(np.concatenate([shard.values for shard in shards]), data)


@core
@hint("Rows are left over if n cannot be divided by k. Put them into a shard, or refuse such a batch.")
@misconception("reads-the-task")
def test_no_row_lost(student, rng):
    """No row of an uneven batch is lost, and none is added."""
    even = rng.normal(size=(4, 2)).astype(np.float32)
    check_rows(shards_of(student, even, [1, 2]), even)  # who splits nothing loses nothing
    for data, numbers in uneven(rng):
        seen = student.observe("split", data=array(data), ctx=[Device(number) for number in numbers])
        if not seen["raised"]:
            check_list(seen["shards"], numbers)
            check_rows(seen["shards"], data)


def uneven(rng):
    """Batches that cannot be split evenly, and the numbers of the devices."""
    four = [1, 2, 3, 4]
    for rows, numbers in [(5, [1, 2]), (7, four[:3]), (8, four[:3]), (5, four), (6, four), (10, four), (401, [1, 2])]:
        yield rng.normal(size=(rows, 2)).astype(np.float32), numbers


@hint("Either raise ValueError or AssertionError with a message in words, or make shards that hold all the rows.")
@misconception("reads-the-task")
def test_uneven(student, rng):
    """An uneven batch is refused with a message, or split without losing a row."""
    for data, numbers in uneven(rng):
        seen = student.observe("split", data=array(data), ctx=[Device(number) for number in numbers])
        if seen["raised"]:
            with saw("For an uneven batch, another error was raised than ValueError or AssertionError."):
                assert {"ValueError", "AssertionError"} & set(seen["raised"]), seen["raised"]
            with saw("For an uneven batch, an error without a message in words was raised."):
                assert seen["said"]
        else:
            check_list(seen["shards"], numbers)
            assert [shard.device for shard in seen["shards"]] == numbers
            check_rows(seen["shards"], data)


@hint("Nothing may be written into the batch that you were given.")
@misconception("names-and-arrays")
def test_batch_unchanged(student, rng):
    """split_and_load does not change the batch."""
    for source, rows in [(0, 6), (1, 6), (1, 400)]:
        data = rng.normal(size=(rows, 3)).astype(np.float32)
        seen = student.call("split_and_load", array(data, device=source), [Device(1), Device(2)])
        with saw("split_and_load returned nothing."):
            assert seen.returned is not None
        with saw("After the call, the batch is not what it was."):
            np.testing.assert_array_equal(seen.inputs[0], data)
            assert seen.inputs[0].device == source


@weight(2)
@hint("An operation takes an array of one device and writes to another one. Only copies may do that.")
@misconception("devices-mix")
def test_no_mixing(student, rng):
    """No operation of split_and_load mixes arrays of two devices."""
    for source, rows in [(0, 6), (1, 6), (0, 400)]:
        batch = array(rng.normal(size=(rows, 3)), device=source)
        seen = student.call("split_and_load", batch, [Device(1), Device(2)])
        with saw("split_and_load returned nothing."):
            assert seen.returned is not None
        with saw(mixed(seen.mixing)):
            assert not seen.mixing, seen.mixing
