"""When train_async waits."""

from syncpoint_check import core, first_wait, hint, saw
from training import BATCHES, events_of, training, waits_by_batch

__all__ = ["training"]
STEP = ("add_", "_foreach_add_")  # what changes the weights


@core
@hint("Look for what needs a number inside the loop: item, cpu, print, or a sum in Python.")
def test_waits_behind_the_last_batch(student):
    """train_async enqueues all batches before it waits."""
    events = events_of(student.results_gated.observe("training", function="train_async", arguments=[]))
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
@hint("One wait behind the loop, for everything that it has put into the queue.")
def test_weights_are_computed_at_the_return(student):
    """train_async returns when the last step is computed."""
    events = events_of(student.results_gated.observe("training", function="train_async", arguments=[]))
    steps = [place for place, event in enumerate(events) if event.label in STEP]
    waited = [place for place, event in enumerate(events) if event.opened]
    with saw("train_async returned without a wait behind its last step.", events, missing_wait=True):
        assert waited and (not steps or waited[-1] > steps[-1])
