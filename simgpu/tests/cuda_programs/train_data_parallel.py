"""DistributedDataParallel on all devices, with torch.multiprocessing.spawn and NCCL."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train(rank, size):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "12355"
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=size)
    model = DistributedDataParallel(nn.Linear(6, 2).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(torch.randn(16, 6), torch.randn(16, 2))
    for x, y in DataLoader(data, batch_size=2, sampler=DistributedSampler(data), pin_memory=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.cuda(rank, non_blocking=True)), y.to(rank)).backward()
        optimizer.step()
    weight = model.module.weight.detach()
    everywhere = [torch.zeros_like(weight) for _ in range(size)]
    dist.all_gather(everywhere, weight)
    assert all(torch.equal(w, everywhere[0]) for w in everywhere)
    ranks = torch.tensor([float(rank)], device=rank)
    dist.all_reduce(ranks)
    dist.barrier()
    if rank == 0:
        print(size, "ranks on", dist.get_backend(), "sum", ranks.item())
    assert weight.device == torch.device("cuda", rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    devices = torch.cuda.device_count()
    mp.spawn(train, args=(devices,), nprocs=devices, join=True)
