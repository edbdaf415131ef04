"""What split_batch waits for."""

import torch
from syncpoint_check import core, hint, saw


def split(probe):
    """Split a batch of ordinary memory over two devices."""
    X, y = torch.randn(9, 2), torch.randn(9)
    with probe.run() as seen:
        seen.call(probe.find("split_batch"), X, y, [torch.device("simgpu", number) for number in range(2)])
        seen.mark("end")
    return seen.report()


@core
@hint("A copy from ordinary memory holds up the host until it is done. Which kind of memory avoids that?")
def test_waits_for_nothing(student):
    """split_batch enqueues its copies and waits for none."""
    events = list(student.results_gated.observe("split")["events"])
    events = events[: [event.kind for event in events].index("end")]
    waits = [event.label for event in events if event.kind == "wait"]
    first = waits[0] if waits else ""
    with saw("Waits of split_batch: {count}, first: {first}.", events, count=len(waits), first=first):
        assert not waits
