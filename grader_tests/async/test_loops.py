"""synchronous_loop waits in every step, asynchronous_loop once at the end."""

from collections import Counter

import numpy as np
import pytest

from syncpoint.graders import EngineArray, array, core, first_wait, hint, kind_of, misconception, saw, value, weight

# The device of x, where nothing else lies: an operation that does not read from it is no step.
DEVICE = 1


@pytest.fixture
def x(rng):
    """A small matrix."""
    return rng.normal(size=rng.integers(2, 5, size=2))


@pytest.fixture
def large(rng):
    """A matrix of more than a thousand numbers."""
    return rng.normal(size=(40, 30))


def is_step(event, x):
    """Whether an event may be a step, or a part of one: an operation on an array as large as x, on its device."""
    return event.handles(x.size) and DEVICE in event.reads


def run(student, loop, x, steps):
    """The log of a loop whose results are all held back; for each event whether it is a step; the array it returned.

    What has the numbers of x for a result (a view, a copy) has computed nothing.
    """
    seen = student.observe("held_steps", function=loop, x=array(x, DEVICE), steps=steps)
    results, found = iter(seen["results"]), []
    for event in seen["events"]:
        made = [next(results, None) for _ in event.outputs] if event.kind == "enqueue" else []
        found.append(is_step(event, x) and not all(same_numbers(result, x) for result in made))
    return seen["events"], found, seen["numbers"][0]


def same_numbers(result, x):
    """Whether a result has the numbers of x, in whatever order."""
    return isinstance(result, EngineArray) and np.array_equal(
        np.sort(result, axis=None), np.sort(np.float32(x), axis=None)
    )


def stretches(student, loop, x, steps):
    """The log, and the steps enqueued between one wait for pending work and the next: Counters of operations."""
    events, found, _ = run(student, loop, x, steps)
    counts = [Counter()]
    for event, step in zip(events, found, strict=True):
        if step:
            counts[-1][event.label] += 1
        elif event.opened:
            counts.append(Counter())
    return events, [count for count in counts if count]


def check_value(student, loop, x):
    """Fail unless the loop returns x + 1, whatever the number of steps, and leaves x alone."""
    # At last as many steps as before with other numbers: nothing may be kept from an earlier call.
    for steps, values in (
        *((1, x), (2, x.ravel()), (2, x[None]), (2, x[:1, :1]), (2, np.resize(x, (40, 30)))),
        *((5, x), (5, 2 * x - 1)),
    ):
        seen = student.call(loop, array(values), steps)
        with saw("{loop} returned {kind}.", loop=loop, kind=kind_of(seen.returned)):
            assert isinstance(seen.returned, EngineArray), steps
        with saw("The numbers that {loop} returned with steps={steps} are not those of x + 1.", loop=loop, steps=steps):
            np.testing.assert_allclose(seen.returned, values + 1, rtol=1e-5, atol=1e-5)
        with saw("{loop} changed x itself.", loop=loop):
            np.testing.assert_allclose(seen.arguments[0], values, rtol=1e-5, atol=1e-5)


def follows_from_a_step(events, found, number):
    """Whether an array was written by a step, or by an operation on the result of one."""
    arrays = set()
    for event, step in zip(events, found, strict=True):
        if step or (event.kind == "enqueue" and arrays & {*event.inputs}):
            arrays |= {*event.outputs}
    return number in arrays


def check_steps(student, loop, x):
    """Fail unless something is computed as often as steps says, and the returned array comes from it."""
    for steps in (2, 7, 24):
        events, found, returned = run(student, loop, x, steps)
        count = Counter(event.label for event, step in zip(events, found, strict=True) if step)
        computed = max(count.values(), default=0)
        with saw(
            "With steps={steps}, number of times {loop} computed y: {computed}.",
            steps=steps,
            loop=loop,
            computed=computed,
        ):
            assert computed >= steps, count
        with saw("The array that {loop} returned does not come from a step.", loop=loop):
            assert follows_from_a_step(events, found, returned)


def check_computed(student, loop, x):
    """Fail unless y is computed when the loop returns it."""
    seen = student.results_gated.call(loop, array(x), 3)
    with saw("{loop} returned {kind}.", loop=loop, kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, EngineArray)
    # Another array may well be there.
    with saw("When {loop} returned, its result did not hold the numbers of x + 1.", loop=loop):
        np.testing.assert_allclose(seen.returned, x + 1, rtol=1e-5, atol=1e-5)
    with saw("y was still pending when {loop} returned it.", seen.events, missing_wait=True, loop=loop):
        assert seen.ready


def check_no_steps(student, loop, x):
    """Fail unless the loop returns None for 0 steps, and only for these."""
    with saw("With steps=1, {loop} returned nothing.", loop=loop):
        assert student.call(loop, array(x), 1).returned is not None
    returned = student.call(loop, array(x), 0).returned
    with saw("With steps=0, {loop} returned {kind}.", loop=loop, kind=kind_of(returned)):
        assert returned is None


@core
@weight(4)
@hint("The front end must wait for y in every step before it enqueues the next one.")
@misconception("any-wait-will-do")
def test_synchronous_one_step_at_a_time(student, x, large):
    """synchronous_loop enqueues one step, waits for it, and only then enqueues the next."""
    for values, total in ((x, 24), (large, 8)):
        _, half = stretches(student, "synchronous_loop", values, total // 2)
        events, full = stretches(student, "synchronous_loop", values, total)
        few, many = ([stretch.total() for stretch in found] for found in (half, full))
        # A step may take several operations, and some more may stand before or after the loop.
        step = (sum(many) - sum(few)) // (total // 2)
        beside = max(0, sum(many) - total * step)
        with saw("With twice as many steps, the work on x that was enqueued did not grow."):
            assert step >= 1, (few, many)
        with saw(
            "synchronous_loop enqueued up to {steps} of {total} steps without a wait for them.",
            events,
            missing_wait=True,
            steps=max(many) // step,
            total=total,
        ):
            assert sum(max(0, stretch - step) for stretch in many) <= beside, (step, beside, many)


@core
@weight(4)
@hint(
    "Something inside the loop waits: print, an array in an if, a boolean mask, nonzero and unique are waits. "
    "Enqueue all steps first; the only wait comes after the loop."
)
@misconception("wait-in-the-loop")
def test_asynchronous_all_steps_before_the_wait(student, rng, x, large):
    """asynchronous_loop enqueues all steps before it waits."""
    # A rare wait is not seen in a few steps.
    for values, steps in ((x, rng.integers(12, 16)), (x, rng.integers(102, 108)), (large, 12)):
        _, few = stretches(student, "asynchronous_loop", values, 6)
        few = [stretch.total() for stretch in few]
        events, many = stretches(student, "asynchronous_loop", values, int(steps))
        most = max((max(stretch.values()) for stretch in many), default=0)
        with saw(
            "Steps in the queue before a wait: up to {most}. All of them should be. The first wait: {first_wait}.",
            events,
            most=most,
            first_wait=first_wait(events),
        ):
            assert most >= steps, many
        many = [stretch.total() for stretch in many]
        with saw(
            "With more steps, more work was enqueued after a wait. The first wait: {first_wait}.",
            events,
            first_wait=first_wait(events),
        ):
            # All that more steps add stands before the same wait.
            assert max(many) - max(few, default=0) == sum(many) - sum(few), (few, many)


@value
@hint("synchronous_loop computes y = x + 1, always from the same x, and returns the last y.")
@misconception("reads-the-task")
def test_synchronous_value(student, x):
    """synchronous_loop returns x + 1 and does not change x."""
    check_value(student, "synchronous_loop", x)


@value
@hint("asynchronous_loop computes y = x + 1, always from the same x, and returns the last y.")
@misconception("reads-the-task")
def test_asynchronous_value(student, x):
    """asynchronous_loop returns x + 1 and does not change x."""
    check_value(student, "asynchronous_loop", x)


@core
@hint("The last y is still pending when synchronous_loop returns it: wait after each step, not before.")
@misconception("call-means-done")
def test_synchronous_computed(student, x):
    """When synchronous_loop returns, y is computed."""
    check_computed(student, "synchronous_loop", x)


@core
@hint("The last y is still pending when asynchronous_loop returns it: what does the wait at the end wait for?")
@misconception("call-means-done")
def test_asynchronous_computed(student, x):
    """When asynchronous_loop returns, y is computed."""
    check_computed(student, "asynchronous_loop", x)


@hint("y = x + 1 must be computed in each step: as many times as steps says.")
@misconception("work-not-done")
def test_synchronous_steps(student, x):
    """synchronous_loop computes as many steps as it should."""
    check_steps(student, "synchronous_loop", x)


@hint("y = x + 1 must be computed in each step: as many times as steps says.")
@misconception("work-not-done")
def test_asynchronous_steps(student, x):
    """asynchronous_loop computes as many steps as it should."""
    check_steps(student, "asynchronous_loop", x)


@hint("With 0 steps nothing is computed: what is y then?")
@misconception("reads-the-task")
def test_synchronous_no_steps(student, x):
    """synchronous_loop returns None for 0 steps."""
    check_no_steps(student, "synchronous_loop", x)


@hint("With 0 steps nothing is computed: what is y then?")
@misconception("reads-the-task")
def test_asynchronous_no_steps(student, x):
    """asynchronous_loop returns None for 0 steps."""
    check_no_steps(student, "asynchronous_loop", x)
