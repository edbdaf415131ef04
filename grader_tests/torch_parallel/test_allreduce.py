"""allreduce(data), ring_allreduce(data): the sum of the arrays of several devices, on each of them."""

from functools import partial

import numpy as np
import pytest
from devices import Devices
from passes import is_close
from ranks import COLLECTIVES

from syncpoint.graders import array, core, hint, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay

FUNCTIONS = ("allreduce", "ring_allreduce")
CALLS = ("allreduce", 3), ("allreduce", 4), ("ring_allreduce", 3), ("ring_allreduce", 4)  # functions and devices
ORDER = [3, 1, 4, 2]  # of four devices, none at its own place, to find code that takes devices[r] for data[r].device
NUMBER = 4  # bytes
LARGE = 1 << 40  # no float32 holds such numbers exactly
UNEVEN = (3, 4), (4, 9), (4, 7)  # devices and rows: chunk makes fewer pieces of the first two; the rest may be large


@pytest.fixture(scope="module")
def add(student):
    """``add(name, count, rows)``: one call with an array on each of this many devices; the same call runs once.

    ``order``: the devices, by their numbers from 1; the arrays are of float64 then, or of ``dtype``.  ``shape``: of
    each array; else it has this many rows.
    """
    seen, rng = {}, np.random.default_rng()
    columns = int(rng.choice([2, 5]))  # 3 or 4 devices have no equal parts of these: who cuts columns is seen

    def drawn(shape, dtype):
        if dtype == "int64":
            return rng.integers(-LARGE, LARGE, size=shape)
        return rng.normal(size=shape).astype(dtype)

    def call(name, count, rows, order=None, shape=None, dtype=None):
        key = name, count, rows, shape, tuple(order or ()), dtype
        if key not in seen:
            dtype = dtype or ("float64" if order else "float32")
            data = [drawn(shape or (rows, columns), dtype) for _ in range(count)]
            places = order or range(1, count + 1)
            given = [array(one, device=place, dtype=dtype) for place, one in zip(places, data, strict=True)]
            found = student.results_gated.call(name, given)
            others = [drawn(one.shape, dtype) for one in data]
            again = partial(student.replay(found, dict(enumerate(others, 1))).check, _check_sums, name, others)
            seen[key] = data, found, Devices.of(found), again
        return seen[key]

    return call


def check_sums(name, data, seen, log, again):
    """Fail unless each of the arrays holds the sum of all."""
    log.check_no_race(name)
    _check_sums(seen, name, data)
    again()


def _check_sums(seen, name, data):
    right = sum(data)
    wrong = sum(not is_close(one, right, right.dtype) for one in seen.inputs)
    with saw(
        "After {name}, {wrong} of {count} arrays did not hold the sum of all.",
        name=name,
        count=len(data),
        wrong=wrong,
    ):
        assert not wrong


@core
@weight(2)
@hint(
    "Change the arrays that you are given, in place (+=, copy_), on every device: new arrays in the list "
    "do not change the old ones."
)
@misconception("replicas-stay-equal")
def test_sum(add):
    """Both functions leave the sum of all arrays in each of the arrays."""
    for name in FUNCTIONS:
        check_sums(name, *add(name, 3, 12))
        moved = sum(one.number != place for place, one in enumerate(add(name, 3, 12)[1].inputs, 1))
        with saw("After {name}, {moved} of the arrays had other memory than before.", name=name, moved=moved):
            assert not moved


@core
@hint("In the current streams everything is in order. If you use other streams, order them with wait_stream or events.")
@misconception("streams-know-nothing")
def test_no_race(add):
    """Neither of the two functions has a race."""
    for name, count in CALLS:
        log = add(name, count, 12)[2]
        log.check_works()
        log.check_no_race(name)


@core
@hint("A copy from device to device is an operation like any other: wait for nothing, and print nothing.")
@misconception("host-orders-streams")
def test_no_wait(add):
    """The host waits for nothing."""
    for name, count in CALLS:
        log = add(name, count, 12)[2]
        log.check_works()
        log.check_no_wait(name)


@core
@hint("t.to(other.device) and other.copy_(t) go from device to device. cpu() and numpy() go through the host.")
@misconception("copy-is-free")
def test_not_by_the_host(add):
    """The numbers go from device to device, and not through the host."""
    for name, count in CALLS:
        log = add(name, count, 12)[2]
        log.check_works()
        log.check_not_by_the_host()


@core
@weight(2)
@hint("In a ring device r sends to device r + 1, and the last one to the first: no device sends to two others.")
@misconception("sum-needs-a-middle")
def test_neighbors(add):
    """In ring_allreduce each device copies only to one neighbor, and all of them form one ring."""
    for count in (3, 4):
        log = add("ring_allreduce", count, 12)[2]
        sent, others = log.neighbors, sum(one.label in COLLECTIVES for one in log.operations)
        with saw("Collectives in ring_allreduce: {others}. It should send its pieces by copies only.", others=others):
            assert not others
        many = several(add("ring_allreduce", count, 12))
        with saw(
            "Devices that sent something: {sent} of {count}. Devices that sent to more than one other device: "
            "{several}.",
            sent=len(sent),
            count=count,
            several=many,
        ):
            assert len(sent) == count and not many
        place, visited = 1, []
        while place not in visited:
            visited.append(place)
            (place,) = sent[place]
        with saw(
            "The ring that begins at device 0 comes back to device 0 after {visited} of {count} devices.",
            visited=len(visited),
            count=count,
        ):
            assert len(visited) == count


@core
@weight(2)
@hint(
    "Cut each array into k pieces. First round: k - 1 times, each device passes one piece on, and its "
    "neighbor adds it. Second round: k - 1 times, each device passes a finished piece on, and its "
    "neighbor keeps it."
)
@misconception("sum-needs-a-middle")
def test_pieces(add):
    """In ring_allreduce each device makes 2 (k - 1) copies, each of 1/k of the array."""
    for count, rows in ((3, 12), (4, 12), *UNEVEN):
        data, _, log, _ = add("ring_allreduce", count, rows)
        row = data[0].shape[1] * NUMBER
        wrong = sum(not rows // count * row <= size <= -(-rows // count) * row for _, _, size in log.copies)
        with saw(
            "For {rows} rows and {count} devices, {wrong} of {total} copies were larger or smaller than one piece.",
            rows=rows,
            count=count,
            wrong=wrong,
            total=len(log.copies),
        ):
            assert not wrong
        counts = sorted(sum(targets.values()) for targets in log.neighbors.values())
        made = ", ".join(map(str, counts))
        with saw("Copies that each of the {count} devices made, instead of 2 (k - 1): {made}.", count=count, made=made):
            assert counts == [2 * (count - 1)] * count


@value
@hint("tensor_split makes k pieces of almost the same size, whatever the size. What does yours do with the rest?")
@misconception("reads-the-task")
def test_uneven(add):
    """Both functions are right if the number of rows cannot be divided by the number of devices."""
    for name in FUNCTIONS:
        for count, rows in UNEVEN:
            check_sums(name, *add(name, count, rows))


@hint("allreduce gets arrays with any number of axes. Give each buffer the shape of the array.")
@misconception("reads-the-task")
def test_any_shape(add):
    """allreduce is right for arrays of any number of axes."""
    for shape in ((7,), (2, 3, 2)):
        check_sums("allreduce", *add("allreduce", 2, 0, shape=shape))


@value
@hint("One device, two or four: k is the length of the list, and data[r].device says which device is at place r.")
@misconception("reads-the-task")
def test_any_number(add):
    """Both functions are right for one device, for two and for four, in any order, and for float64 and int64."""
    for name in FUNCTIONS:
        for order in ([3], [1, 4], ORDER):
            check_sums(name, *add(name, len(order), 12, order))
        one = add(name, 2, 12, [4, 2], dtype="int64")
        check_sums(name, *one)
        if not add(name, 3, 12)[2].waits:  # else test_no_wait says so
            one[2].check_no_wait(name)
    usual, *others = (several(add("ring_allreduce", 4, 12, order)) for order in (None, ORDER, ORDER[::-1]))
    other = max(others)
    with saw(
        "With the devices in another order, {other} of {count} devices sent to more than one other device.",
        other=other,
        count=len(ORDER),
    ):
        assert other <= usual


def several(call):
    """How many devices sent to more than one other device."""
    return sum(len(targets) > 1 for targets in call[2].neighbors.values())


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(add):
    """The list holds the same arrays in the same order afterwards."""
    for name in FUNCTIONS:
        _, seen, log, _ = add(name, 3, 12)
        log.check_works()
        held = [getattr(one, "number", None) for one in seen.arguments[0]]
        same = [number for number in held if number in (1, 2, 3)]  # others are for the tests of the sum
        check_containers_stay(int(len(held) != 3 or same != sorted(same)))
