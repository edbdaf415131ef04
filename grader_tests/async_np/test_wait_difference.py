"""wait_difference(a, b) measures the wait for an intermediate result against the wait for everything.

The second array is on another device, so the log tells the work on it (the later work) from that on the first.
"""

import numpy as np
import pytest

from syncpoint.graders import (
    EngineArray,
    array,
    core,
    first_wait,
    hint,
    is_number,
    kind_of,
    misconception,
    saw,
    value,
    weight,
)

# Times may be rounded, and the wall clock of the system may be slewed a little against ours.
TOLERANCE = 0.01
ENQUEUEING = 0.04
MIDDLE, LATER, ROOM = 0, 1, 2
# They make room for results, or copy what is there: when is of no consequence. numpy.empty_like is an operator written
# in Python.
MAKES_ROOM = {"zeros_like", "ones_like", "_npi_full_like", "Custom", "_copyto", "_copy", "_np_copy", "Cast"}


def two_matrices(rng):
    """Two square matrices of different sizes."""
    return [rng.normal(size=(size, size)) for size in rng.permutation([3, 5])]


def on_two_devices(values):
    """These matrices as arguments, each on a device of its own."""
    return [array(matrix, device=device) for device, matrix in zip((MIDDLE, LATER), values, strict=True)]


@pytest.fixture
def matrices(rng):
    """Two square matrices of different sizes, on two devices."""
    return on_two_devices(two_matrices(rng))


@pytest.fixture
def gated(student, matrices):
    """A call whose results stay pending until they are waited for."""
    return student.results_gated.call("wait_difference", *matrices)


def work(events):
    """For each result, in the order in which they were enqueued: is it the intermediate one, or of the later work?
    ROOM for one that a result will be written into.
    """
    queued = [event for event in events if event.kind == "enqueue"]
    return [ROOM if e.label in MAKES_ROOM else LATER if LATER in e.reads else MIDDLE for e in queued]


def numbers(event):
    """The results that this event released: their places in the order in which they were enqueued."""
    return [int(label.split()[-1]) for label in event.opened]


def wait_for_the_middle(events):
    """The place of the first wait that released an intermediate result while later work was pending, or None."""
    done = set()
    for place, event in enumerate(events):
        now = numbers(event)
        done.update(now)
        queued = work(events[:place])
        released = {queued[number] if number < len(queued) else LATER for number in now}
        alone = MIDDLE in released and LATER not in released
        if event.kind == "wait" and alone and any(queued[n] == LATER for n in range(len(queued)) if n not in done):
            return place
    return None


def one_and_all(returned):
    """The two times that were returned."""
    with saw("wait_difference returned {kind}.", kind=kind_of(returned)):
        assert isinstance(returned, (tuple, list, np.ndarray)) and len(returned) == 2, returned
    for seconds in returned:
        with saw("wait_difference returned two things, and one is {kind}.", kind=kind_of(seconds)):
            assert is_number(seconds), returned
    return float(returned[0]), float(returned[1])


def watch_clock(student, seconds):
    """One run in which everything takes its time: what was returned, and what the clock must have shown."""
    arrays = on_two_devices(two_matrices(np.random.default_rng()))
    seen = student.observe(
        "slow_results", function="wait_difference", arrays=arrays, seconds=seconds, enqueueing=ENQUEUEING
    )
    place = wait_for_the_middle(seen["events"])
    with saw(
        "Your code never waited for middle alone while b times b was in the queue, so there is no time to compare."
    ):
        assert place is not None
    openings = seen["openings"]
    last = max(index for index, (label, _, _) in enumerate(openings) if label in seen["events"][place].opened)
    # Until everything was there; what is looked at after that is not measured.
    rest = seen["events"][place + 1 :]
    ends = [number for number, event in enumerate(rest) if event.kind == "wait" and not event.pending]
    opened = {label for event in rest[: ends[0] + 1 if ends else None] for label in event.opened}
    later = [opening for opening in openings[last + 1 :] if opening[0] in opened]
    with saw("The later work was never waited for."):
        assert later
    # What the wait needed was all enqueued after the clock had started; the last of it, beyond doubt.
    enqueued = seen["enqueued"][max(numbers(seen["events"][place]))]
    return {
        "times": one_and_all(seen["returned"]),
        "middle": openings[last][2] - enqueued,
        "later": sum(ended - began for _, began, ended in later),
        "later_began": later[0][1],
        "total": seen["total"],
    }


@pytest.fixture(scope="module")
def runs(student):
    """Two runs: the work on the one result takes much longer than that on the other, and then the other way round."""
    short, long = np.random.default_rng().uniform([0.05, 0.15], [0.08, 0.25])
    return [watch_clock(student, [float(middle), float(later)]) for middle, later in ((short, long), (long, short))]


@hint("Return two numbers, seconds_one and seconds_all: not their difference, not arrays, not words.")
@misconception("reads-the-task")
def test_two_times(student, matrices):
    """wait_difference returns two times."""
    assert min(one_and_all(student.call("wait_difference", *matrices).returned)) >= 0


@value
@weight(2)
@hint("middle is np.dot(a, a), and the later work is np.dot(b, b): matrix products, each of one array with itself.")
@misconception("reads-the-task")
def test_products(student, rng):
    """It computes the matrix products a times a and b times b."""
    values = two_matrices(rng)
    seen = student.observe(
        "slow_results", function="wait_difference", arrays=on_two_devices(values), seconds=[], enqueueing=0
    )
    results = [np.ravel(result) for result in seen["results"] if isinstance(result, EngineArray)]
    for matrix in values:
        product = np.ravel(matrix @ matrix)
        same_size = [result for result in results if result.size == product.size]
        assert any(np.allclose(result, product, rtol=1e-2, atol=1e-2) for result in same_size), (product, results)


@core
@weight(3)
@hint("The first wait must be for middle alone, while b times b is in the queue. Which call waits for one array?")
@misconception("any-wait-will-do")
def test_waits_for_the_middle_alone(gated):
    """It waits for the intermediate result while the later work is in the queue, still pending."""
    with saw(
        "Your code never waited for middle alone while b times b was in the queue. The first wait: {first_wait}.",
        gated.events,
        first_wait=first_wait(gated.events),
    ):
        assert wait_for_the_middle(gated.events) is not None, gated.events


@core
@weight(3)
@hint("Everything that you wait for first must be enqueued before the later work. Otherwise it comes after that work.")
@misconception("order-of-lines")
def test_middle_comes_first(gated):
    """The intermediate result is enqueued before the later work."""
    events = gated.events
    place = wait_for_the_middle(events)
    queued = work(events)
    if place is None:
        assert next((result for result in queued if result != ROOM), None) == MIDDLE, queued
        return
    # What was all done before is no part of what is measured.
    drained = max((i for i in range(place) if events[i].kind == "wait" and not events[i].pending), default=0)
    measured = range(len(work(events[:drained])), len(work(events[:place])))
    assert max(numbers(events[place])) < min(n for n in measured if queued[n] == LATER), events


@hint("Do steps 1 to 5 once. Warm up before the clock starts if you like, but measure only one round.")
@misconception("reads-the-task")
def test_once(gated):
    """It measures one round: when all is done, it does not begin again."""
    events = gated.events
    place = wait_for_the_middle(events) or 0
    done = next((i for i in range(place, len(events)) if events[i].kind == "wait" and not events[i].pending), None)
    first, second = (
        {(event.label, event.inputs) for event in part if event.kind == "enqueue" and LATER in event.reads}
        for part in (events[:done], events[done:] if done is not None else ())
    )
    with saw("When nothing was left to wait for, the later work was not in the queue yet."):
        assert first, events
    with saw("When everything was computed, the later work was enqueued once more."):
        assert not first & second, events


@core
@weight(2)
@hint("The second wait is for everything in the queue, including work that is not yours. Which call does that?")
@misconception("any-wait-will-do")
def test_then_waits_for_everything(student, matrices):
    """At the end it waits for everything in the queue."""
    seen = student.beside_unrelated_work.results_gated.call("wait_difference", *matrices)
    with saw(
        "Pieces of work still pending when wait_difference returned: {pending}.",
        seen.events,
        missing_wait=True,
        pending=len(seen.pending),
    ):
        assert seen.waits and not seen.pending, seen.pending


@value
@weight(2)
@hint("seconds_one: from before anything is enqueued until the wait for middle is over, by a wall clock, in seconds.")
@misconception("clock-sees-the-work")
def test_seconds_one(runs):
    """seconds_one is the time until the intermediate result was computed."""
    for run in runs:
        one, _ = run["times"]
        with saw("seconds_one is too short." if one < run["middle"] else "seconds_one is too long."):
            assert run["middle"] - TOLERANCE <= one <= run["later_began"] + TOLERANCE, run


@core
@weight(2)
@hint("One clock, started once. Is yours started again after the first wait, or read before the second one is over?")
@misconception("clock-sees-the-work")
def test_same_start(runs):
    """seconds_all counts from the same start as seconds_one, so it also contains the wait for the later work."""
    for run in runs:
        one, everything = run["times"]
        with saw("seconds_all is not longer than seconds_one by the time that the later work took."):
            assert one + run["later"] - TOLERANCE <= everything, run


@value
@weight(2)
@hint("seconds_all: from the same start until everything was computed. Do not start the clock again in between.")
@misconception("clock-sees-the-work")
def test_seconds_all(runs):
    """seconds_all is the time from the same start until everything was computed."""
    for run in runs:
        one, everything = run["times"]
        with saw("seconds_all is too short." if everything < one + run["later"] else "seconds_all is too long."):
            assert one + run["later"] - TOLERANCE <= everything <= run["total"] + TOLERANCE, run
