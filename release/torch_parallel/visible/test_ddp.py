"""When the gradients of ddp are averaged."""

from order import check_no_race, check_no_wait
from ranks import RANKS, of_call, overlapping, step
from syncpoint_check import core, hint, saw

__all__ = ["step"]


def run(student):
    """One step of each rank."""
    return student.results_gated.observe("step", function="ddp", arguments=[])


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
@hint("The streams wait, not the host: what does finish do with each handle?")
def test_orders_the_step_and_waits_for_nothing(student):
    """The step is ordered after the collectives, and the host does not wait."""
    events = list(run(student)["events"])
    check_no_wait("ddp", of_call(events))
    check_no_race(events)
