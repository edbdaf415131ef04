"""Scenarios of the assignment `torch_memory`: what the judge does in the student's kernel around a call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  What a call takes of the device's memory, the judge asks the device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe

DEVICE = "simgpu"


def _blocks(probe: Probe, weights: list[Any]) -> list[Any]:
    """One block for each weight: a linear layer without bias, and tanh."""
    found = []
    for weight in weights:
        layer = nn.Linear(1, 1, bias=False)
        layer.weight = nn.Parameter(probe.array(weight))
        found.append(nn.Sequential(layer, nn.Tanh()))
    return found


def checkpointed(probe: Probe, weights: list[Any], x: Any, head: Any, budget: int) -> dict[str, Any]:
    """Call checkpointed with blocks of these weights, and then backward with the gradient ``head`` of the output.

    Reports the output, and the gradient of each weight.
    """
    blocks, x, head = _blocks(probe, weights), probe.array(x), probe.array(head)
    kept: list[Any] = []

    def call() -> None:
        output = probe.find("checkpointed")(list(blocks), x, budget)
        output.backward(head)
        kept.append(output.detach())

    with probe.run() as seen:
        seen.call(call)
        output = probe.fix(kept[0] if kept else None)
        gradients = probe.fix([block[0].weight.grad for block in blocks])
    return seen.report(output=output, gradients=gradients)


def accumulated(probe: Probe, weights: list[Any], batches: list[list[Any]], parts: int, rate: float) -> dict[str, Any]:
    """Call accumulate once for each batch, with plain gradient descent and the mean squared error.

    batches: [X, y] of one size.  Reports the weights afterwards.
    """
    net = nn.Sequential(*_blocks(probe, weights))
    optimizer = torch.optim.SGD(net.parameters(), lr=rate)
    made = [[probe.array(values) for values in batch] for batch in batches]

    def call() -> None:
        for X, y in made:
            probe.find("accumulate")(net, nn.MSELoss(), optimizer, X, y, parts)

    with probe.run() as seen:
        seen.call(call)
        found = probe.fix([parameter.detach() for parameter in net.parameters()])
    return seen.report(trained=found)
