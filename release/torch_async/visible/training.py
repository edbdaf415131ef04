"""A small training in which everything is held back until your loop waits for it."""

import torch
from syncpoint_check import DeviceLog
from torch import nn

BATCHES, ROWS = 5, 4
STEP = ("add_", "_foreach_add_")  # what changes the weights


class Network(nn.Module):
    """One layer; a forward pass that asks for gradients leaves a mark in the log: there a batch begins."""

    def __init__(self, begin):
        super().__init__()
        self.begin = begin
        self.layer = nn.Linear(2, 1)

    def forward(self, x):
        """The scores of a batch."""
        if torch.is_grad_enabled():
            self.begin(len(x))
        return self.layer(x)


def training(probe, function, arguments):
    """Run a training function for one epoch on batches on the host, in pageable memory."""
    rows = [0]
    batches = [(torch.randn(ROWS, 2), torch.randn(ROWS, 1)) for _ in range(BATCHES)]
    with probe.run() as seen:

        def begin(count):
            if rows[0] % ROWS == 0:  # a batch may go through in pieces
                seen.mark("start", f"batch {rows[0] // ROWS + 1}")
            rows[0] += count

        net = Network(begin).to("simgpu")
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        torch.get_device_module("simgpu").synchronize()
        seen.mark("begin")
        seen.call(probe.find(function), net, lambda: iter(batches), nn.MSELoss(reduction="none"), optimizer, *arguments)
        seen.mark("end")
    return seen.report()


def events_of(seen):
    """The events of the call alone."""
    events = list(seen["events"])
    kinds = [event.kind for event in events]
    return events[kinds.index("begin") + 1 : kinds.index("end")] if "end" in kinds else events


def in_flight(seen):
    """How many batches were in flight as each one began, itself included."""
    log = DeviceLog.of(seen)
    starts = [place for place, event in enumerate(log.events) if event.kind == "start"]
    firsts = [next(one for one in log.operations if one.place > place) for place in starts]
    return [1 + sum(one.covered > place for one in firsts[:number]) for number, place in enumerate(starts)]


def is_done(seen):
    """Whether the host had waited for the last change of a weight when the loop returned."""
    log = DeviceLog.of(seen)
    end = next(place for place, event in enumerate(log.events) if event.kind == "end")
    steps = [one for one in log.operations if one.label in STEP and one.place < end]
    return bool(steps) and all(one.covered < end for one in steps)
