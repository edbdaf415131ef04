"""When benchmark reads its clock."""

import torch
from syncpoint_check import core, hint, saw

GPU = torch.get_device_module("simgpu")


def timed(probe):
    """Time some work on two streams, with a clock that leaves a mark whenever it is read."""
    x, side, now = torch.ones(4, 4, device="simgpu"), GPU.Stream(), [0.0]
    with probe.run() as seen:

        def clock():
            seen.mark("read")
            now[0] += 1
            return now[0]

        def work():
            with GPU.stream(side):
                x @ x
            x @ x
            seen.mark("worked")

        older = x @ x
        seen.call(probe.find("benchmark"), work, clock)
        del older
    return seen.report()


def pending_at_readings(events):
    """How many operations had not been waited for at each reading of the clock."""
    return [event.pending for event in events if event.kind == "read"]


@core
@hint("Between your two readings there must be a wait for all streams of the device, after the work.")
def test_work_is_done_at_the_second_reading(student):
    """At the last reading of the clock, the work is computed."""
    events = student.results_gated.observe("timed")["events"]
    pending = pending_at_readings(events)
    left = pending[-1] if pending else 0
    with saw(
        "Operations that were pending when the clock was read last: {left}.", events, missing_wait=True, left=left
    ):
        assert len(pending) >= 2 and not left


@core
@hint("Earlier work is not part of your measurement: wait for it before the clock starts.")
def test_nothing_older_is_pending_at_the_first_reading(student):
    """When the clock starts, nothing older is left to do."""
    events = student.results_gated.observe("timed")["events"]
    pending = pending_at_readings(events)
    left = pending[-2] if len(pending) > 1 else 0
    with saw("Operations that were pending when the clock started: {left}.", events, missing_wait=True, left=left):
        assert len(pending) >= 2 and not left
