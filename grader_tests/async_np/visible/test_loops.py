"""What your loops wait for, and when."""

from syncpoint_check import EngineArray, array, core, first_wait, hint, kind_of, saw

STEPS = 6


def waits(events):
    """The waits that held the loop up."""
    return [event for event in events if event.opened]


def run(student, rng, loop):
    """What was seen of a loop of which every result is held back until the loop waits for it."""
    seen = student.using("np").results_gated.call(loop, array(rng.normal(size=(3, 2))), STEPS)
    with saw(f"{loop} returned {kind_of(seen.returned)}."):
        assert isinstance(seen.returned, EngineArray)
    return seen


@core
@hint("In each step: enqueue, then wait for y, and only then go on.")
def test_synchronous_waits_in_every_step(student, rng):
    """synchronous_loop waits for its result in every step."""
    seen = run(student, rng, "synchronous_loop")
    count = len(waits(seen.events))
    with saw(f"In {STEPS} steps, synchronous_loop waited {count} times for work.", seen.events, missing_wait=True):
        assert count >= STEPS


@core
@hint("The loop itself only enqueues. Which line in it needs a number, or waits by its name?")
def test_asynchronous_waits_once(student, rng):
    """asynchronous_loop has enqueued all steps when it first waits."""
    seen = run(student, rng, "asynchronous_loop")
    events = list(seen.events)
    first = events.index(waits(events)[0]) if waits(events) else len(events)
    before = sum(event.kind == "enqueue" for event in events[:first])
    said = f"With {STEPS} steps, {before} operations were in the queue at the first wait: {first_wait(events)}."
    with saw(said, events):
        assert before >= STEPS


@core
@hint("Look at the end of your function: which wait makes sure that y is there?")
def test_both_return_what_is_computed(student, rng):
    """Both loops return when y is computed."""
    for loop in ("synchronous_loop", "asynchronous_loop"):
        seen = run(student, rng, loop)
        with saw(f"y was still pending when {loop} returned it.", seen.events, missing_wait=True):
            assert seen.ready
