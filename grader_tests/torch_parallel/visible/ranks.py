"""Two ranks that train a small network with what your function makes of it."""

import torch
import torch.nn.functional as F
from simgpu.distributed import ranks
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


def during_backward(events):
    """For how many ranks a collective was put into a queue while their backward pass still went on."""
    count = 0
    for rank in range(RANKS):
        inside = False
        found = False
        for event in events:
            if event.kind in ("backward", "backed") and event.label == str(rank):
                inside = event.kind == "backward"
            found = found or (inside and is_collective(event) and rank + 1 in event.writes)
        count += found
    return count


def is_collective(event):
    """Whether a rank gives something to a collective here."""
    return event.kind == "enqueue" and event.crosses and bool(event.nbytes) and "copy" not in event.label
