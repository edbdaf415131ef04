"""Scenarios of the assignment `torch_memory`: what the judge does in the student's kernel around a call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  What a call takes of the device's memory, the judge asks the device.
"""

from __future__ import annotations

import copy
import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe

_compile = torch.compile  # a notebook, or a program that is opened, may replace that of the module


class _Dropout(nn.Module):
    """What nn.Dropout does, under another name: a search for that class does not find it."""

    def forward(self, x: Any) -> Any:
        return F.dropout(x, 0.5, self.training)


def _blocks(probe: Probe, weights: list[Any], depth: int | None = None) -> list[Any]:
    """One block for each weight: a linear layer without bias, and tanh.

    depth: the number of blocks, if it is another one: they share the weights in turn.
    """
    found, parameters = [], [nn.Parameter(probe.array(weight)) for weight in weights]
    for number in range(depth or len(weights)):
        layer = nn.Linear(1, 1, bias=False)
        layer.weight = parameters[number % len(parameters)]
        found.append(nn.Sequential(layer, nn.Tanh()))
    return found


def checkpointed(
    probe: Probe, weights: list[Any], x: Any, head: Any, budget: int, dropout: int | None = None
) -> dict[str, Any]:
    """Call checkpointed with blocks of these weights, and then backward with the gradient ``head`` of the output.

    dropout: the number of a block that drops half of its output.  Then the last block has a dropout in evaluation mode,
    each weight has a gradient of ones from before, and there is another call before the backward pass.  Reports the
    output, the gradient of each weight, and whether x asks for a gradient afterwards.
    """
    blocks, x, head = _blocks(probe, weights), probe.array(x), probe.array(head)
    if dropout is not None:
        blocks[dropout].append(_Dropout())
        blocks[-1].append(_Dropout().eval())
        for block in blocks:
            weight = block[0].weight
            weight.grad = torch.ones(weight.shape, device=weight.device)
    outputs: list[Any] = []

    def call() -> None:
        output = probe.find("checkpointed")(seen.give(list(blocks)), x, budget)
        if dropout is not None:
            probe.find("checkpointed")(blocks[::-1], x.clone(), budget)
        output.backward(head)
        outputs.append(output.detach())

    with probe.run() as seen:
        seen.call(call)
        output = probe.fix(outputs[0] if outputs else None)
        gradients = probe.fix([block[0].weight.grad for block in blocks])
    return seen.report(output=output, gradients=gradients, x_asks=x.requires_grad)


def accumulated(
    probe: Probe,
    weights: list[Any],
    batches: list[list[Any]],
    parts: int,
    rate: float,
    momentum: float,
    decay: float,
    frozen: list[int],
    depth: int,
) -> dict[str, Any]:
    """Call accumulate once for each batch, with Huber's loss, momentum and weight decay.

    batches: [X, y] of one size.  frozen: numbers of weights that ask for no gradient.  depth: the number of blocks.
    Reports the weights afterwards, and how many tensors of the batches ask for a gradient then.
    """
    net = nn.Sequential(*_blocks(probe, weights, depth))
    for number, parameter in enumerate(net.parameters()):
        parameter.requires_grad_(number not in frozen)
        if number not in frozen:  # an older one, which does not count: a step that overflowed
            parameter.grad = torch.full(parameter.shape, float("nan"), dtype=parameter.dtype, device=parameter.device)
    optimizer = torch.optim.SGD(net.parameters(), lr=rate, momentum=momentum, weight_decay=decay)
    loss = nn.HuberLoss()
    made = [[probe.array(values) for values in batch] for batch in batches]

    def call() -> None:
        for X, y in made:
            probe.find("accumulate")(net, loss, optimizer, X, y, parts)

    with probe.run() as seen:
        seen.call(call)
        found = probe.fix([parameter.detach() for parameter in net.parameters()])
    return seen.report(trained=found, asking=sum(one.requires_grad for batch in made for one in batch))


# --- what needs no device -----------------------------------------------------------------------------------------


def asked(probe: Probe, function: str, arguments: list[Any], others: list[Any]) -> dict[str, Any]:
    """Call the student's function that returns lists, with other arguments in between.

    Reports what the first call returned, as it was after the second one; and what the same call returned again, after
    the first answer was emptied.
    """
    with probe.run() as seen:
        call = probe.find(function)
        first = seen.call(lambda: call(*copy.deepcopy(arguments)))
        seen.call(lambda: call(*copy.deepcopy(others)))
        saved = probe.fix(first)
        _empty(first)
        again = probe.fix(seen.call(lambda: call(*copy.deepcopy(arguments))))
    return seen.report(answers=None if seen.error else [saved, again])


def _empty(value: Any) -> None:
    """Empty a list, and the lists in it."""
    if isinstance(value, (list, tuple)):
        for inner in list(value):
            _empty(inner)
    if isinstance(value, list):
        list.clear(value)


# --- graphs: all of this is on the host ---------------------------------------------------------------------------


class _Layers(nn.Sequential):
    """Layers, whose argument has a name that no other module gives it."""

    def forward(self, signal: Any) -> Any:
        """What the last layer gives."""
        return super().forward(signal)


_Layers.__module__ = "__main__"  # pickling such a network imports none of our modules


class _Calls(nn.Module):
    """A module of a function, for torch.export."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any, k: int) -> Any:
        """The function's value."""
        return self.function(x, k)


def _counted(function: Callable[..., Any], calls: list[list[Any]]) -> tuple[list[Any], int]:
    """Compile a function for sizes that may change, and call it; its values, and how many graphs were made."""
    found: list[int] = []

    def backend(graph: Any, inputs: Any) -> Any:
        found.append(len(inputs))
        return graph.forward

    torch.compiler.reset()
    compiled = _compile(function, backend=backend, dynamic=True)
    values = [compiled(torch.from_numpy(np.array(x)), k) for x, k in calls]
    torch.compiler.reset()
    return values, len(found)


def graphs(probe: Probe, calls: list[list[Any]]) -> dict[str, Any]:
    """Compile steady, and call it with each [x, k]; reports how many graphs were made."""
    with probe.run() as seen:
        _, count = seen.call(lambda: _counted(probe.find("steady"), calls)) or (None, 0)
    return seen.report(graphs=count)


def compiled(probe: Probe, program: Any, calls: list[list[Any]]) -> dict[str, Any]:
    """Load a program from a file's bytes, compile it, and call it with each [x, k].

    Runs where no student code has run.  Reports the values, and how many graphs were made.
    """
    with probe.run() as seen:
        values, count = seen.call(lambda: _counted(_loaded(program), calls)) or ([], 0)
        answer = probe.fix([one.detach() for one in values])
    return seen.report(graphs=count, values=answer)


def plain(probe: Probe, calls: list[list[Any]]) -> dict[str, Any]:
    """Call steady with each [x, k]; reports the values, and how many x were changed."""
    given = [(torch.from_numpy(np.array(x)), k) for x, k in calls]
    with probe.run() as seen:
        values = seen.call(lambda: [probe.find("steady")(x, k) for x, k in given])
        answer = probe.fix(values)
        changed = sum(not np.array_equal(x.numpy(), was, equal_nan=True) for (x, _), (was, _) in zip(given, calls))
    return seen.report(values=answer, changed=changed)


def exported(probe: Probe, rows: int, k: int) -> dict[str, Any]:
    """Export steady as one graph, for every number of rows and every k, and report the file's bytes."""

    def export(path: str) -> None:
        sizes = ({0: torch.export.Dim.DYNAMIC}, torch.export.Dim.DYNAMIC)
        calls = _Calls(probe.find("steady"))
        torch.export.save(torch.export.export(calls, (torch.ones(rows), k), dynamic_shapes=sizes, strict=True), path)

    return _file_of(probe, export)


def saved(probe: Probe, weights: list[Any], x: Any, argument: str) -> dict[str, Any]:
    """Call save_program with a network of layers with these weights, tanh between them, and an example.

    argument: how its forward calls it, "input" or "signal"; then the file has a name of its own.  Reports the file's
    bytes.
    """
    layers: list[Any] = []
    for weight in weights:
        layer = nn.Linear(*reversed(weight.shape), bias=False)
        layer.weight = nn.Parameter(torch.from_numpy(np.array(weight)))
        layers += [layer, nn.Tanh()]
    net, example = (_Layers if argument == "signal" else nn.Sequential)(*layers), torch.from_numpy(np.array(x))
    name = f"{argument}.saved" if argument == "signal" else "program.pt2"
    return _file_of(probe, lambda path: probe.find("save_program")(net, example, path), name)


def _file_of(probe: Probe, write: Callable[[str], Any], name: str = "program.pt2") -> dict[str, Any]:
    """What a function has written to a path, as bytes; None if there is nothing."""
    with tempfile.TemporaryDirectory() as folder, probe.run() as seen:
        path = os.path.join(folder, name)
        seen.call(write, path)
        data = None
        if os.path.isfile(path):
            with open(path, "rb") as file:
                data = np.frombuffer(file.read(), np.uint8)
        return seen.report(program=data)


def _loaded(program: Any) -> Any:
    """The module of a program, from its file's bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.pt2")
        with open(path, "wb") as file:
            file.write(np.array(program).tobytes())
        return torch.export.load(path).module()


def opened(probe: Probe, program: Any, calls: list[list[Any]]) -> dict[str, Any]:
    """Load a program from a file's bytes and call it with each list of arguments.

    Runs where no student code has run.  Reports the values.
    """

    def call() -> Any:
        loaded = _loaded(program)
        given = [[torch.from_numpy(np.array(x)), *more] for x, *more in calls]
        return [loaded(*arguments).detach() for arguments in given]

    with probe.run() as seen:
        answer = probe.fix(seen.call(call))
    return seen.report(values=answer)
