"""Scenarios of the assignment `torch_parallel`: what the judge does in the student's kernel around a call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  All that it says of order stands in the device's log, by marks and by work of its own between them.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any, Callable

import torch
import torch.nn.functional as F
from torch import nn

from simgpu import distributed

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe

_ranks = distributed.ranks  # a notebook may replace that of the module
_kept: list[Any] = []


def broadcast_parameters(probe: Probe, params: list[Any], devices: list[int]) -> dict[str, Any]:
    """Call broadcast_parameters with leaves that ask for gradients, and go backward on each replica.

    devices: numbers, from 1.  Reports the number of tensors for each device, all of them in one list with their
    gradients, the originals, whether one of these has a gradient, and how many tensors of the replicas had one from the
    beginning.
    """
    params = [probe.array(one).requires_grad_() for one in params]
    places = [torch.device("simgpu", number - 1) for number in devices]
    with probe.run() as seen:
        returned = seen.call(probe.find("broadcast_parameters"), list(params), places)
        replicas = [list(replica) for replica in returned] if isinstance(returned, (list, tuple)) else []
        flat = [one for replica in replicas for one in replica]
        early = sum(getattr(one, "grad", None) is not None for one in flat)
        asks = [one for one in flat if isinstance(one, torch.Tensor) and one.requires_grad]
        for one in asks:
            (one * one).sum().backward()
        found = probe.fix(flat)
        originals = probe.fix([one.detach() for one in params])
    return seen.report(
        lengths=[len(replica) for replica in replicas],
        replicas=None if seen.error else found,
        originals=originals,
        leaked=any(one.grad is not None for one in params),
        early=early,
    )


def train_batch(probe: Probe, weights: list[list[Any]], batches: list[list[Any]], lr: float) -> dict[str, Any]:
    """Call train_batch once for each batch, with these weights on their devices.

    weights: of each replica.  batches: pairs of arrays of the host's, in pageable memory.  Reports the parameters of
    all replicas, one after the other, and the first one of each as it was.
    """

    def net(X: Any, params: Any) -> Any:
        h = X
        for place in range(0, len(params), 2):
            h = torch.tanh(h) if place else h
            h = h @ params[place].t() + params[place + 1]
        return h

    def work() -> None:
        for X, y in batches:
            function(torch.from_numpy(X), torch.from_numpy(y), replicas, net, lr)

    replicas = [[probe.array(one).requires_grad_() for one in replica] for replica in weights]
    first = [replica[0].detach() for replica in replicas]
    with probe.run() as seen:
        function = probe.find("train_batch")
        seen.call(work)
        found = probe.fix([one for replica in replicas for one in replica])
        before = probe.fix(first)
    return seen.report(params=None if seen.error else found, first=before)


def _nets(weights: list[list[Any]], frozen: list[int]) -> list[nn.Sequential]:
    """A network for each rank, of fully connected layers with tanh between them."""
    nets = []
    for mine in weights:
        layers: list[nn.Module] = []
        for place in range(0, len(mine), 2):
            layer = nn.Linear(1, 1)
            layer.weight, layer.bias = nn.Parameter(mine[place]), nn.Parameter(mine[place + 1])
            layers += [nn.Tanh()] * bool(layers) + [layer]
        nets.append(nn.Sequential(*layers))
        for number, parameter in enumerate(nets[-1].parameters()):
            parameter.requires_grad_(number not in frozen)
    return nets


def step_of_ranks(
    probe: Probe,
    word: str,
    function: str,
    arguments: list[Any],
    weights: list[list[Any]],
    frozen: list[int],
    batches: list[list[list[Any]]],
    lr: float,
) -> dict[str, Any]:
    """Let a rank for each list of weights train, with what the function of that name makes of its network.

    word: what the marks begin with; rank and step follow.  frozen: parameters that ask for no gradient.  batches: for
    each step and rank two arrays on its device.  Reports the parameters of all ranks, and the arrays of examples, by
    step and rank.
    """
    nets = _nets([[probe.array(one) for one in mine] for mine in weights], frozen)
    placed = [[[probe.array(one) for one in pair] for pair in step] for step in batches]

    def work(rank: int) -> None:
        net = nets[rank]
        finish = prepare(net, *arguments)
        for number, step in enumerate(placed):
            label = f"{word} {rank} {number}"
            X, y = step[rank]
            seen.mark("begin", label)
            loss = F.mse_loss(net(X), y)
            seen.mark("backward", label)
            loss.backward()
            seen.mark("returned", label)
            finish()
            seen.mark("finished", label)
            with torch.no_grad():
                for parameter in net.parameters():
                    if parameter.grad is not None:
                        parameter.add_(parameter.grad, alpha=-lr)
                        parameter.grad = None

    with probe.run() as seen:
        prepare = probe.find(function)
        seen.call(lambda: _ranks(work, len(nets)))
        params = probe.fix([one.detach() for net in nets for one in net.parameters()])
        inputs = probe.fix([pair[0] for step in placed for pair in step])
    return seen.report(params=None if seen.error else params, inputs=inputs)


def zero1(
    probe: Probe, word: str, weights: list[list[Any]], gradients: list[list[list[Any]]], lr: float
) -> dict[str, Any]:
    """Let a rank for each list of weights make steps with zero1, with these gradients.

    gradients: for each step and rank.  Reports the parameters of all ranks.  What zero1 has returned is kept until the
    next call, with all that belongs to it.
    """
    make: Callable[..., Any] = probe.find("zero1")
    _kept.clear()
    params = [[nn.Parameter(probe.array(one)) for one in mine] for mine in weights]
    placed = [[[probe.array(one) for one in mine] for mine in step] for step in gradients]

    def work(rank: int) -> None:
        step = make(list(params[rank]), lr)
        for now in placed:
            for parameter, gradient in zip(params[rank], now[rank]):
                parameter.grad = gradient
            step()
            with torch.no_grad():
                for parameter in params[rank]:
                    parameter + 0
                    parameter.grad = None
        _kept.append(step)

    with probe.run() as seen:
        seen.call(lambda: _ranks(work, len(params)))
        gc.collect()
        found = probe.fix([one.detach() for mine in params for one in mine])
    return seen.report(params=None if seen.error else found)
