"""What the log of a call says about order."""

from contextlib import contextmanager

import torch
from syncpoint_check import DeviceLog, race, saw

GPU = torch.get_device_module("simgpu")


@contextmanager
def run(probe):
    """A run in which the current stream is not the default one."""
    with probe.run() as seen, GPU.stream(GPU.Stream()):
        yield seen


def pending(seen, tensors):
    """Copies of tensors, not computed yet, on the current stream."""
    with seen.traced():
        return [tensor * 1 for tensor in tensors]


def of_call(seen):
    """The events between the marks `begin` and `end` of a scenario."""
    events = list(seen["events"])
    kinds = [event.kind for event in events]
    return events[kinds.index("begin") + 1 : kinds.index("end")]


def work(log, label="mm"):
    """The operations of that name."""
    return [one for one in log.operations if one.label == label]


def check_no_wait(name, events):
    """Fail if the host waited."""
    log = DeviceLog(tuple(events), ())
    with saw("{name} made the host wait. The first wait: {first_wait}.", events, name=name, first_wait=log.first_wait):
        assert not log.waits


def check_no_race(events):
    """Fail if two streams use the same memory and nothing orders them."""
    races = [event for event in events if event.kind == "race"]
    first = race(races[0]) if races else ""
    with saw(
        "Uses of the same memory without a fixed order: {count}. The first: {first}.",
        events,
        count=len(races),
        first=first,
    ):
        assert not races
