"""benchmark(net, x): the seconds of 1,000 forward passes, with one wait at the end."""

import numpy as np
import pytest

from syncpoint.graders import core, first_wait, hint, kind_of, misconception, saw, weight

PASSES = 1000
# The shortest and the longest time are known by the order of events; this is for rounded figures and slewed clocks.
TOLERANCE = 0.02
FIRST_PASS, WAIT = 0.1, 0.3  # seconds that a clock must show in any case


@pytest.fixture(scope="module")
def run(student):
    """One call of benchmark: all tests look at the same."""
    rng = np.random.default_rng()
    features = int(rng.integers(3, 7))
    weights = [rng.normal(size=shape).astype(np.float32) for shape in ((2, features), (2,))]
    x = rng.normal(size=(2, features))
    seen = student.observe("benchmark", weights=weights, x=x, timed=PASSES, first_seconds=FIRST_PASS, wait_seconds=WAIT)
    return seen | {"given": weights, "given_x": x.astype(np.float32)}


def passes_before_first_wait(seen):
    """How many passes were begun before the code first waited for unfinished work; None if it never did."""
    count = 0
    for event in seen["events"]:
        count += event.kind == "pass"
        if event.opened:
            return count
    return None


def waits_between_passes(seen):
    """How often the code waited between two passes, also where there was nothing to wait for."""
    kinds = [event.kind for event in seen["events"]]
    passes = [place for place, kind in enumerate(kinds) if kind == "pass"] or [0]
    return kinds[passes[0] : passes[-1]].count("wait")


@weight(3)
@hint("Call net(x) exactly 1000 times, and do not record these calls. Do not add a warm-up pass.")
@misconception("work-not-done")
def test_passes(run):
    """benchmark makes exactly 1,000 forward passes net(x), and records none of them."""
    with saw("Calls of the network: {passes}.", passes=run["passes"]):
        assert run["passes"] == PASSES
    with saw(
        "Passes recorded for a gradient, which is more work than a forward pass: {passes_recorded}.",
        passes_recorded=run["passes_recorded"],
    ):
        assert run["passes_recorded"] == 0


@core
@hint("Each pass is net(x): a part of x, or an array of your own, is not the work that should be measured.")
@misconception("work-not-done")
def test_passes_of_x(run):
    """benchmark calls the network with the x that was given, and with nothing else."""
    with saw(
        "Calls of the network: {passes}, with x: {passes_with_x}.",
        passes=run["passes"],
        passes_with_x=run["passes_with_x"],
    ):
        assert run["passes"] and run["passes_with_x"] == run["passes"]


@core
@weight(4)
@hint("Something in the loop waits: wait_to_read, waitall, asnumpy, print? The wait comes once, after the loop.")
@misconception("wait-in-the-loop")
def test_no_wait_in_the_loop(run):
    """All passes are enqueued before the first wait."""
    waited = passes_before_first_wait(run)
    with saw("No pass was made."):
        assert run["timed"]
    # A loop that is too short is the business of another test, and so is a pass before the loop.
    with saw(
        "benchmark waited after {waited} of {timed} passes. The first wait: {first_wait}.",
        run["events"],
        waited=waited,
        timed=run["timed"],
        first_wait=first_wait(run["events"]),
    ):
        assert waited in (None, run["timed"]), waited
    waits = waits_between_passes(run)
    with saw(
        "Between two passes, benchmark asked whether something is computed. Number of times: {waits}.",
        run["events"],
        waits=waits,
    ):
        assert waits == 0


@core
@weight(2)
@hint("net(x) only enqueues. What must come after the loop, so that all passes are computed?")
@misconception("call-means-done")
def test_finished_at_return(run):
    """benchmark waits until the passes are computed."""
    wait = first_wait(run["events"])
    with saw(
        "When benchmark returned, passes were not computed yet. The first wait: {wait}.",
        run["events"],
        missing_wait=True,
        wait=wait,
    ):
        assert not run["unfinished"], run["unfinished"]
    with saw("Nothing waited after the passes. The first wait: {wait}.", run["events"], wait=wait):
        assert passes_before_first_wait(run)


@core
@weight(5)
@hint("Start a clock for wall time before the first pass, and read it after the wait. The difference is in seconds.")
@misconception("clock-sees-the-work")
def test_seconds(run):
    """The returned seconds are those of all passes and of the wait."""
    seconds = run["returned"]
    with saw("benchmark returned {kind}.", kind=kind_of(seconds)):
        assert isinstance(seconds, (int, float, np.number)) and not isinstance(seconds, bool), seconds
    with saw("No wait took a time that a clock could show."):
        assert run["shortest"] is not None
    with saw(
        "The returned time is too short." if seconds < run["shortest"] else "The returned time is too long.",
    ):
        assert run["shortest"] - TOLERANCE <= seconds <= run["longest"] + TOLERANCE, (run["shortest"], run["longest"])


@weight(2)
@hint("Do not hybridize or initialize the network or its layers inside benchmark: they are the caller's.")
@misconception("reads-the-task")
def test_leaves_the_net(run):
    """benchmark leaves the network and x as they are."""
    with saw("benchmark did not call the network."):
        assert run["passes"]
    with saw("benchmark hybridized the network."):
        assert not run["passes_hybridized"]
    with saw("benchmark changed how the network works. Calls of its methods: {count}.", count=len(run["changes"])):
        assert run["changes"] == []
    for now, before in zip(run["weights"], run["given"], strict=True):
        with saw("The network has other weights than before."):
            np.testing.assert_array_equal(now, before)
    with saw("{loop} changed x itself.", loop="benchmark"):
        np.testing.assert_array_equal(run["x"], run["given_x"])
