"""When train_sync waits."""

from syncpoint_check import core, hint, saw
from training import BATCHES, training, waits_by_batch

INTERFACE = "np"

__all__ = ["training"]


@core
@hint("The value of a loss is known only when its batch is done: ask for the value in every batch.")
def test_waits_in_every_batch(student):
    """train_sync waits in every batch before the next one begins."""
    events = student.observe("training", function="train_sync", arguments=[])["events"]
    counts = waits_by_batch(events)
    waited = sum(count > 0 for count in counts)
    with saw(
        "Batches that were waited for before the next one: {waited} of {batches}.",
        events,
        missing_wait=True,
        waited=waited,
        batches=BATCHES,
    ):
        assert len(counts) >= BATCHES and waited == len(counts)
