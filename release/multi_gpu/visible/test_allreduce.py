"""What allreduce waits for."""

from syncpoint_check import array, core, first_wait, hint, saw


@core
@hint("Copies and sums can be enqueued before the numbers are there. Is there a line that needs them?")
def test_waits_for_nothing(student, rng):
    """allreduce returns while its arrays are still pending."""
    data = [array(rng.normal(size=(3, 2)), device=device, gated=True) for device in (1, 2)]
    seen = student.call("allreduce", data)
    with saw(
        "allreduce waited for {waited} of 2 arrays. The first wait: {first_wait}.",
        seen.events,
        waited=2 - len(seen.pending),
        first_wait=first_wait(seen.events),
    ):
        assert len(seen.pending) == 2
