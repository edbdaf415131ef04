"""wait_difference(a, b) measures the wait for an intermediate result against the wait for everything.

The second array lies on another device, so the log tells the work on it (the later work) from that on the first.
"""

import numpy as np
import pytest

from syncpoint.graders import array, hint, weight

# Times may be rounded, and the wall clock of the system may be slewed a little against ours.
TOLERANCE = 0.01
BUSY = 0.1
MIDDLE, LATER = 0, 1


@pytest.fixture
def matrices(rng):
    """Two square matrices of different sizes, on two devices."""
    sizes = rng.permutation([3, 5])
    return [
        array(rng.normal(size=(size, size)), device=device) for device, size in zip((MIDDLE, LATER), sizes, strict=True)
    ]


@pytest.fixture
def gated(student, matrices):
    """A call whose results stay pending until they are waited for."""
    return student.results_gated.call("wait_difference", *matrices)


def work(events):
    """For each result, in the order in which they were enqueued: is it the intermediate one, or of the later work?"""
    return [LATER if LATER in event.reads else MIDDLE for event in events if event.kind == "enqueue"]


def numbers(event):
    """Which results this event let go: their places in the order in which they were enqueued."""
    return [int(label.split()[-1]) for label in event.opened]


def wait_for_the_middle(events):
    """The place of the first wait that let an intermediate result go while later work was pending; None without one."""
    done = set()
    for place, event in enumerate(events):
        now = numbers(event)
        done.update(now)
        queued = work(events[:place])
        alone = now and all(queued[number : number + 1] == [MIDDLE] for number in now)
        if event.kind == "wait" and alone and any(queued[n] == LATER for n in range(len(queued)) if n not in done):
            return place
    return None


def one_and_all(returned):
    """The two times that were returned."""
    assert isinstance(returned, (tuple, list, np.ndarray)) and len(returned) == 2, returned
    for seconds in returned:
        assert isinstance(seconds, (int, float, np.number, np.ndarray)) and np.ndim(seconds) == 0, returned
    return float(returned[0]), float(returned[1])


@pytest.fixture
def run(student, matrices):
    """One run in which every result takes its time: what was returned, and what the clock must have shown."""
    seen = student.observe("slow_results", function="wait_difference", arrays=matrices, seconds=BUSY)
    place = wait_for_the_middle(seen["events"])
    assert place is not None, "the intermediate result was not waited for alone"
    openings = seen["openings"]
    last = max(index for index, (label, _, _) in enumerate(openings) if label in seen["events"][place].opened)
    later = openings[last + 1 :]
    assert later, "the later work was never waited for"
    return {
        "times": one_and_all(seen["returned"]),
        "middle": openings[last][2] - openings[last][1],
        "later": sum(ended - began for _, began, ended in later),
        "later_began": later[0][1],
        "total": seen["total"],
    }


@hint("Return two numbers, seconds_one and seconds_all: not their difference, not arrays, not words.")
def test_two_times(student, matrices):
    """wait_difference returns two times."""
    assert min(one_and_all(student.call("wait_difference", *matrices).returned)) >= 0


@hint("middle is np.dot(a, a), and the later work is np.dot(b, b): both arrays are used, each for its own product.")
def test_uses_both(gated):
    """There is work on a and work on b."""
    assert set(work(gated.events)) == {MIDDLE, LATER}


@weight(3)
@hint("The first wait must be for middle alone, while b times b is in the queue. Which call waits for one array?")
def test_waits_for_the_middle_alone(gated):
    """It waits for the intermediate result while the later work is in the queue, still pending."""
    assert wait_for_the_middle(gated.events) is not None, gated.events


@weight(3)
@hint("Everything that you wait for first must be enqueued before the later work. Else it stands behind it.")
def test_middle_comes_first(gated):
    """The intermediate result is enqueued before the later work."""
    events = gated.events
    place = wait_for_the_middle(events)
    queued = work(events)
    if place is None:
        assert queued and queued[0] == MIDDLE, queued
        return
    # What was all done before is no part of what is measured.
    drained = max((i for i in range(place) if events[i].kind == "wait" and not events[i].pending), default=0)
    measured = range(len(work(events[:drained])), len(work(events[:place])))
    assert max(numbers(events[place])) < min(n for n in measured if queued[n] == LATER), events


@weight(2)
@hint("The second wait is for everything in the queue, also for work that is not yours. Which call does that?")
def test_then_waits_for_everything(student, matrices):
    """At the end it waits for everything in the queue."""
    seen = student.beside_unrelated_work.results_gated.call("wait_difference", *matrices)
    assert seen.waits and not seen.pending, seen.pending


@weight(2)
@hint("seconds_one: from the start until the wait for middle is over, by a clock for wall time, in seconds.")
def test_seconds_one(run):
    """seconds_one is the time until the intermediate result was there."""
    assert run["middle"] - TOLERANCE <= run["times"][0] <= run["later_began"] + TOLERANCE, run


@weight(2)
@hint("seconds_all: from the same start until everything was there. Do not start the clock again in between.")
def test_seconds_all(run):
    """seconds_all is the time until everything was there, from the same start."""
    one, everything = run["times"]
    assert one + run["later"] - TOLERANCE <= everything <= run["total"] + TOLERANCE, run
