"""When train_bounded waits."""

from syncpoint_check import core, hint, saw
from training import events_of, in_flight, is_done, training

__all__ = ["training"]
LIMITS = 1, 2, 3


def run(student, limit):
    """One epoch with this limit."""
    return student.results_gated.observe("training", function="train_bounded", arguments=[limit])


@core
@hint("With in_flight=2, the third batch may begin only when the first is done. Which wait ensures that?")
def test_never_more_in_flight(student):
    """No more than in_flight batches are in flight."""
    for limit in LIMITS:
        seen = run(student, limit)
        most = max(in_flight(seen), default=0)
        with saw(
            "With in_flight={limit}, up to {most} batches were in flight.",
            events_of(seen),
            missing_wait=True,
            limit=limit,
            most=most,
        ):
            assert 1 <= most <= limit


@core
@hint(
    "Wait for the oldest batch and for nothing newer: item of an old loss, synchronize and a copy from ordinary memory "
    "wait for everything that was enqueued before."
)
def test_makes_use_of_the_bound(student):
    """Once in_flight batches have begun, that many stay in flight."""
    for limit in LIMITS:
        seen = run(student, limit)
        fewest = min(in_flight(seen)[limit:], default=0)
        with saw(
            "With in_flight={limit}, only {fewest} batches were in flight when a later one began.",
            events_of(seen),
            limit=limit,
            fewest=fewest,
        ):
            assert fewest >= limit


@core
@hint("One wait after the loop, for everything that it has put into the queue.")
def test_weights_are_computed_at_the_return(student):
    """train_bounded returns when the last step is computed."""
    seen = run(student, 2)
    with saw("When train_bounded returned, its last step was not computed.", events_of(seen), missing_wait=True):
        assert is_done(seen)
