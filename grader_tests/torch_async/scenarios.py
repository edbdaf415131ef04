"""Scenarios of the assignment `torch_async`: what the judge does in the student's kernel beyond a plain call.

Runs in the environment of the engine `torch`.  A scenario takes the probe and plain parameters and returns plain data;
it holds no expected value.  Gates are closed by the judge before it begins.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Callable

import torch
from torch import nn

import simgpu

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe

device = torch.device("simgpu")
gpu = torch.get_device_module(device)
_look, _tensor, _warn = simgpu.look, torch.tensor, warnings.warn  # a notebook may replace those of the modules
_time = time.perf_counter

# What `counted` makes work of.  Each of the first waits once and does not say so; none of the others waits, and one
# warns of something else.
HIDDEN: dict[str, Callable[[Any], Any]] = {
    "item": lambda x: x.sum().item(),
    "cpu": lambda x: x.cpu(),
    "bool": lambda x: bool((x > 0).any()),
    "nonzero": lambda x: x.nonzero(),
    "mask": lambda x: x[x > 0],
    "to": lambda x: torch.ones(2).to(x.device),
}
SILENT: dict[str, Callable[[Any], Any]] = {
    "add": lambda x: x + 1,
    "sum": lambda x: x.sum(),
    "where": lambda x: torch.where(x > 0, x, 0),
    "aside": lambda x: x.to("cpu", non_blocking=True),
    "warn": lambda x: _warn("this part of the work is out of date: do not wait for a new one", stacklevel=2),
}


class _Work:
    """The one function that all clocks get; it takes a different time in each run."""

    now: Callable[[], Any]

    def __call__(self) -> Any:
        return self.now()


_work = _Work()


def _older(z: Any, here: bool = True) -> list[Any]:
    """Enqueue work on z on another stream, and ``here``; it is pending as long as this is not dropped."""
    older = [z @ z for _ in range(3 * here)]
    with gpu.stream(gpu.Stream()):
        return older + [z @ z for _ in range(3)]


def timed(
    probe: Probe,
    function: str,
    x: Any,
    z: Any,
    readings: Any,
    sides: bool,
) -> dict[str, Any]:
    """Give the student's clock some work, and a clock to read, while older work is pending.

    x: a matrix that the work squares.  z: one for the older work.  readings: an array on the device, of what the clock
    gives: one number after the other, by a look at each.  sides: whether the current stream has nothing to do: then all
    work goes to other streams, and the work returns a tensor.  Else older work is pending on two streams.
    Reports what the function returned, and the log.
    """
    x, z, readings, side, read = probe.array(x), probe.array(z), probe.array(readings), gpu.Stream(), [0]
    with probe.run() as seen:

        def clock() -> float:
            read[0] += 1
            return float(_look(readings, read[0] - 1))

        def work() -> Any:
            if not sides:
                x @ x
                return None
            with gpu.stream(side):
                y = x @ x
                y + 1
            return y

        _work.now, older = work, _older(z, not sides)
        returned = probe.fix(seen.call(probe.find(function), _work, clock))
        del older
    return seen.report(returned=returned)


def by_default(probe: Probe, function: str, x: Any, z: Any, seconds: float) -> dict[str, Any]:
    """Give the student's clock some work, and no clock to read, while older work is pending on two streams.

    x: a matrix that the work squares, once the host has been busy for this many seconds.  z: one for the older work.
    Reports what the function returned, how long the call took, and the log.
    """
    x, z = probe.array(x), probe.array(z)

    def work() -> None:
        end = _time() + seconds
        while _time() < end:
            pass
        x @ x

    _work.now = work
    with probe.run() as seen:
        older = _older(z)
        start = _time()
        returned = seen.call(probe.find(function), _work)
        took = _time() - start
        returned = probe.fix(returned)
        del older
    return seen.report(returned=returned, took=took)


def read_behind(probe: Probe, function: str, xs: list[Any], arguments: list[Any]) -> dict[str, Any]:
    """Call a function with the transpose of each of these tensors, which are not computed yet; then read its results.

    arguments: what it gets after the tensor.  The current stream, on which the results are also read, is not the
    default one.  Reports what each call returned, a tensor or several, and the log.
    """
    xs = [probe.array(x) for x in xs]
    with probe.run() as seen, gpu.stream(gpu.Stream()):
        with seen.traced():
            given = [(x * 1).movedim(0, -1) for x in xs]
        returned = [seen.call(probe.find(function), x, *arguments) for x in given]
        parts = [each if isinstance(each, (tuple, list)) else [each] for each in returned]
        read = seen.call(lambda: [one + 0 for part in parts for one in part])
        fixed = probe.fix(returned)
        del read
    return seen.report(returned=fixed)


def beside_others(probe: Probe, function: str, x: Any, z: Any, arguments: list[Any]) -> dict[str, Any]:
    """Call a function of x while work on the matrix z is pending on a stream that it does not know.

    arguments: what it gets after x.  The current stream is not the default one, and has other work to do.  Reports what
    it returned, and the log.
    """
    x, z, other = probe.array(x), probe.array(z), gpu.Stream()
    with probe.run() as seen, gpu.stream(gpu.Stream()):
        with gpu.stream(other):
            pending = z @ z
        pending = pending, torch.ones(2, 2, device=device)
        returned = probe.fix(seen.call(probe.find(function), x, *arguments))
        del pending
    return seen.report(returned=returned)


def chosen(probe: Probe, function: str, lines: list[str]) -> dict[str, Any]:
    """Call a function that chooses some of these texts; a set that it returns is reported as a list."""
    with probe.run() as seen:
        returned = seen.call(probe.find(function), seen.give(lines))
        returned = list(returned) if type(returned) in (set, frozenset, dict) else returned
        returned = probe.fix(returned)
    return seen.report(returned=returned)


def counted(probe: Probe, function: str, x: Any, steps: Any) -> dict[str, Any]:
    """Let the student's function count the waits of some work.

    steps: an array on the device, of places in HIDDEN and SILENT, one after the other; the work looks at one, does
    that part, and looks at the next.  Reports what the function returned, the debug mode that it left behind, and the
    log.
    """
    x, steps = probe.array(x), probe.array(steps)
    parts, count = [*HIDDEN.values(), *SILENT.values()], steps.numel()

    def work() -> None:
        for place in range(count):
            parts[int(_look(steps, place))](x)

    with probe.run() as seen:
        returned = probe.fix(seen.call(probe.find(function), work))
        mode = int(gpu.get_sync_debug_mode())
    gpu.set_sync_debug_mode("default")
    return seen.report(returned=returned, mode=mode)


def network(probe: Probe, weights: list[Any]) -> Any:
    """Linear, ReLU, Linear with these weights and biases, which are on the device already; one layer for two."""
    layers: list[nn.Module] = []
    for weight, bias in zip(weights[::2], weights[1::2]):
        layer = nn.Linear(1, 1)
        layer.weight, layer.bias = nn.Parameter(probe.array(weight)), nn.Parameter(probe.array(bias))
        layers += [nn.ReLU()] * bool(layers) + [layer]
    return nn.Sequential(*layers)


def _age(net: Any) -> None:
    """Give the parameters of a network older gradients, which do not count."""
    for parameter in net.parameters():
        parameter.grad = torch.ones(parameter.shape, device=parameter.device)


def training_steps(
    probe: Probe,
    function: str,
    weights: list[Any],
    batches: list[Any],
    loss: str,
    optimizer: str,
    options: dict[str, float],
    earlier: int,
) -> dict[str, Any]:
    """Call the student's training step for each batch.

    weights: of `network`.  batches: [(X (size, features), y (size,))], float32.  loss, optimizer: names in torch.nn and
    torch.optim.  earlier: how many older losses the caller puts into the history after half of the steps.  The current
    stream is not the default one.  Reports the weights afterwards, what the steps have put into the history, how many
    tensors of the batches were changed, and the log.
    """
    net, given, history = network(probe, weights), _Given(), list[Any]()
    older = [torch.ones((), device=device)] * earlier
    _age(net)
    how, made = getattr(torch.optim, optimizer)(net.parameters(), **options), getattr(nn, loss)(reduction="none")
    tensors = [given.keep(torch.tensor(X), torch.tensor(y)) for X, y in batches]

    def epoch() -> None:
        for number, (X, y) in enumerate(tensors):
            history[:0] = older if number == len(tensors) // 2 else []
            probe.find(function)(net, made, how, X, y, history)

    stream = gpu.Stream()
    stream.wait_stream(gpu.current_stream())
    with probe.run() as seen, gpu.stream(stream):
        seen.call(epoch)
        trained = probe.fix([parameter.detach() for parameter in net.parameters()])
        answer = probe.fix(history[earlier:])
    return seen.report(weights=trained, history=answer, changed=given.changed)


def _margin(prediction: Any, y: Any) -> Any:
    """How far each prediction is off, beyond 1; y holds whole numbers in one column, and the result has no columns."""
    if y.is_floating_point() or prediction.shape != y.shape:
        raise TypeError("the labels of this loss are whole numbers, in one column like the predictions")
    return ((prediction - y).abs() - 1).clamp(min=0)[:, 0]


class _Given:
    """Tensors on the host that student code gets, with copies of them."""

    def __init__(self) -> None:
        self._pairs: list[tuple[Any, Any]] = []

    def keep(self, *tensors: Any) -> Any:
        """Remember these; they are given back."""
        self._pairs += [(tensor, tensor.clone()) for tensor in tensors]
        return tensors

    @property
    def changed(self) -> int:
        """How many of them hold other numbers now."""
        return sum(not torch.equal(*pair) for pair in self._pairs)


def training(
    probe: Probe,
    function: str,
    weights: list[Any],
    batches: Any,
    sizes: list[int],
    loss: str,
    optimizer: str,
    options: dict[str, float],
    pinned: bool,
    aged: bool,
    aside: bool,
    arguments: list[Any],
) -> dict[str, Any]:
    """Run the student's training function for one epoch.

    weights: of `network`.  batches: an array on the device, of what each batch holds: its X (size, features), and its y
    (size, 1).  A batch is drawn by a look at its row, so the log says where that was; if there is one row, it has all
    batches.  A batch is in ordinary host memory or is pinned.  loss, optimizer: names in torch.nn and torch.optim; or
    the loss "margin", which is a function and wants whole numbers for y.  aged: whether the parameters have older
    gradients.  aside: whether the current stream is not the default one.  arguments: what the function gets after the
    optimizer.  Reports the weights afterwards, what the function returned, how often data_iter was called, how many of
    its tensors were changed, and the log.
    """
    net, calls, given, batches = network(probe, weights), [0], _Given(), probe.array(batches)
    features = net[0].weight.shape[1]
    if aged:
        _age(net)
    how = getattr(torch.optim, optimizer)(net.parameters(), **options)
    whole = loss == "margin"
    made = _margin if whole else getattr(nn, loss)(reduction="none")
    stream = gpu.Stream() if aside else gpu.current_stream()
    stream.wait_stream(gpu.current_stream())
    with probe.run() as seen, gpu.stream(stream):
        for group in how.param_groups:  # the rate belongs to the caller
            seen.give(group)

        def data_iter() -> Iterator[Any]:
            calls[0] += 1
            return draw()

        def draw() -> Iterator[Any]:
            rows: list[Any] = []
            for number, size in enumerate(sizes):
                seen.mark("start", f"batch {number + 1}")  # for the picture
                if number < len(batches):
                    row = _tensor(_look(batches, number), dtype=torch.float32)
                    rows = [row] if len(batches) > 1 else list(row.view(len(sizes), -1))
                row = rows.pop(0)
                X, y = (
                    row[: size * features].view(size, -1).clone(),
                    row[size * features :][:size].view(size, 1).clone(),
                )
                y = y.long() if whole else y
                yield given.keep(*((X.pin_memory(), y.pin_memory()) if pinned else (X, y)))

        returned = seen.call(probe.find(function), net, data_iter, made, how, *arguments)
        returned, trained = probe.fix(returned), probe.fix([parameter.detach() for parameter in net.parameters()])
    return seen.report(returned=returned, weights=trained, data_iter_calls=calls[0], changed=given.changed)


def late(
    probe: Probe, function: str, table: Any, rows: list[Any], waits: Any, shape: int | None, one_function: bool
) -> dict[str, Any]:
    """Have the student's function look for the errors of a program.

    The lines of the program pick rows of a table.  rows: which, for each line, as arrays on the device; one may ask
    for a row that is not there.  Each line uses its rows up: called once more, it does nothing.  waits: an array on the
    device, which holds for each line whether it also waits; the line looks there as it runs.  shape: the number of a
    line that raises at once, for the shapes do not fit.  one_function: whether the program is one function as often as
    it has lines, which goes on by a line in each call.
    Reports what the function returned, and the log: no error that the device tells late is the student's here.
    """
    table, waits = probe.array(table), probe.array(waits)
    rows = [probe.array(wanted) for wanted in rows]

    def make_lines() -> list[Callable[[], Any]]:
        state, left, following = {"table": table}, dict(enumerate(rows)), count()

        def run(number: int) -> Any:
            if number not in left:
                return None
            wanted = left.pop(number)
            if number == shape:
                return state["table"] @ state["table"]
            picked = nn.functional.embedding(wanted, state["table"])
            state["table"] = torch.cat([picked, picked])
            return picked.sum().item() if _look(waits, number) else None

        def line(number: int) -> Callable[[], Any]:
            return lambda: run(number)

        if one_function:
            return [partial(lambda: run(next(following)))] * len(rows)
        return [line(number) for number in range(len(rows))]

    with probe.run() as seen:
        returned = probe.fix(seen.call(probe.find(function), make_lines))
    return seen.report() if seen.error else {"returned": returned, "events": []}
