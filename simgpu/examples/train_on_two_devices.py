"""DistributedDataParallel with a device for each rank: ``python train_on_two_devices.py``."""

import torch
import torch.distributed as dist
from simgpu.distributed import ranks
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import simgpu

gpu = simgpu.install()


def train(rank: int) -> list[float]:
    """Fit a line to a part of the data; every rank ends with the same parameters."""
    gpu.set_device(rank)
    torch.manual_seed(0)
    net = DistributedDataParallel(nn.Linear(1, 1).to("simgpu"))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 64)[rank :: dist.get_world_size(), None].to("simgpu")
    for _ in range(100):
        optimizer.zero_grad()
        (net(x) - (3 * x + 1)).square().mean().backward()
        optimizer.step()
    return [round(p.item(), 2) for p in net.parameters()]


print(ranks(train, 2))
