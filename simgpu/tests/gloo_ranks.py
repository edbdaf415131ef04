"""A network, its batches, and stock DDP over gloo on the CPU: ``python gloo_ranks.py RANKS STEPS FOLDER OPTIMIZER``.

The ranks are forks of a process that has imported torch and nothing else: a rank that begins with an import of torch,
and of a device of its own, takes many seconds of processor time, and all wait for the slowest.
"""

import datetime
import importlib
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


def batches(size: int, steps: int):
    torch.manual_seed(1)
    return [[(torch.randn(8, 20), torch.randint(0, 10, (8,))) for _ in range(size)] for _ in range(steps)]


def sgd(parameters):
    return torch.optim.SGD(parameters, 0.1, momentum=0.9)


def zero(parameters):
    return ZeroRedundancyOptimizer(parameters, optimizer_class=torch.optim.Adam, lr=0.01)


def _rank(rank: int, size: int, steps: int, folder: str, make: str) -> None:
    torch.set_num_threads(1)
    most = datetime.timedelta(seconds=120)  # a lost rank is an error, not half an hour of waiting
    dist.init_process_group("gloo", f"file://{folder}/meeting", most, size, rank)
    torch.manual_seed(0)
    net = DistributedDataParallel(Net())
    optimizer = {"sgd": sgd, "zero": zero}[make](net.parameters())
    for step in batches(size, steps):
        x, y = step[rank]
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
    if rank == 0:
        torch.save([p.detach() for p in net.parameters()], f"{folder}/result.pt")
    dist.barrier()
    os._exit(0)  # in a fork, ending gloo's threads sometimes hangs


def main(size: str, steps: str, folder: str, make: str) -> None:
    importlib.import_module("torch._dynamo")  # otherwise DDP imports it in each rank
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"  # otherwise the machine's name is looked up
    mp.start_processes(_rank, args=(int(size), int(steps), folder, make), nprocs=int(size), start_method="fork")


if __name__ == "__main__":
    main(*sys.argv[1:])
