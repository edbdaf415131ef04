"""What broadcast_parameters waits for."""

import torch
from order import check_no_race, check_no_wait
from syncpoint_check import core, hint


def copies(probe):
    """Replicas of two parameters on three devices, their own among them."""
    devices = [torch.device("simgpu", number) for number in range(3)]
    params = [torch.ones(shape, device=devices[1], requires_grad=True) for shape in ((3, 2), (2,))]
    with probe.run() as seen:
        seen.mark("begin")
        seen.call(probe.find("broadcast_parameters"), params, devices)
        seen.mark("end")
    return seen.report()


@core
@hint("Copies go from device to device, and the streams order them. item, cpu and synchronize hold up the host.")
def test_waits_for_nothing(student):
    """broadcast_parameters enqueues its copies, has no race, and waits for nothing."""
    events = list(student.results_gated.observe("copies")["events"])
    kinds = [event.kind for event in events]
    check_no_wait("broadcast_parameters", events[kinds.index("begin") : kinds.index("end")])
    check_no_race(events)
