"""split_batch(X, y, devices): a batch on the host, in parts of almost the same size on several devices."""

import itertools
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from devices import Devices

from syncpoint.graders import Device, EngineArray, array, core, hint, kind_of, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay

# Of three devices: not the first three, none at its own place, and the numbers neither rise nor fall.
ORDERS = [(2, 4, 1), (3, 1, 4), (3, 4, 2), (4, 1, 2)]


def drawn(rng, rows, shape=(4,), kind="float32", labels="int64"):
    """A batch; its labels are all different, and more than a byte holds."""
    y = (1000 + 7 * rng.permutation(rows)).astype(labels)
    return (100 * rng.normal(size=(rows, *shape))).astype(kind), y


@pytest.fixture(scope="module")
def split(student):
    """``split(rows, shape)``: one call with a drawn batch on the host, on three devices in a drawn order.

    ``targets``: the devices, if they are others.
    """
    rng = np.random.default_rng()

    def call(rows=None, shape=(4,), kind="float32", labels="int64", targets=None):
        X, y = drawn(rng, rows or int(rng.choice([10, 11, 13])), shape, kind, labels)
        targets = targets or list(ORDERS[rng.integers(len(ORDERS))])
        given = array(X, dtype=kind), array(y, dtype=labels), [Device(number) for number in targets]
        return X, y, targets, student.results_gated.call("split_batch", *given)

    return call


@pytest.fixture(scope="module")
def once(student, split):
    """One such call, and the same on another batch."""
    X, y, targets, seen = split()
    others = drawn(np.random.default_rng(), len(X))
    return X, y, targets, seen, (*others, student.replay(seen, {}, host=[(X, others[0]), (y, others[1])]))


def parts(seen, targets):
    """The two lists; fails unless each holds a tensor for each device."""
    lists = seen.returned
    with saw(
        "split_batch should return two lists, one of parts of X and one of y; yours returned {kind}.",
        kind=kind_of(lists),
    ):
        assert isinstance(lists, (list, tuple)) and len(lists) == 2
    for one in lists:
        with saw("A list of parts should hold a tensor for each device; yours is {kind}.", kind=kind_of(one)):
            assert isinstance(one, (list, tuple)) and len(one) == len(targets)
            assert all(isinstance(part, EngineArray) for part in one)
    return lists


def check_examples(call):
    """Fail unless each example is in one part, with its label."""
    X, y, targets, seen = call
    Xs, ys = parts(seen, targets)
    with saw("The examples in the parts have another shape than those of X."):
        assert all(part.values.ndim == X.ndim for part in Xs) and all(part.values.ndim == 1 for part in ys)
    sizes = [len(part.values) for part in Xs]
    with saw(
        "Of {count} examples, the parts of X hold {parts_x}, and the parts of y hold {parts_y}.",
        count=len(X),
        parts_x=sum(sizes),
        parts_y=sum(len(p.values) for p in ys),
    ):
        assert sizes == [len(part.values) for part in ys] and sum(sizes) == len(X)
    labels = np.concatenate([part.values for part in ys]).astype("int64")
    with saw("The examples in the parts have another shape than those of X."):
        assert all(part.values.shape[1:] == X.shape[1:] for part in Xs)
    with saw("Not every example is there exactly once, with its own label."):
        assert sorted(labels) == sorted(y)
        where = {int(label): row for row, label in enumerate(y)}
        right = X[[where[int(label)] for label in labels]]
        np.testing.assert_allclose(np.concatenate([part.values for part in Xs]), right, rtol=1e-6)
    return sizes


@core
@weight(2)
@hint("The first parts get one example more until none is left over: tensor_split does it. X and y are cut alike.")
@misconception("reads-the-task")
def test_examples(once):
    """Each example is in one part, together with its label."""
    X, y, targets, seen, (*others, again) = once
    check_examples((X, y, targets, seen))
    again.check(lambda again: check_examples((*others, targets, again)))


@core
@hint("10 examples on 3 devices are 4, 3 and 3, and 11 are 4, 4 and 3. chunk makes other parts than tensor_split.")
@misconception("devices-in-turn")
def test_sizes(split, rng):
    """The sizes of the parts differ by one at most."""
    four = rng.permutation([1, 2, 3, 4]).tolist()
    # Of every size that four parts may leave over, and once more than people try.
    cases = [(rows, None) for rows in (10, 11, 4, 3)] + [(rows, four) for rows in (5, 10, 14, 15, 1022)]
    for rows, targets in cases:
        sizes, count = check_examples(split(rows, targets=targets)), len(targets or ORDERS[0])
        with saw(
            "For {rows} examples on {count} devices the parts had the sizes {sizes}.",
            rows=rows,
            count=count,
            sizes=sizes,
        ):
            assert max(sizes) - min(sizes) <= 1


@value
@hint("If you use pinned memory again, the next batch may overwrite it before the last copy has read it.")
@misconception("copy-is-free")
def test_two_batches(student, rng):
    """The parts are right for two batches of the same size, one immediately after the other."""
    batches, targets = [drawn(rng, 9) for _ in range(2)], list(ORDERS[rng.integers(len(ORDERS))])
    (X, y), (other, labels) = batches
    other[[0, -1]] = X[[0, -1]]  # a batch is not known by its ends
    labels[:] = [y[0], *rng.permutation(y[1:-1]), y[-1]]
    given = [[X, y] for X, y in batches]
    returned = student.results_gated.observe("split_batches", batches=given, devices=targets)["returned"]
    for (X, y), one in zip(batches, returned, strict=True):
        check_examples((X, y, targets, SimpleNamespace(returned=one)))


@value
@hint("devices may be a list of any length.")
@misconception("reads-the-task")
def test_any_number(split, once):
    """The parts are right for one device, for two and for four, and the host never waits."""
    for targets in ([3], [4, 1], [2, 4, 1, 3]):
        call = split(8, targets=targets)
        check_examples(call)
        if not Devices.of(once[3]).waits:  # else test_no_wait says so
            Devices.of(call[3]).check_no_wait()


@core
@hint("Part i goes to devices[i].")
@misconception("devices-mix")
def test_devices(once):
    """Each part is on its device."""
    _, _, targets, seen, _ = once
    for one in parts(seen, targets):
        right = sum(part.device == device for part, device in zip(one, targets, strict=True))
        with saw("Parts that are on their device: {right} of {total}.", right=right, total=len(targets)):
            assert right == len(targets)


@core
@weight(2)
@hint(
    "A copy from ordinary (pageable) memory is a wait, even with non_blocking=True. Call pin_memory() on the "
    "batch or on its parts, and then to(device, non_blocking=True). The data that you send must also be "
    "contiguous."
)
@misconception("copy-is-free")
def test_no_wait(once):
    """The host waits for nothing."""
    _, _, targets, seen, _ = once
    parts(seen, targets)
    Devices.of(seen).check_no_wait()


@core
@weight(2)
@hint("Cut the batch on the host, and send each part directly to its own device.")
@misconception("copy-is-free")
def test_straight_to_its_device(once):
    """Each part goes straight from the host to its device, and the device gets no more than its part."""
    _, _, targets, seen, _ = once
    log, sizes = Devices.of(seen), Counter()
    for part in itertools.chain(*parts(seen, targets)):
        sizes[part.device] += part.values.nbytes  # on the right device or not
    with saw("Copies from one device to another, where none are needed: {copies}.", copies=len(log.copies)):
        assert not log.copies
    more = sum(nbytes > sizes[device] for device, nbytes in log.brought().items())
    with saw("Devices that got more bytes than their part has: {more} of {count}.", more=more, count=len(targets)):
        assert not more


@value
@hint("X may have more than two axes: cut along the first one. X and y keep their types, also integers.")
@misconception("reads-the-task")
def test_pictures(split, once):
    """It also works for integer images, and the parts have the types of X and y."""
    for kind, labels in (("int32", "int32"), ("float64", "int64")):
        call = split(shape=(1, 3, 2), kind=kind, labels=labels)
        check_examples(call)
        for given, type_, there in zip(("X", "y"), (kind, labels), parts(call[3], call[2]), strict=True):
            with saw("The parts of {given} are of another type than {given}.", given=given):
                assert all(part.values.dtype == type_ for part in there)
        if not Devices.of(once[3]).waits:  # else test_no_wait says so
            Devices.of(call[3]).check_no_wait()


@hint("X and y belong to the caller. Change only copies of them.")
@misconception("reads-the-task")
def test_batch_stays(once):
    """X and y stay as they are."""
    X, y, targets, seen, _ = once
    parts(seen, targets)
    changed = sum(not np.array_equal(one.values, was) for one, was in zip(seen.inputs, (X, y), strict=True))
    with saw("split_batch changed {changed} of the tensors X and y.", changed=changed):
        assert not changed


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(once):
    """The list of devices stays as it is."""
    _, _, targets, seen, _ = once
    parts(seen, targets)
    check_containers_stay(int(seen.arguments[2] != [Device(number) for number in targets]))
