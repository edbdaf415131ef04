"""When train_async waits."""

from syncpoint_check import DeviceLog, core, hint, saw
from training import BATCHES, events_of, is_done, training

__all__ = ["training"]


@core
@hint("What waits inside the loop? item, cpu, print, a sum in Python, or a copy from memory that is not pinned.")
def test_waits_behind_the_last_batch(student):
    """train_async enqueues all batches before it waits."""
    events = events_of(student.results_gated.observe("training", function="train_async", arguments=[]))
    log = DeviceLog(tuple(events), ())
    starts = [place for place, event in enumerate(events) if event.kind == "start"]
    waits = [place for place in log.waits if starts and place > starts[0]]  # not before the loop
    begun = sum(place < min(waits, default=len(events)) for place in starts)
    with saw(
        "At the first wait, {begun} of {batches} batches had begun: {first_wait}.",
        events,
        begun=begun,
        batches=BATCHES,
        first_wait=log.word_of(waits),
    ):
        assert begun >= BATCHES


@core
@hint("One wait after the loop, for everything that it has put into the queue.")
def test_weights_are_computed_at_the_return(student):
    """train_async returns when the last step is computed."""
    seen = student.results_gated.observe("training", function="train_async", arguments=[])
    with saw("When train_async returned, its last step was not computed.", events_of(seen), missing_wait=True):
        assert is_done(seen)
