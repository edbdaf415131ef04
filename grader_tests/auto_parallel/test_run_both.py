"""run_both(x_a, x_b): ten products on each of two devices, side by side."""

from products import arrays, check_products, check_stay

from syncpoint.graders import array, core, first_wait, hint, kind_of, misconception, saw, value, weight


def both(seen):
    """The two lists that run_both returned."""
    with saw("run_both returned {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, (list, tuple)) and len(seen.returned) == 2, seen.returned
    ys_a, ys_b = seen.returned
    return ys_a, ys_b


@value
@weight(2)
@hint("run_both returns two lists: first the ten products of x_a, then the ten products of x_b.")
@misconception("reads-the-task")
def test_value(student, matrix, several):
    """run_both returns the products of x_a and the products of x_b."""
    for places, a in zip(((0, 1), (2, 1), (1, 2)), several[:3], strict=True):
        b = matrix(dtype=a.dtype)
        seen = student.call("run_both", array(a, places[0], dtype=a.dtype), array(b, places[1], dtype=b.dtype))
        ys_a, ys_b = both(seen)
        check_products(ys_a, a)
        check_products(ys_b, b)
        check_stay(seen, a, b, name="run_both")


@hint("The products of x_a must be computed where x_a is, those of x_b where x_b is. Nothing has to be moved.")
@misconception("as-in-context")
def test_devices(student, matrix):
    """Each product is computed on the device of its input."""
    for a, b in ((0, 1), (2, 1)):
        seen = student.call("run_both", array(matrix(), a), array(matrix(), b))
        ys_a, ys_b = both(seen)
        with saw("Some of the results are on another device than the matrix they come from."):
            assert {y.device for y in arrays(ys_a)} == {a} and {y.device for y in arrays(ys_b)} == {b}
        work = [event.reads + event.writes for event in seen.events if event.kind == "enqueue"]
        # Ten and ten, and nothing goes from one device to the other.
        with saw(
            "There should be ten operations on each device. On the device of x_a: {first}; on that of x_b: {second}.",
            first=work.count((a, a)),
            second=work.count((b, b)),
        ):
            assert work.count((a, a)) >= 10 and work.count((b, b)) >= 10, work
        moved = [devices for devices in work if len(set(devices)) != 1]
        with saw("Operations that go from one device to another: {count}.", count=len(moved)):
            assert not moved, work


@core
@weight(3)
@hint("Each of the twenty results needs its own nd.dot and its own array, enqueued before your code waits.")
@misconception("work-not-done")
def test_ten_products(matrix, check_own_work):
    """Each device computes ten products, and none of them needs another one."""
    arguments = {"x_a": (matrix(), 1), "x_b": (matrix(), 2)}
    for place in arguments:
        check_own_work("run_both", arguments, place, others=9, own=True)


@core
@weight(2)
@hint("The front end waits before the second device has any work. Enqueue the work of both devices first.")
@misconception("devices-in-turn")
def test_both_have_work_before_a_wait(student, matrix):
    """Both devices have work before the first wait."""
    for a, b, size in ((0, 1, None), (1, 0, None), (1, 2, 40)):
        x_a, x_b = matrix(size), matrix(size)
        seen = student.results_gated.call("run_both", array(x_a, a, gated=True), array(x_b, b, gated=True))
        enqueued = set()
        for event in seen.events:
            if event.kind == "wait" and event.opened:
                break
            enqueued |= set(event.writes)
        with saw(
            "When your code first waited, {count} of the two devices had work. The wait: {first_wait}.",
            seen.events,
            count=len(enqueued),
            first_wait=first_wait(seen.events),
        ):
            assert enqueued == {a, b}, seen.events


@core
@weight(4)
@hint("One device is idle, and the other one cannot finish its products. What does your code wait for, and when?")
@misconception("devices-in-turn")
def test_one_device_does_not_hold_the_other(student, matrix):
    """While one device is held back, the other device finishes its products."""
    arguments = [(matrix(), 1), (matrix(), 2)]
    for held in (0, 1):
        seen = student.observe("finished_while_held", function="run_both", arguments=arguments, held=held)
        finished = dict(map(tuple, seen["finished"]))
        free, blocked = (arguments[place][1] for place in (1 - held, held))
        done = finished.get(free, 0)
        with saw(
            "The grader held one device back. Meanwhile, the other device should have finished ten products. "
            "Finished: {done}.",
            done=done,
        ):
            assert done >= 10, (held, finished, seen["events"])
        stray = finished.get(blocked, 0)
        with saw(
            "Operations that finished on the device that was held back, because they do not use its matrix: {stray}.",
            stray=stray,
        ):
            assert stray == 0, (held, finished, seen["events"])
