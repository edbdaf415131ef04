"""Two ranks that train a small network, prepared by your function."""

import torch
import torch.nn.functional as F
from simgpu.distributed import ranks
from syncpoint_check import DeviceLog
from torch import nn

RANKS, ROWS = 2, 6


def step(probe, function, arguments):
    """One step of each rank; marks say where its backward pass begins and ends."""
    torch.manual_seed(0)
    nets = [
        nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)) for _ in range(RANKS)
    ]
    nets = [net.to(torch.device("simgpu", rank)) for rank, net in enumerate(nets)]
    data = [[torch.randn(ROWS, size).to(torch.device("simgpu", rank)) for size in (4, 1)] for rank in range(RANKS)]
    prepare = probe.find(function)

    def work(rank):
        (X, y), net = data[rank], nets[rank]
        finish = prepare(net, *arguments)
        loss = F.mse_loss(net(X), y)
        seen.mark("backward", f"{rank}")
        loss.backward()
        seen.mark("backed", f"{rank}")
        finish()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.add_(parameter.grad, alpha=-0.1)

    with probe.run() as seen:
        seen.mark("begin")
        seen.call(lambda: ranks(work, RANKS))
        seen.mark("end")
    return seen.report()


def of_call(events):
    """The events of the steps alone."""
    kinds = [event.kind for event in events]
    return events[kinds.index("begin") : kinds.index("end")]


def overlapping(seen):
    """For how many ranks a collective may run at the same time as the last work of their backward pass."""
    log, count = DeviceLog.of(seen), 0
    marks = {(event.kind, event.label): place for place, event in enumerate(log.events)}
    for rank in range(RANKS):
        during = log.between(marks["backward", str(rank)], marks["backed", str(rank)])
        given = [one for one in during if one.stream[0] == rank + 1 and is_collective(log.events[one.place])]
        work = [one for one in during if one.stream == (rank + 1, 0) and one not in given]
        count += bool(work) and any(log.beside(one, work[-1]) for one in given)
    return count


def is_collective(event):
    """Whether a rank takes part in a collective here."""
    return event.kind == "enqueue" and event.crosses and bool(event.nbytes) and "copy" not in event.label
