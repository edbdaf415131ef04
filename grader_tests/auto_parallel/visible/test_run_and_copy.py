"""When run_and_copy waits."""

from syncpoint_check import array, core, first_wait, hint, saw

DEVICE, HOST = 1, 0


def run(student, rng):
    """The observation of a call whose results are held back until they are waited for."""
    return student.results_gated.call("run_and_copy", array(rng.normal(size=(2, 2)), device=DEVICE))


@core
@hint("All products and all copies first. What needs a result comes at the very end.")
def test_all_copies_before_the_wait(student, rng):
    """run_and_copy enqueues all ten copies before it waits."""
    events = run(student, rng).events
    copies = 0
    for event in events:
        if event.opened:
            break
        copies += event.kind == "enqueue" and DEVICE in event.reads and HOST in event.writes
    with saw(
        "Copies in the queue at the first wait ({first_wait}): {copies} of 10.",
        events,
        first_wait=first_wait(events),
        copies=copies,
    ):
        assert copies >= 10


@core
@hint("The copies must be there when run_and_copy returns them.")
def test_copies_are_computed_at_the_return(student, rng):
    """run_and_copy returns when the copies are there."""
    seen = run(student, rng)
    with saw("Copies were still pending when run_and_copy returned them.", seen.events, missing_wait=True):
        assert seen.ready
