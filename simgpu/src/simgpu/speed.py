"""``python -m simgpu.speed``: the cost of the simulated GPU compared with plain PyTorch, and how soon it starts.

Processor time, medians of paired runs with their spread.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

import simgpu
from simgpu import system
from simgpu.control import Control
from simgpu.device.process import serve
from simgpu.front.link import link
from simgpu.limits import Limits

Step = Callable[[], object]


def processor_time(step: Step, count: int) -> float:
    """Return this thread's processor seconds for one step, without the device process."""
    start = time.thread_time()
    for _ in range(count):
        step()
    return (time.thread_time() - start) / count


def pairs(here: Step, there: Step, count: int, rounds: int, after: Step) -> list[tuple[float, float]]:
    """Run both alternately, so that other load affects both."""
    found = []
    for _ in range(rounds):
        found.append((processor_time(here, count), processor_time(there, count)))
        after()
    return found


def line(name: str, unit: float, found: list[tuple[float, float]]) -> str:
    """Return a row: both medians, and the ratio with its quartiles."""
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


class Block(nn.Module):
    """A block of a small GPT, as in nanoGPT."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map a batch of sequences (B, T, width) to one of the same shape."""
        batch, length, width = x.shape
        parts = self.attention(self.before(x)).split(width, dim=2)
        q, k, v = (p.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for p in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.projection(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.between(x))  # type: ignore[no-any-return]


class GPT(nn.Module):
    """Two blocks between an embedding and a head with the same weight."""

    def __init__(self, words: int = 65, length: int = 32, width: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks, self.last = nn.Sequential(Block(width, heads), Block(width, heads)), nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.words.weight = self.head.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores (B, T, words) of the next word at each place of sequences (B, T)."""
        places = torch.arange(x.shape[1], device=x.device)
        return self.head(self.last(self.blocks(self.words(x) + self.places(places))))  # type: ignore[no-any-return]


def gpt_step(device: str) -> Step:
    """A step of a small GPT with AdamW, with a batch of 4."""
    net = GPT().to(device)
    optimizer = torch.optim.AdamW(net.parameters())
    x, y = (torch.randint(0, 65, (4, 32)).to(device) for _ in range(2))

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(net(x).flatten(0, 1), y.flatten()).backward()
        optimizer.step()

    return step


def clock_of(process: int) -> int:
    """Return the clock of a process's processor time, on Linux."""
    return (~process << 3) | 2


def everywhere(name: str, here: Step, there: Step, count: int, rounds: int) -> str:
    """Return a row: µs of processor time for a step, of plain PyTorch and of all our processes until it is finished."""
    process = link().process.pid
    children = [int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    clocks = [time.CLOCK_PROCESS_CPUTIME_ID, *map(clock_of, (process, *children))]
    gpu, found = simgpu.install(), []
    for _ in range(rounds):
        began = [time.clock_gettime(clock) for clock in clocks]
        for _ in range(count):
            there()
        gpu.synchronize()
        ended = [time.clock_gettime(clock) for clock in clocks]
        plain = processor_time(here, count)
        found.append([plain, *((b - a) / count for a, b in zip(began, ended, strict=True))])
    plain, *ours = (statistics.median(one) * 1e6 for one in zip(*found, strict=True))
    ratio = statistics.median(sum(one[1:]) / one[0] for one in found)
    return " | ".join(
        [f"| {name}", f"{plain:.3g}", *(f"{part:.3g}" for part in ours), f"{sum(ours):.3g}", f"{ratio:.1f} |"]
    )


def first_tensor(rounds: int) -> str:
    """Return a row: seconds from the start of Python to the first value; both processes import the same."""
    program = "import torch, {}; print((torch.ones(2{}) + 1).sum().item())"
    found = []
    for _ in range(rounds):
        row = []
        for part in ("sys", ""), ("simgpu", ", device='simgpu'"):
            before, start = os.times(), time.perf_counter()
            subprocess.run([sys.executable, "-c", program.format(*part)], check=True, stdout=subprocess.DEVNULL)
            wall, after = time.perf_counter() - start, os.times()
            row += [wall, after.children_user + after.children_system - before.children_user - before.children_system]
        found.append(row)
    return "| seconds | " + " | ".join(f"{statistics.median(one):.2f}" for one in zip(*found, strict=True)) + " |"


def copies(rounds: int) -> list[str]:
    """Return the time of 32 MiB of pinned memory in both directions, next to the machine's memcpy.

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
    """Return how soon a device forked from this loaded process answers its judge.

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
    """Print the tables."""
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
    if system.IS_LINUX:
        steps = gpt_step("cpu"), gpt_step("simgpu")
        everywhere("", *steps, 3, 2)
        print("\n| until it is finished, µs | CPU torch | front end | keeper | kernel process | all | ratio |")
        print("|---|---|---|---|---|---|---|")
        print(everywhere("x + 1", lambda: x + 1, lambda: y + 1, 300, rounds))
        print(everywhere("GPT step, batch 4", *steps, 3, rounds))
        print("\n| first tensor | CPU torch, wall | processor | simgpu, wall | processor |\n|---|---|---|---|---|")
        print(first_tensor(min(rounds, 3)))
    print("\n| copy of 32 MiB of pinned memory, until it is finished | |\n|---|---|")
    print("\n".join(copies(rounds)))
    low, middle, high = statistics.quantiles(warm, n=4)
    print("\n| a warm, forked device, until its first answer (quartiles) | |\n|---|---|")
    print(f"| ms | {1000 * middle:.1f} ({1000 * low:.1f} to {1000 * high:.1f}) |")


if __name__ == "__main__":
    main()
