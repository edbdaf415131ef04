"""When train_bounded waits."""

from syncpoint_check import core, hint, saw
from training import training, waits_by_batch

__all__ = ["training"]


@core
@hint("With in_flight=2, the third batch may begin only when the first is done. Which wait ensures that?")
def test_never_three_in_flight(student):
    """With in_flight=2, a batch begins only after a wait for all batches before the previous one."""
    events = student.observe("training", function="train_bounded", arguments=[2])["events"]
    counts = waits_by_batch(events)
    late = sum(sum(counts[:place]) < place - 1 for place in range(len(counts)))
    with saw("Batches that began with too few waits before them: {late}.", events, missing_wait=True, late=late):
        assert not late


@core
@hint("Wait for the batch before the newest one, and not for the newest: it may go on while you enqueue the next.")
def test_two_in_flight(student):
    """With in_flight=2, the previous batch is still being computed when a batch begins."""
    events = student.observe("training", function="train_bounded", arguments=[2])["events"]
    starts = [event for event in events if event.kind == "start"]
    beside = sum(event.pending > 0 for event in starts[1:])
    with saw(
        "Batches that began while the previous one was unfinished: {beside} of {total}.",
        events,
        beside=beside,
        total=len(starts) - 1,
    ):
        assert beside >= len(starts) - 2
