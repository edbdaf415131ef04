"""What run waits for."""

from syncpoint_check import array, core, first_wait, hint, saw


@core
@hint("run puts ten products into the queue. Is there a line that needs one of them?")
def test_waits_for_nothing(student, rng):
    """run returns while its input is still pending, and has ten operations in the queue."""
    seen = student.call("run", array(rng.normal(size=(2, 2)), device=1, gated=True))
    count = sum(event.kind == "enqueue" for event in seen.events)
    with saw(
        "Operations that run enqueued: {count}. The first wait for pending work: {first_wait}.",
        seen.events,
        count=count,
        first_wait=first_wait(seen.events),
    ):
        assert seen.returned_while_gated and count >= 10
