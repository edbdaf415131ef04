"""Ranks that save a checkpoint, wait for each other and load it, without ``torch.cuda.set_device``."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, size, path):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "12356"
    dist.init_process_group("nccl", rank=rank, world_size=size)
    model = DistributedDataParallel(nn.Linear(4, 2).to(rank), device_ids=[rank])
    first = model.module.weight.detach().clone()
    if rank == 0:
        torch.save(model.state_dict(), path)
    with torch.no_grad():
        model.module.weight.zero_()
    dist.barrier()
    model.load_state_dict(torch.load(path, map_location={"cuda:0": f"cuda:{rank}"}, weights_only=True))
    assert torch.equal(model.module.weight, first)
    model(torch.randn(3, 4).to(rank)).sum().backward()
    dist.barrier()
    if rank == 0:
        print(size, "ranks have loaded", path[-13:])
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(train, args=(2, os.path.join(folder, "checkpoint.pt")), nprocs=2, join=True)
