"""``python -m simgpu.speed``: the cost of the front end compared with plain PyTorch, and the start of a warm device.

Processor time, medians of paired runs with their spread.
"""

import argparse
import os
import socket
import statistics
import time
from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F

import simgpu
from simgpu.control import Control
from simgpu.device.process import serve
from simgpu.limits import Limits

Step = Callable[[], object]


def processor_time(step: Step, count: int) -> float:
    """Seconds of this thread's processor time for one step; the device's process is not in it."""
    start = time.thread_time()
    for _ in range(count):
        step()
    return (time.thread_time() - start) / count


def pairs(here: Step, there: Step, count: int, rounds: int, after: Step) -> list[tuple[float, float]]:
    """Runs of both in turn, so that what else the machine does meets both."""
    found = []
    for _ in range(rounds):
        found.append((processor_time(here, count), processor_time(there, count)))
        after()
    return found


def line(name: str, unit: float, found: list[tuple[float, float]]) -> str:
    """A row: both medians, and the ratio with its quartiles."""
    here, there = (statistics.median(p[i] for p in found) / unit for i in (0, 1))
    ratios = [b / a for a, b in found]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"| {name} | {here:.3g} | {there:.3g} | {middle:.2f} ({low:.2f} to {high:.2f}) |"


def lenet() -> nn.Module:
    """The net of the course's first notebook."""
    front = [nn.Conv2d(1, 6, 5, padding=2), nn.Sigmoid(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Sigmoid()]
    back = [nn.AvgPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.Sigmoid(), nn.Linear(120, 84), nn.Sigmoid()]
    return nn.Sequential(*front, *back, nn.Linear(84, 10))


def training_step(device: str) -> Step:
    """A step of LeNet with a batch of 8."""
    net = lenet().to(device)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    x, y = torch.randn(8, 1, 28, 28).to(device), torch.randint(0, 10, (8,)).to(device)

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()

    return step


def copies(rounds: int) -> list[str]:
    """32 MiB of pinned memory, finished, both ways, beside the machine's memcpy.

    Wall time, because two processes work at it.

    Returns:
        Lines of a table, in GB/s.
    """
    gpu = simgpu.install()
    host, other = torch.ones(32 << 18).pin_memory(), torch.empty(32 << 18)
    there = host.to("simgpu")

    def timed(step: Step) -> float:
        step()
        gpu.synchronize()
        best = []
        for _ in range(rounds):
            start = time.perf_counter()
            step()
            gpu.synchronize()
            best.append(time.perf_counter() - start)
        return 32 / 1024 / statistics.median(best)

    rates = {
        "memcpy": timed(lambda: other.copy_(host)),
        "to the device": timed(lambda: there.copy_(host, non_blocking=True)),
        "to the host": timed(lambda: host.copy_(there, non_blocking=True)),
    }
    return [f"| {name} | {rate:.2f} GiB/s |" for name, rate in rates.items()]


def warm_device() -> float:
    """How soon a device that is forked from this process, which has loaded it, answers its judge.

    Nothing may run in another thread of this process.

    Returns:
        Seconds of wall time.
    """
    (front, of_front), (judge, of_judge) = socket.socketpair(), socket.socketpair()
    start = time.perf_counter()
    process = os.fork()
    if process == 0:
        try:
            front.close()
            judge.close()
            serve(of_front, of_judge, Limits())
        finally:
            os._exit(0)
    of_front.close()
    of_judge.close()
    control = Control(judge)
    control.state()
    seconds = time.perf_counter() - start
    front.close()
    control.close()
    os.waitpid(process, 0)
    return seconds


def main() -> None:
    """Print three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    warm = [warm_device() for _ in range(rounds)]
    gpu = simgpu.install()
    x = torch.ones(16)
    y = x.to("simgpu")
    print("| | CPU torch | front end | ratio (quartiles) |\n|---|---|---|---|")
    for name, here, there in (
        ("x + 1, µs", lambda: x + 1, lambda: y + 1),
        ("x.add_(1), µs", lambda: x.add_(1), lambda: y.add_(1)),
        ("x.view(4, 4), µs", lambda: x.view(4, 4), lambda: y.view(4, 4)),
    ):
        pairs(here, there, 100, 2, gpu.synchronize)
        print(line(name, 1e-6, pairs(here, there, 300, rounds, gpu.synchronize)))
    steps = training_step("cpu"), training_step("simgpu")
    pairs(*steps, 3, 2, gpu.synchronize)
    print(line("LeNet step, batch 8, ms", 1e-3, pairs(*steps, 5, rounds, gpu.synchronize)))
    print("\n| 32 MiB pinned, finished | |\n|---|---|")
    print("\n".join(copies(rounds)))
    low, middle, high = statistics.quantiles(warm, n=4)
    print("\n| warm device, forked, until its first answer (quartiles) | |\n|---|---|")
    print(f"| ms | {1000 * middle:.1f} ({1000 * low:.1f} to {1000 * high:.1f}) |")


if __name__ == "__main__":
    main()
