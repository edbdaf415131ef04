"""What queue_work waits for."""

from syncpoint_check import EngineArray, array, core, first_wait, hint, kind_of, saw


@core
@hint("item, cpu, tolist, print, synchronize or a tensor in an if: each of them waits. Which one is in there?")
def test_returns_before_its_input_is_computed(student, rng):
    """queue_work returns while its input is still pending."""
    seen = student.call("queue_work", array(rng.normal(size=(2, 2)), device=1, gated=True))
    with saw(
        "queue_work waited for its input. The first wait: {first_wait}.",
        seen.events,
        first_wait=first_wait(seen.events),
    ):
        assert seen.returned_while_gated
    with saw("queue_work returned {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, EngineArray)
