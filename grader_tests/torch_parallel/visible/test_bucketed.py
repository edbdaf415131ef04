"""How large the buckets of bucketed are, and when they are averaged."""

from order import check_no_race, check_no_wait
from ranks import RANKS, is_collective, of_call, overlapping, step
from syncpoint_check import core, hint, saw

__all__ = ["step"]

MOST = 300  # bytes


def run(student):
    """One step of each rank."""
    return student.results_gated.observe("step", function="bucketed", arguments=[MOST])


@core
@hint("A hook of a parameter is called while backward goes on: begin there, and wait in finish.")
def test_begins_while_backward_goes_on(student):
    """A collective may overlap the rest of the backward pass."""
    seen = run(student)
    count = overlapping(seen)
    with saw(
        "Ranks that sent gradients while backward went on: {count} of {ranks}.",
        seen["events"],
        count=count,
        ranks=RANKS,
    ):
        assert count == RANKS


@core
@hint("A bucket is sent when the next gradient would make it larger than `most`: p.nbytes counts bytes.")
def test_sizes(student):
    """No bucket is larger than `most` bytes."""
    sizes = [event.nbytes for event in of_call(run(student)["events"]) if is_collective(event)]
    large = sum(size > MOST for size in sizes)
    with saw("Of {count} buckets, {large} had more than {most} bytes.", count=len(sizes), large=large, most=MOST):
        assert sizes and not large


@core
@hint("The streams wait, not the host: what does finish do with each handle?")
def test_orders_the_step_and_waits_for_nothing(student):
    """The step is ordered after the collectives, and the host does not wait."""
    events = list(run(student)["events"])
    check_no_wait("bucketed", of_call(events))
    check_no_race(events)
