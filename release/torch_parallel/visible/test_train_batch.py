"""What train_batch waits for."""

import torch
from order import check_no_race, check_no_wait
from syncpoint_check import DeviceLog, core, hint, saw


def step(probe):
    """One batch for two replicas of a linear model."""
    devices = [torch.device("simgpu", number) for number in range(2)]
    weights = torch.randn(2, 3), torch.randn(2)
    replicas = [[one.to(device).requires_grad_() for one in weights] for device in devices]
    X, y = torch.randn(7, 3), torch.randn(7, 2)
    with probe.run() as seen:
        seen.mark("begin")
        seen.call(probe.find("train_batch"), X, y, replicas, lambda X, params: X @ params[0].t() + params[1], 0.1)
        seen.mark("end")
    return seen.report()


@core
@hint("Nothing in a step needs a number: split, forward, backward, sum and update can all be enqueued.")
def test_waits_for_nothing(student):
    """train_batch enqueues a step for all devices, has no race, and waits for nothing."""
    events = list(student.results_gated.observe("step")["events"])
    kinds = [event.kind for event in events]
    check_no_wait("train_batch", events[kinds.index("begin") : kinds.index("end")])
    check_no_race(events)


@core
@hint("No device waits for another one before the gradients are added up: no wait, and no copy between them.")
def test_devices_compute_at_the_same_time(student):
    """The passes of the two devices may overlap."""
    log = DeviceLog.of(student.results_gated.observe("step"))
    first, second = (
        [one for one in log.operations if one.label == "mm" and one.stream[0] == number] for number in (1, 2)
    )
    with saw("Products of the first device: {first}, of the second: {second}.", first=len(first), second=len(second)):
        assert first and second
    with saw("The forward pass of one device must wait for the other device.", log.events):
        assert log.beside(first[0], second[0])  # one backward for the sum of all losses joins what comes later
