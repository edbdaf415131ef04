"""What your loops wait for, and when."""

from itertools import pairwise

from syncpoint_check import DeviceLog, EngineArray, array, core, first_wait, hint, kind_of, saw

STEPS, MANY = 6, 120
X = 1  # its number in the log


def stretches(events):
    """How many operations were enqueued before each wait that held the loop up, and after the last one."""
    counts = [0]
    for event in events:
        if event.opened:
            counts.append(0)
        elif event.kind == "enqueue":
            counts[-1] += 1
    return counts


def run(student, rng, loop, steps=STEPS):
    """The observation of a loop whose results are held back until the loop waits for them."""
    seen = student.results_gated.call(loop, array(rng.normal(size=(3, 2)), device=1), steps)
    with saw("{loop} returned {kind}.", loop=loop, kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, EngineArray)
    return seen


@core
@hint("In each step: enqueue, then wait for this y, and only then go on. An event must be recorded after y.")
def test_synchronous_waits_in_every_step(student, rng):
    """synchronous_loop waits for each y before the next step begins."""
    seen = run(student, rng, "synchronous_loop")
    reads = DeviceLog.of(seen).readers(X)
    count = sum(one.covered < later.place for one, later in pairwise(reads))
    with saw(
        "Steps that were waited for before the next one began: {count} of {steps}.",
        seen.events,
        missing_wait=True,
        count=count,
        steps=STEPS - 1,
    ):
        assert count >= STEPS - 1


@core
@hint("The loop itself only enqueues. Which line needs a number, copies from ordinary memory, or waits by its name?")
def test_asynchronous_waits_once(student, rng):
    """asynchronous_loop enqueues all steps before it waits for them."""
    seen = run(student, rng, "asynchronous_loop", MANY)
    most = max(stretches(seen.events))
    with saw(
        "With {steps} steps, at most {most} operations were in the queue without a wait. The first wait: {first_wait}.",
        seen.events,
        steps=MANY,
        most=most,
        first_wait=first_wait(seen.events),
    ):
        assert most >= MANY


@core
@hint("Look at the end of your function: which wait makes sure that y is computed?")
def test_both_return_what_is_computed(student, rng):
    """Both loops return when y is computed."""
    for loop in ("synchronous_loop", "asynchronous_loop"):
        seen = run(student, rng, loop)
        with saw("y was still pending when {loop} returned it.", seen.events, missing_wait=True, loop=loop):
            assert seen.ready
