"""When train_sync waits."""

from syncpoint_check import core, hint, saw
from training import BATCHES, events_of, in_flight, training

__all__ = ["training"]


@core
@hint("The value of a loss is known only when its batch is done: ask for the value in every batch.")
def test_waits_in_every_batch(student):
    """train_sync waits for each batch before the next one begins."""
    seen = student.results_gated.observe("training", function="train_sync", arguments=[])
    flight = in_flight(seen)
    with saw(
        "Batches that began: {count} of {batches}. Batches in flight when a batch began, including this batch: "
        "up to {most}. There should be one.",
        events_of(seen),
        missing_wait=True,
        count=len(flight),
        batches=BATCHES,
        most=max(flight, default=0),
    ):
        assert len(flight) >= BATCHES and max(flight) == 1
