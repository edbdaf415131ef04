"""What copy_to_cpu waits for."""

from syncpoint_check import array, core, first_wait, hint, saw


@core
@hint("A copy is an operation like any other: it can be enqueued before there is anything to copy.")
def test_waits_for_nothing(student, rng):
    """copy_to_cpu returns while the arrays that it copies are still pending."""
    ys = [array(rng.normal(size=(2, 3)), device=1, gated=True) for _ in range(3)]
    seen = student.call("copy_to_cpu", ys)
    with saw(
        "copy_to_cpu waited for {waited} of 3 arrays. The first wait: {first_wait}.",
        seen.events,
        waited=3 - len(seen.pending),
        first_wait=first_wait(seen.events),
    ):
        assert len(seen.pending) == 3
