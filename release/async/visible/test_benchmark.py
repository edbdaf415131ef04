"""Whether Benchmark waits for the engine."""

from syncpoint_check import core, first_wait, hint, saw


def timed(probe):
    """Time a block while an array is pending; report whether something has waited for it."""
    held = probe.array([1.0])
    benchmark = probe.find("Benchmark")

    def block():
        with benchmark("visible"):
            held + 1

    with probe.run() as seen:
        gate = seen.close(held, "held")
        seen.call(block)
        waited = gate.is_open
    return seen.report(waited=waited)


@core
@hint("A clock that waits for the queue does not measure its block: leave waiting to the block.")
def test_waits_for_nothing(student):
    """Benchmark times its block and waits for nothing."""
    seen = student.observe("timed")
    with saw(
        "Benchmark waited for work that was pending. The first wait: {first_wait}.",
        seen["events"],
        first_wait=first_wait(seen["events"]),
    ):
        assert not seen["waited"]
