"""A missing wait between two streams, and how to find it: ``python find_a_race.py``."""

import torch

import simgpu
from simgpu import races

gpu, log = simgpu.install(), simgpu.control()
side = gpu.Stream()


def total(waits: bool) -> torch.Tensor:
    """Twice the sum of ones, on two streams."""
    with gpu.stream(side):
        x = torch.ones(1000, device="simgpu")
    if waits:
        gpu.current_stream().wait_stream(side)
        x.record_stream(gpu.current_stream())
    return (x * 2).sum()


for waits in (True, False):
    gpu.synchronize()
    start = log.state().log
    total(waits)
    gpu.synchronize()
    found = races.find(log.log(start))
    print("with a wait:" if waits else "without a wait:", len(found), "races")
    for race in found:
        print(race.describe(places=simgpu.timeline().places))
