"""Scenarios of the assignments `async` and `async_np`: what the judge does in the student's kernel beyond a plain call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  Arrays are of the interface that the judge asks for: where it is np, the notebook has called
npx.set_np(), and Gluon also makes np arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, mmap
from time import perf_counter, sleep  # by name: a notebook may replace those of the module
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from mxnet import gluon, optimizer
from mxnet.autograd import is_recording, is_training, pause
from mxnet.gluon import nn

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe
    from syncpoint.probe.trace import Gate, Trace
else:
    from probe.trace import Trace


class _Flight:
    """Which batches were drawn and started, and what was trained; closes the gates that keep them unfinished.

    A forward pass of a batch, in one piece or in several, is an *attempt*.  Each has a factor of its own, by which the
    gradients that follow from it differ from the usual ones, so the judge can tell which attempt was trained.
    """

    def __init__(self, probe: Probe, trace: Trace, batches: list[Any], factors: list[float], held: int) -> None:
        self._probe, self._trace, self._batches, self._factors, self._held = probe, trace, batches, factors, held
        # Made beforehand: who draws a batch never waits for the engine.
        self.made = [(probe.array(X), probe.array(y)) for X, y in batches]
        self._saved = [(probe.engine.keep(X), probe.engine.keep(y)) for X, y in self.made]
        self.calls = self._rows = 0
        self._drawn: list[Any] = []
        self._labels: list[list[Any]] = []
        self._latest = 0
        self._ends = np.cumsum([len(X) for X, _ in batches])  # the rows of the epoch until the end of each batch
        self._attempts = 0
        self.parameters: list[Any] = []
        self.updates: list[Any] = []  # [the weights before, the gradients], as they are then

    def data_iter(self) -> Any:
        """The function that the student gets as data_iter."""
        self.calls += 1
        self._drawn, self._labels, self._rows = [], [], 0
        self._trace.log("epoch", "")
        return self._draw()

    def _draw(self) -> Iterator[Any]:
        for (X, y), (saved, label) in zip(self.made, self._saved):
            self._drawn.append(saved)
            self._labels.append([label, None])
            self._trace.log("draw", "")
            yield X, y

    def start(self, X: Any) -> Any:
        """Begin the recorded forward pass of a batch: its inputs stay unfinished until a wait needs them.

        A copy, or a part, of a batch is recognized by the rows before it.
        """
        known = [n for n, drawn in enumerate(self._drawn) if self._probe.engine.is_still(X, drawn)]
        number = known[0] if known else int(np.searchsorted(self._ends, self._rows, side="right"))
        begins = bool(known) or self._rows in (0, *self._ends)
        self._attempts += begins
        self._rows = int(self._ends[number]) if known else self._rows + len(X)
        self._latest = number
        X = self._quietly(lambda: X * 1)
        self._close_gate(X, number, "start" if begins else "part")
        return X

    def label(self, y: Any) -> Any:
        """The label that the loss of a batch is computed with: it also stays unfinished, so that the loss does.

        Who waits for the output of the network has not waited for the loss.
        """
        known = [n for n, (drawn, _) in enumerate(self._labels) if self._probe.engine.is_still(y, drawn)]
        number = known[0] if known else self._latest
        passed_on = self._labels[number][1] if known else None
        if passed_on is None:
            passed_on = self._quietly(lambda: y * 1)
            self._close_gate(passed_on, number, "loss")
            if known:
                self._labels[number][1] = passed_on
        return passed_on

    def weigh(self, output: Any) -> Any:
        """Return the same values, with the gradients of this attempt in the backward pass."""
        factor = self._factors[(self._attempts - 1) % len(self._factors)]

        def weighed() -> Any:
            with pause():
                rest = output * (1 - factor)
            return output * factor + rest

        return self._quietly(weighed)

    def _quietly(self, compute: Callable[[], Any]) -> Any:
        """Keep the block's operations out of the log: they are not the student's."""
        with self._trace.paused():
            return compute()

    def _close_gate(self, array: Any, number: int, event: str) -> None:
        if number < self._held:
            self._probe.engine.close_gate(self._trace, array, f"batch {number}")
        self._trace.log(event, f"batch {number}")

    def keep(self) -> None:
        """An update is about to be enqueued."""
        if len(self.updates) < self._held:
            kept = self.parameters
            now = [[parameter.data() for parameter in kept], [parameter.grad() for parameter in kept]]
            self.updates.append(self._quietly(lambda: self._probe.fix(now)))
        self._trace.log("update", "")

    def update(self, number: int, weights: list[np.ndarray]) -> None:
        """Keep an enqueued update unfinished.  Nothing later would need the last one."""
        is_last = number == len(self._batches)
        for weight in weights if is_last or number <= self._held else ():
            label = "last update" if is_last else f"update {number}"
            self._probe.engine.close_gate(self._trace, weight, label)


class _Network(nn.Block):
    """Dense(relu) and Dense(1); a recorded pass is part of a flight from its first operation on."""

    def __init__(self, trace: Trace, flight: _Flight, features: int, hidden: int) -> None:
        super().__init__()
        self._trace, self._flight = trace, flight
        self.hidden = nn.Dense(hidden, in_units=features, activation="relu")
        self.scores = nn.Dense(1, in_units=hidden)

    def forward(self, x: Any) -> Any:
        if not (self._trace.active and is_recording()):  # a look at the loss trains nothing
            return self.scores(self.hidden(x))
        scores = self.scores(self.hidden(self._flight.start(x)))
        # As dropout and batch norm do, it computes something else where nothing is trained.
        return self._flight.weigh(scores if is_training() else scores / 2)


def _traced_loss(kind: type[gluon.loss.Loss], trace: Trace, flight: _Flight) -> gluon.loss.Loss:
    """A loss of this kind, which stays unfinished until somebody waits for it."""

    class TracedLoss(kind):
        def forward(self, prediction: Any, label: Any, *sample_weight: Any) -> Any:
            if trace.active and is_recording():
                label = flight.label(label)
            return super().forward(prediction, label, *sample_weight)

    return TracedLoss()


class _TracedSGD(optimizer.SGD):
    """SGD that reports its updates."""

    def __init__(self, flight: _Flight, lr: float, momentum: float, wd: float) -> None:
        super().__init__(learning_rate=lr, momentum=momentum, wd=wd)
        self._flight = flight
        self.aggregate_num = 4  # all weights in one call

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        self._flight.keep()
        super().update_multi_precision(index, weight, grad, state)
        self._flight.update(self.num_update, weight)


def training(
    probe: Probe,
    function: str,
    weights: list[np.ndarray],
    batches: list[Any],
    loss: str,
    options: dict[str, float],
    factors: list[float],
    arguments: list[Any],
    held: int,
) -> dict[str, Any]:
    """Run the student's training function for one epoch on a small network, with gates on every batch.

    weights: [W1 (hidden, features), b1 (hidden,), W2 (1, hidden), b2 (1,)] of Dense(relu) and Dense(1).
    batches: [(X (size, features), y (size,))], float32.  loss: the name of one of Gluon's.
    options: lr, momentum and wd of SGD.  factors: what the gradients of each attempt are multiplied by; after the
    last one they begin again.  arguments: what the function gets after the trainer.  held: how many batches have
    gates; the work on all others needs theirs.
    Reports the weights and the batches afterwards; for each update [the weights before it, the gradients], in the
    order of weights; what the function returned, how often data_iter was called, the gates that were closed when it
    returned, and the log, which also holds "epoch" (data_iter was called), "draw" (a batch was drawn), "start" (an
    attempt began: a recorded forward pass), "part" (its next part), "loss" (its recorded loss is to be computed) and
    "update".  Of "start", "part" and "loss" the name is the label of the gate that was closed there, "batch <place in
    the epoch>"; the gates of updates are "update <number>", from 1, and "last update".
    """
    trace = Trace()
    flight = _Flight(probe, trace, batches, factors, held)
    net = _Network(trace, flight, features=weights[0].shape[1], hidden=len(weights[1]))
    net.initialize()
    parameters = [net.hidden.weight, net.hidden.bias, net.scores.weight, net.scores.bias]
    flight.parameters = parameters
    for place, parameter in enumerate(parameters):
        parameter.set_data(probe.array(weights[place]))
    trainer = gluon.Trainer(net.collect_params(), _TracedSGD(flight, **options))
    traced_loss = _traced_loss(getattr(gluon.loss, loss), trace, flight)
    with probe.run(trace) as seen:
        returned = seen.call(probe.find(function), net, flight.data_iter, traced_loss, trainer, *arguments)
        unfinished = list(trace.pending)
        returned, trained = probe.fix(returned), probe.fix([parameter.data() for parameter in parameters])
        data = probe.fix(flight.made)
    return seen.report(
        unfinished=unfinished,
        data_iter_calls=flight.calls,
        returned=None if seen.error else returned,
        weights=trained,
        batches=data,
        updates=[] if seen.error else flight.updates,
    )


def held_steps(probe: Probe, function: str, x: Any, steps: int) -> dict[str, Any]:
    """Call one of the student's loops; every result is held back until it is waited for.

    Reports the log, all results as they are in the end (those of the first operation in the log, then those of the
    next), and the numbers in the log of the arrays that it returned.
    """
    x = probe.array(x)
    trace = _SlowTrace(probe.engine, [], 0.0)
    with probe.run(trace) as seen:
        numbers = _numbers(probe, trace, seen.call(probe.find(function), x, steps))
        results = probe.fix(trace.results)
    return seen.report(numbers=numbers, results=[] if seen.error else results)


def _numbers(probe: Probe, trace: Trace, returned: Any) -> list[int]:
    """Return the numbers in the log of a returned array, or of those in a list or tuple; 0 for anything else."""
    several = returned if isinstance(returned, (list, tuple)) else [returned]
    engine = probe.engine
    return [trace.number(engine.storage(one.handle)) if engine.is_array(one) else 0 for one in several]


def timed_blocks(
    probe: Probe,
    function: str,
    arguments: list[Any],
    before_entry: float,
    body: float,
    nested: list[Any] | None,
    raises: bool,
) -> dict[str, Any]:
    """Use the student's context manager around a body that takes ``body`` seconds.

    before_entry: seconds between making and entering it.  nested: arguments of a second one, used inside the first
    after ``body`` seconds and around another ``body`` seconds, or None.  raises: whether the body raises at its end.
    One array stays gated all the while.  Reports for each block, outermost first, the shortest and the longest time
    that a right clock can show: (seconds inside the body, seconds from before entry to after exit).
    """
    held = probe.array(np.ones(1))
    make = probe.find(function)
    brackets: list[Any] = []

    class Deliberate(ValueError, TypeError, LookupError, ArithmeticError, RuntimeError, AssertionError):
        """The error that the body raises: code that swallows any kind of error swallows this one."""

    def block(manager_arguments: list[Any], inner: list[Any] | None) -> None:
        index = len(brackets)
        brackets.append(None)
        manager = make(*manager_arguments)
        _spend(before_entry)
        before = perf_counter()
        with manager:
            inside = perf_counter()
            _spend(body)
            if inner is not None:
                block(inner, None)
            spent = perf_counter() - inside
            if raises:
                raise Deliberate()
        brackets[index] = [spent, perf_counter() - before]

    passed_on = False

    def blocks() -> None:
        nonlocal passed_on
        try:
            block(arguments, nested)
        except Deliberate:
            passed_on = True

    with probe.run() as seen:
        gate = seen.close(held, "held")
        seen.call(blocks)
        waited = gate.is_open
    return seen.report(brackets=brackets, passed_on=passed_on, waited=waited)


class _SlowTrace(Trace):
    """Holds every result back, and takes a while to release one, as if the engine were busy with it.

    seconds: for a result on device 0, 1, ...  enqueueing: what the front end needs for each operation.
    """

    MOST = 8  # this many are slow, so that code which enqueues hundreds of operations does not take minutes
    MAX_SAVED = 1000

    def __init__(self, engine: Any, seconds: list[float], enqueueing: float) -> None:
        super().__init__(gate_results=True)
        self._engine, self._seconds, self._enqueueing = engine, seconds, enqueueing
        self.openings: list[Any] = []  # label, when it began and when it ended
        self.enqueued: list[float] = []  # when
        self.results: list[Any] = []
        self._operations = 0

    def add(self, gate: Gate) -> None:
        self.enqueued.append(perf_counter())
        if len(self.results) < self.MAX_SAVED:
            self.results.append(gate.array)
        super().add(gate)

    def before_opening(self, gate: Gate) -> None:
        if self.active and not gate.is_open:
            device = self._engine.describe(gate.array.ctx).number
            began = perf_counter()
            if len(self.openings) < self.MOST and device < len(self._seconds):
                _spend(self._seconds[device])
            self.openings.append([gate.label, began, perf_counter()])

    def log(self, kind: str, *details: Any, **more: Any) -> None:
        super().log(kind, *details, **more)
        if kind == "enqueue" and self._operations < self.MOST:
            self._operations += 1
            _spend(self._enqueueing)


def slow_results(probe: Probe, function: str, arrays: list[Any], seconds: Any, enqueueing: float) -> dict[str, Any]:
    """Call the student's function while everything it enqueues is slow.

    seconds: how long a result takes from when it is waited for, on device 0, 1, ...  enqueueing: how long the front
    end needs to enqueue one operation.  Reports what it returned, how long the call took in all, the results that were
    waited for (gate's label, and when the work on it began and ended), and all results in the order of their numbers:
    when each was enqueued, and its values in the end.  Times are seconds from the start of the call.  ``numbers`` are
    those of the returned arrays in the log.
    """
    trace = _SlowTrace(probe.engine, seconds, enqueueing)
    arrays = [probe.array(values) for values in arrays]
    student = probe.find(function)
    with probe.run(trace) as seen:
        with seen.traced():
            start = perf_counter()
            returned, seen.error = probe.attempt(student, *arrays)
            total = perf_counter() - start
        numbers = _numbers(probe, trace, returned)
        returned, results = probe.fix(returned), probe.fix(trace.results)
    return seen.report(
        numbers=numbers,
        returned=None if seen.error else returned,
        total=total,
        openings=[[label, began - start, ended - start] for label, began, ended in trace.openings],
        enqueued=[moment - start for moment in trace.enqueued],
        results=[] if seen.error else results,
    )


_held: dict[str, mmap] = {}


def hold_memory(probe: Probe, mebibytes: int) -> None:
    """Allocate and touch this much more memory until the next call; 0 frees it.

    The system gives it, as it does the engine's: Python and NumPy know nothing of it.
    """
    _held.clear()
    if mebibytes:
        block = _held["block"] = mmap(-1, mebibytes << 20, MAP_PRIVATE | MAP_ANONYMOUS)
        for place in range(0, len(block), PAGESIZE):
            block[place] = 1


def _spend(seconds: float) -> None:
    """The timed work: a wait that uses no CPU, so that a CPU clock shows almost nothing."""
    if seconds:
        sleep(seconds)
