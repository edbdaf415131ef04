"""When train_async waits."""

from syncpoint_check import core, first_wait, hint, saw
from training import BATCHES, training, waits_by_batch

INTERFACE = "np"

__all__ = ["training"]


@core
@hint("Look for what needs a number inside the loop: asscalar, float, print, or a sum in Python.")
def test_waits_behind_the_last_batch(student):
    """train_async enqueues all batches before it waits."""
    events = student.observe("training", function="train_async", arguments=[])["events"]
    counts = waits_by_batch(events)
    begun = next((place + 1 for place, count in enumerate(counts) if count), len(counts))
    with saw(
        "At the first wait, {begun} of {batches} batches had begun: {first_wait}.",
        events,
        begun=begun,
        batches=BATCHES,
        first_wait=first_wait(events),
    ):
        assert begun >= BATCHES


@core
@hint("One wait after the loop, for everything that it has put into the queue.")
def test_weights_are_computed_at_the_return(student):
    """train_async returns when the weights are computed."""
    seen = student.observe("training", function="train_async", arguments=[])
    with saw("The weights were still pending when train_async returned.", seen["events"], missing_wait=True):
        assert seen["done"]
