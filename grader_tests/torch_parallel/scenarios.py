"""Scenarios of the assignment `torch_parallel`: what the judge does in the student's kernel around a call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  All that it says of order is in the device's log, by work of its own on the judge's arrays.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING, Any, Callable

import torch
import torch.nn.functional as F
from torch import nn

from simgpu import distributed

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe

_ranks = distributed.ranks  # a notebook may replace that of the module
_saved: list[Any] = []
WORDS = 8


def _held(values: Any) -> list[Any]:
    """What a list or tuple holds, whatever methods it has of its own; of another iterable, what it gives."""
    kinds = [kind for kind in (list, tuple) if isinstance(values, kind)]
    return list(kinds[0].__iter__(values)) if kinds else list(values)


def broadcast_parameters(probe: Probe, params: list[Any], gradients: list[Any], devices: list[int]) -> dict[str, Any]:
    """Call broadcast_parameters with leaves that have gradients, and go backward on each replica.

    params: arrays (2, ...), of which each leaf is the second half: it does not begin where its memory does.

    It was called with the same leaves before, which had the opposite sign then.  devices: numbers, from 1.  Reports the
    number of tensors for each device, how many replicas can be read only once, all tensors in one list as they were
    returned and again with their gradients, the originals, their gradients at the return and at the end, how many of
    them still ask for one, and how many tensors of the replicas had one from the beginning.
    """
    params = [probe.array(one)[1].requires_grad_() for one in params]
    for one, gradient in zip(params, gradients):
        one.grad = probe.array(gradient)
    places, later = [torch.device("simgpu", number - 1) for number in devices], [-one.detach() for one in params]

    def call() -> Any:
        function(list(params), list(places))
        with torch.no_grad():
            for one, values in zip(params, later):
                one.copy_(values)
        return function(given, seen.give(places))

    with probe.run() as seen:
        function, given = probe.find("broadcast_parameters"), seen.give(list(params))
        returned = seen.call(call)
        replicas = [_held(replica) for replica in _held(returned)] if isinstance(returned, (list, tuple)) else []
        unlike = sum(not isinstance(replica, Sized) for replica in _held(returned)) if replicas else 0
        flat = [one for replica in replicas for one in replica]
        early = sum(getattr(one, "grad", None) is not None for one in flat)
        kept = [None if one.grad is None else one.grad.clone() for one in params]
        begun = probe.fix([one.detach() for one in flat if isinstance(one, torch.Tensor)])
        asks = [one for one in flat if isinstance(one, torch.Tensor) and one.requires_grad]
        for one in asks:
            (one * one).sum().backward()
        found = probe.fix(flat)
        originals = probe.fix([one.detach() for one in params])
        kept_then, after = probe.fix(kept), probe.fix([one.grad for one in params])
    return seen.report(
        lengths=[len(replica) for replica in replicas],
        unlike=unlike,
        replicas=None if seen.error else found,
        begun=None if seen.error else begun,
        originals=originals,
        kept=kept_then,
        after=after,
        asking=sum(one.requires_grad for one in params),
        early=early,
    )


def split_batches(probe: Probe, batches: list[list[Any]], devices: list[int]) -> dict[str, Any]:
    """Call split_batch once for each batch, a pair of arrays on the host; reports what it returned for each.

    All batches have one size, and are given in the same two tensors, one after the other.
    """
    places = [torch.device("simgpu", number - 1) for number in devices]
    given = [torch.tensor(one) for one in batches[0]]

    def next_batch(function: Callable[..., Any], batch: list[Any]) -> Any:
        for tensor, values in zip(given, batch):
            tensor.copy_(torch.tensor(values))
        return function(*given, list(places))

    with probe.run() as seen:
        function = probe.find("split_batch")
        returned = seen.call(lambda: [next_batch(function, batch) for batch in batches])
        found = probe.fix(returned)
    return seen.report(returned=None if seen.error else found)


def train_batch(probe: Probe, weights: list[list[Any]], batches: list[list[Any]], lr: float) -> dict[str, Any]:
    """Call train_batch once for each batch, with these weights on their devices, and the same lists of them.

    weights: of each replica.  batches: pairs of the host's arrays, in pageable memory.  Reports the parameters of
    all replicas, one after the other, the first one of each as it was, and how many tensors of the batches changed or
    ask for a gradient.
    """

    def net(X: Any, params: Any) -> Any:
        h = X
        for place in range(0, len(params), 2):
            h = torch.tanh(h) if place else h
            h = h @ params[place].t() + params[place + 1]
        return h

    def work() -> None:
        for X, y in tensors:
            function(X, y, replicas, net, lr)

    tensors = [[torch.tensor(one) for one in batch] for batch in batches]
    replicas = [[probe.array(one).requires_grad_() for one in replica] for replica in weights]
    given = [one for replica in replicas for one in replica]  # the tensors, even if the lists change
    first = [replica[0].detach() for replica in replicas]
    with probe.run() as seen:
        function = probe.find("train_batch")
        for one in (replicas, *replicas):
            seen.give(one)
        seen.call(work)
        found = probe.fix(given)
        before = probe.fix(first)
        pairs = [pair for two in zip(tensors, batches) for pair in zip(*two)]
        changed = sum(now.requires_grad or not torch.equal(now, torch.tensor(was)) for now, was in pairs)
    return seen.report(params=None if seen.error else found, first=before, changed=changed)


class _Layer(nn.Module):
    """What nn.Linear does, under another name: a search for the layers of one class does not find it."""

    weight: nn.Parameter
    bias: nn.Parameter

    def forward(self, X: Any) -> Any:
        return F.linear(X, self.weight, self.bias)


class _Network(nn.Module):
    """Fully connected layers with tanh between them; the parameters of the first one belong to no module inside."""

    def __init__(self, parameters: list[nn.Parameter], tied: bool = False) -> None:
        """tied: whether the last layer is there twice, in two modules that share its parameters."""
        super().__init__()
        self.weight, self.bias = parameters[:2]
        layers: list[nn.Module] = []
        for place in [*range(2, len(parameters), 2), *[len(parameters) - 2] * tied]:
            layer = _Layer() if place == 2 else nn.Linear(1, 1)
            layer.weight, layer.bias = parameters[place : place + 2]
            layers += [nn.Tanh(), layer]
        self.rest = nn.Sequential(*layers)

    def forward(self, X: Any) -> Any:
        return self.rest(F.linear(X, self.weight, self.bias))


def _nets(weights: list[list[Any]], frozen: list[int], tied: bool) -> list[_Network]:
    """A network for each rank; tied: see `_Network`."""
    nets = []
    for mine in weights:
        parameters = [nn.Parameter(one) for one in mine]
        for number, parameter in enumerate(parameters):
            parameter.requires_grad_(number not in frozen)
        nets.append(_Network(parameters, tied))
    return nets


def step_of_ranks(
    probe: Probe,
    function: str,
    arguments: list[Any],
    weights: list[list[Any]],
    frozen: list[int],
    batches: list[list[list[Any]]],
    lr: float,
    tied: bool,
) -> dict[str, Any]:
    """Let a rank for each list of weights train, with what the function of that name makes of its network.

    frozen: parameters that ask for no gradient.  tied: whether two layers share their parameters.  batches: for each
    step and rank two arrays on its device.  Reports the parameters of all ranks, the arrays of examples, by step and
    rank, and how often a frozen parameter had a gradient.
    """
    thawed: list[int] = []
    nets = _nets([[probe.array(one) for one in mine] for mine in weights], frozen, tied)
    placed = [[[probe.array(one) for one in pair] for pair in step] for step in batches]

    def work(rank: int) -> None:
        net = nets[rank]
        finish = prepare(net, *arguments)
        for step in placed:
            X, y = step[rank]
            F.mse_loss(net(X), y).backward()
            finish()
            thawed.extend(n for n, one in enumerate(net.parameters()) if n in frozen and one.grad is not None)
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
    return seen.report(params=None if seen.error else params, inputs=inputs, thawed=len(thawed))


def zero1(probe: Probe, weights: list[list[Any]], gradients: list[list[list[Any]]], lr: float) -> dict[str, Any]:
    """Let a rank for each list of weights make steps with zero1, with these gradients.

    gradients: for each step and rank.  Reports the parameters of all ranks.  What zero1 has returned is kept until the
    next call, with all that belongs to it.
    """
    make: Callable[..., Any] = probe.find("zero1")
    _saved.clear()
    params = [[nn.Parameter(probe.array(one)) for one in mine] for mine in weights]
    placed = [[[probe.array(one) for one in mine] for mine in step] for step in gradients]

    def work(rank: int) -> None:
        step = make(given[rank], lr)
        for now in placed:
            for parameter, gradient in zip(params[rank], now[rank]):
                parameter.grad = gradient.clone()  # memory of this call: code that keeps it keeps it
            step()
            with torch.no_grad():
                for parameter in params[rank]:
                    parameter + 0
                    parameter.grad = None
        _saved.append(step)

    with probe.run() as seen:
        given = [seen.give(list(mine)) for mine in params]
        seen.call(lambda: _ranks(work, len(params)))
        gc.collect()
        found = probe.fix([one.detach() for mine in params for one in mine])
    return seen.report(params=None if seen.error else found)


# --- train --------------------------------------------------------------------------------------------------------


class _Residual(nn.Module):
    """A block of ResNet; it keeps the size, or halves it and changes the number of channels."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        stride = 1 + (inputs != outputs)
        self.first, self.norm = nn.Conv2d(inputs, outputs, 3, stride, padding=1), nn.BatchNorm2d(outputs)
        self.second, self.last_norm = nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, X: Any) -> Any:
        Y = F.relu(self.norm(self.first(X)))
        return F.relu(self.last_norm(self.second(Y)) + self.shortcut(X))


def _linear() -> nn.Sequential:
    return nn.Sequential(nn.Flatten(), nn.Linear(4, 10))


def _frozen() -> nn.Sequential:
    """The same, and after it a layer whose parameters ask for no gradient."""
    return nn.Sequential(*_linear(), nn.Linear(10, 10).requires_grad_(False))


def _lenet() -> nn.Sequential:
    first = [nn.Conv2d(1, 20, 3), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.AvgPool2d(2)]
    return nn.Sequential(*first, nn.Flatten(), nn.Linear(800, 128), nn.ReLU(), nn.Linear(128, 10))


def _resnet() -> nn.Sequential:
    """ResNet-18 with a sixteenth of its channels and half of its blocks."""
    blocks = [_Residual(*channels) for channels in ((4, 4), (4, 8), (8, 16), (16, 32))]
    first = [nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU()]
    return nn.Sequential(*first, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))


def _words() -> nn.Sequential:
    """A network whose examples are whole numbers."""
    return nn.Sequential(nn.Embedding(WORDS, 3), nn.Flatten(), nn.Linear(12, 10))


# Of each network the one that makes it, and the pixels of a side of its pictures.
_NETWORKS: dict[str, tuple[Callable[[], nn.Sequential], int]] = {
    "linear": (_linear, 2),
    "frozen": (_frozen, 2),
    "lenet": (_lenet, 28),
    "resnet": (_resnet, 16),
    "words": (_words, 2),
}


def _network(name: str, seed: int) -> nn.Sequential:
    """A network with the weights that belong to a seed, on the host."""
    generator, net = torch.Generator().manual_seed(seed), _NETWORKS[name][0]()
    with torch.no_grad():
        for layer in net.modules():
            for kind, parameter in layer.named_parameters(recurse=False):
                scale = (2 / parameter[0].numel()) ** 0.5 if parameter.dim() > 1 else 0.1
                middle = float(isinstance(layer, nn.BatchNorm2d) and kind == "weight")
                parameter.copy_(middle + scale * torch.randn(parameter.shape, generator=generator))
    return net


def _pictures(name: str, seed: int, sizes: list[int], epochs: int) -> list[list[tuple[Any, Any]]]:
    """For each epoch batches of these sizes that belong to a seed, and labels (size,).

    They are pictures (size, 1, side, side), or rows of numbers if the network flattens them first.  The first number of
    a row is 0: the weights that read it get no gradient.  For "words" they are rows of whole numbers.
    """
    generator, side = torch.Generator().manual_seed(seed + 1), _NETWORKS[name][1]
    shape = (1, side, side) if name in ("lenet", "resnet") else (side * side,)

    def batch(size: int) -> tuple[Any, Any]:
        if name == "words":
            X = torch.randint(WORDS, (size, *shape), generator=generator)
        else:
            X = torch.randn(size, *shape, generator=generator)
        if X.dim() == 2 and name != "words":
            X[:, 0] = 0
        return X, torch.randint(10, (size,), generator=generator)

    return [[batch(size) for size in sizes] for _ in range(epochs)]


class _Batches:
    """The batches of a rank in each epoch: batches on the host, in pageable memory, different ones in each epoch.

    passes: how often it was gone through.  each: how often it gives the same ones.
    """

    def __init__(self, epochs: list[list[tuple[Any, Any]]], each: int) -> None:
        self._epochs, self._each = epochs, each
        self.passes = 0

    def __len__(self) -> int:
        return len(self._epochs[0])

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        batches = self._epochs[self.passes // self._each % len(self._epochs)]
        self.passes += 1
        return ((X.clone(), y.clone()) for X, y in batches)


def train(
    probe: Probe,
    network: str,
    seed: int,
    sizes: list[int],
    lr: float,
    epochs: int,
    size: int,
    alike: bool,
    given: list[str],
    each: int,
) -> dict[str, Any]:
    """Let this many ranks train a network with the student's function.

    network: a name of _NETWORKS.  seed: of weights and pictures.  sizes: of the batches.  alike: whether all ranks get
    the same weights; else those of rank 0 are the ones of the seed.  given: of ddp and bucketed those that are ours,
    which average after the backward pass.  each: how often the batches of an epoch are given.  Reports what each rank
    returned, the parameters of the networks among it, by rank, how many of these were frozen and now ask for a
    gradient, how often each rank went through its batches, and which of our functions were called.
    """
    theirs: Callable[..., Any] = probe.find("train")
    own: dict[str, Any] = {name: probe.namespace[name] for name in given if name in probe.namespace}
    called = set[str]()
    probe.namespace.update({name: _averaging(name, called) for name in own})
    nets = [_network(network, seed if alike else seed + 2 * rank) for rank in range(size)]
    asked = [one.requires_grad for one in nets[0].parameters()]
    pictures = _pictures(network, seed, sizes, epochs)
    returned: list[Any] = [None] * size
    batches = [_Batches(pictures, each) for _ in range(size)]

    def work(rank: int) -> None:
        returned[rank] = theirs(rank, size, nets[rank], batches[rank], lr, epochs)

    with probe.run() as seen:
        seen.call(lambda: _ranks(work, size))
        probe.namespace.update(own)
        pairs = [one if isinstance(one, (tuple, list)) and len(one) == 2 else (None, None) for one in returned]
        trained = [list(net.parameters()) if isinstance(net, nn.Module) else [] for net, _ in pairs]
        params = probe.fix([[one.detach() for one in mine] for mine in trained])
        found = probe.fix(returned)
        thawed = sum(one.requires_grad > before for mine in trained for before, one in zip(asked, mine))
    passes = [one.passes for one in batches]
    return seen.report(params=params, returned=found, thawed=thawed, data_passes=passes, called=sorted(called))


def _averaging(name: str, called: set[str]) -> Callable[..., Callable[[], None]]:
    """A replacement for ddp or bucketed in a training: right, without overlap; a call is noted by name."""
    dist = torch.distributed

    def prepare(net: nn.Module, most: int = 0) -> Callable[[], None]:
        called.add(name)

        def finish() -> None:
            for p in net.parameters():
                if p.requires_grad:
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()

        return finish

    return prepare


def alone(probe: Probe, network: str, seed: int, sizes: list[int], lr: float, epochs: int, size: int) -> dict[str, Any]:
    """Train the same network without student code, on the host.

    Each batch is divided into this many parts, which are normalized by themselves.  Reports the parameters at the
    start, those at the end for each way to divide (every size-th picture, or neighbors), and for each way the mean loss
    of each epoch.
    """
    ways: list[Callable[[Any], Any]] = [
        lambda whole: [whole[part::size] for part in range(size)],
        lambda whole: whole.tensor_split(size),
    ]
    pictures, found, losses = _pictures(network, seed, sizes, epochs), [], []
    for divide in ways if size > 1 else ways[:1]:  # a single rank gets the whole batch either way
        net, means = _network(network, seed), []
        for batches in pictures:
            step_losses = []
            for X, y in batches:
                net.zero_grad()
                parts = [F.cross_entropy(net(a), b) for a, b in zip(divide(X), divide(y))]
                loss = torch.stack(parts).mean()
                loss.backward()
                with torch.no_grad():
                    for parameter in net.parameters():
                        if parameter.grad is not None:
                            parameter.sub_(parameter.grad, alpha=lr)
                step_losses.append(loss.item())
            means.append(sum(step_losses) / len(step_losses))
        found.append([parameter.detach() for parameter in net.parameters()])
        losses.append(means)
    start = [parameter.detach() for parameter in _network(network, seed).parameters()]
    return {"error": None, "start": probe.fix(start), "right": probe.fix(found), "losses": losses}
