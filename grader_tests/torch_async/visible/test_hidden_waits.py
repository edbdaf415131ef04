"""What quiet_step waits for."""

import torch
from syncpoint_check import core, first_wait, hint, saw
from torch import nn


def step(probe):
    """One training step, with examples that have no label."""
    with probe.run() as seen:
        net = nn.Linear(3, 1).to("simgpu")
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        X, y = torch.randn(6, 3), torch.tensor([1.0, -1.0, 2.0, 0.5, -1.0, 3.0])
        torch.get_device_module("simgpu").synchronize()
        seen.mark("begin")
        seen.call(probe.find("quiet_step"), net, nn.MSELoss(reduction="none"), optimizer, X, y, [])
        seen.mark("end")
    return seen.report()


@core
@hint(
    "Each wait has a name in the picture. Copies from ordinary memory wait, and so does every call that needs a number."
)
def test_step_waits_for_nothing(student):
    """quiet_step enqueues its work and waits for nothing."""
    events = list(student.results_gated.observe("step")["events"])
    kinds = [event.kind for event in events]
    events = events[kinds.index("begin") + 1 : kinds.index("end")]
    waits = [event for event in events if event.kind == "wait"]
    with saw(
        "Waits of quiet_step: {count}. The first wait for work: {first_wait}.",
        events,
        count=len(waits),
        first_wait=first_wait(events),
    ):
        assert events and not waits
