"""Scenarios of the assignments `async` and `async_np`: what the judge does in the student's kernel beyond a plain call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  Arrays are of the interface that the judge asks for: where it is np, the notebook has called
npx.set_np(), and Gluon makes np arrays too.
"""

from time import perf_counter, sleep  # by name: a notebook may replace those of the module

import numpy as np
from mxnet import gluon, optimizer
from mxnet.autograd import is_recording
from mxnet.gluon import nn
from probe.watch import Watch


class _Flight:
    """Which batches were drawn and started; closes the gates that keep them unfinished."""

    def __init__(self, probe, watch, batches):
        self._probe, self._watch, self._batches = probe, watch, batches
        self.calls = self._rows = 0
        self._drawn, self._labels, self._latest = [], [], 0
        self._ends = np.cumsum([len(X) for X, _ in batches])  # the rows of the epoch until the end of each batch

    def data_iter(self):
        """What the student gets as data_iter."""
        self.calls += 1
        self._drawn, self._labels, self._rows = [], [], 0
        self._watch.log("epoch", "")
        return self._draw()

    def _draw(self):
        for X, y in self._batches:
            X, y = self._probe.array(X), self._probe.array(y)
            self._drawn.append(X)
            self._labels.append([y, None])
            self._watch.log("draw", "")
            yield X, y

    def start(self, X, output):
        """The recorded forward pass of a batch began: its output stays unfinished until somebody waits for it.

        A copy, or a part, of a batch is told by the rows that were there before it.
        """
        known = [number for number, drawn in enumerate(self._drawn) if drawn is X]
        number = known[0] if known else int(np.searchsorted(self._ends, self._rows, side="right"))
        self._rows = int(self._ends[number]) if known else self._rows + len(X)
        self._latest = number
        self._close_gate(output, number, "start")

    def label(self, y):
        """The label that the loss of a batch is computed with: it stays unfinished, too, so that the loss does so.

        Who waits for the output of the network has not waited for the loss.
        """
        known = [number for number, (drawn, _) in enumerate(self._labels) if drawn is y]
        number = known[0] if known else self._latest
        passed_on = self._labels[number][1] if known else None
        if passed_on is None:
            passed_on = self.pass_on(y)
            self._close_gate(passed_on, number, "loss")
            if known:
                self._labels[number][1] = passed_on
        return passed_on

    def pass_on(self, array):
        """The array once more; the log does not hold this operation, which is none of the student's."""
        self._watch.active = False
        try:
            return array * 1
        finally:
            self._watch.active = True

    def _close_gate(self, array, number, event):
        self._probe.engine.close_gate(self._watch, array, f"batch {number}")
        self._watch.log(event, f"batch {number}")

    def update(self, number, weights):
        """An update was enqueued; the last one stays unfinished, since nothing later would need it."""
        if number == len(self._batches):
            for weight in weights:
                self._probe.engine.close_gate(self._watch, weight, "last update")


class _Entrance(nn.Block):
    """The first layer: passes its input on."""

    def __init__(self, watch, flight):
        super().__init__()
        self._watch, self._flight = watch, flight

    def forward(self, x):
        if not (self._watch.active and is_recording()):  # a look at the loss trains nothing
            return x * 1
        passed_on = self._flight.pass_on(x)
        self._flight.start(x, passed_on)
        return passed_on


class _WatchedLoss(gluon.loss.L2Loss):
    """Half the squared error, which stays unfinished until somebody waits for it."""

    def __init__(self, watch, flight):
        super().__init__()
        self._watch, self._flight = watch, flight

    def forward(self, prediction, label, *sample_weight):
        if self._watch.active and is_recording():
            label = self._flight.label(label)
        return super().forward(prediction, label, *sample_weight)


class _WatchedSGD(optimizer.SGD):
    """Plain SGD that reports its updates."""

    def __init__(self, flight, learning_rate):
        super().__init__(learning_rate=learning_rate)
        self._flight = flight

    def update_multi_precision(self, index, weight, grad, state):
        super().update_multi_precision(index, weight, grad, state)
        self._flight.update(self.num_update, weight if isinstance(weight, (list, tuple)) else [weight])


def training(probe, function, weights, batches, learning_rate, arguments):
    """Run a training function of the student's for one epoch on a small network, with two gates on every batch.

    weights: [W1 (hidden, features), b1 (hidden,), W2 (1, hidden), b2 (1,)] of Dense(relu) and Dense(1).
    batches: [(X (size, features), y (size,))], float32.  arguments: what the function gets after the trainer.
    Reports the weights afterwards, what the function returned, how often data_iter was called, the gates that were
    closed when it returned, and the log, which also holds "epoch" (data_iter was called), "draw" (a batch was drawn)
    "start" (its recorded forward pass began) and "loss" (its recorded loss is to be computed).  The name of these two
    is the label of the gate that was closed there, "batch <place in the epoch>".
    """
    watch = Watch()
    flight = _Flight(probe, watch, batches)
    net = nn.Sequential()
    net.add(
        _Entrance(watch, flight),
        nn.Dense(len(weights[1]), in_units=weights[0].shape[1], activation="relu"),
        nn.Dense(len(weights[3]), in_units=len(weights[1])),
    )
    net.initialize()
    parameters = [net[1].weight, net[1].bias, net[2].weight, net[2].bias]
    for place, parameter in enumerate(parameters):
        parameter.set_data(probe.array(weights[place]))
    trainer = gluon.Trainer(net.collect_params(), _WatchedSGD(flight, learning_rate))
    loss = _WatchedLoss(watch, flight)
    probe.engine.wait_all()
    student = probe.find(function)
    with probe.engine.watching(watch):
        returned, error = probe.attempt(student, net, flight.data_iter, loss, trainer, *arguments)
    unfinished = list(watch.pending)
    returned, trained = probe.fix(returned), probe.fix([parameter.data() for parameter in parameters])
    watch.open_all()
    error = error or probe.attempt(probe.engine.wait_all)[1]
    result = {
        "error": error,
        "unfinished": unfinished,
        "events": watch.report(),
        "data_iter_calls": flight.calls,
        "returned": None if error else returned,
        "weights": trained,
    }
    probe.engine.release(watch)
    return result


def timed_blocks(probe, function, arguments, before_entry, body, nested, raises):
    """Use the student's context manager around a body that takes ``body`` seconds.

    before_entry: seconds between making and entering it.  nested: arguments of a second one, used inside the first
    after ``body`` seconds and around another ``body`` seconds, or None.  raises: whether the body raises at its end.
    One array stays gated all the while.  Reports for each block, outermost first, the shortest and the longest time
    that a right clock can show: (seconds inside the body, seconds from before entry to after exit).
    """
    watch = Watch()
    held = probe.array(np.ones(1))
    probe.engine.wait_all()
    make = probe.find(function)
    probe.engine.close_gate(watch, held, "held")
    brackets = []

    class Deliberate(Exception):
        """What the body raises."""

    def block(manager_arguments, inner):
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

    with probe.engine.watching(watch):
        passed_on = False
        try:
            block(arguments, nested)
            error = None
        except Deliberate:
            passed_on, error = True, None
        except BaseException as problem:
            error = probe.describe(problem)
    result = {
        "error": error,
        "brackets": brackets,
        "passed_on": passed_on,
        "waited": not watch.pending,
        "events": watch.report(),
    }
    probe.engine.release(watch)
    return result


class _SlowWatch(Watch):
    """Holds every result back, and takes a while to let one go, as if the engine were busy with it for so long.

    seconds: for a result on device 0, 1, ...  enqueueing: what the front end needs for each operation.
    """

    MOST = 8  # so many are slow, so that code which enqueues hundreds of operations does not take minutes
    KEPT = 1000

    def __init__(self, engine, seconds, enqueueing):
        super().__init__(gate_results=True)
        self._engine, self._seconds, self._enqueueing = engine, seconds, enqueueing
        self.openings = []  # label, when it began and when it ended
        self.enqueued, self.results = [], []  # when, and the arrays
        self._operations = 0

    def add(self, gate):
        let_go = gate.open
        device = self._engine.describe(gate.array.ctx).number
        self.enqueued.append(perf_counter())
        if len(self.results) < self.KEPT:
            self.results.append(gate.array)

        def open_slowly():
            if self.active and not gate.is_open:
                began = perf_counter()
                if len(self.openings) < self.MOST and device < len(self._seconds):
                    _spend(self._seconds[device])
                self.openings.append([gate.label, began, perf_counter()])
            let_go()

        gate.open = open_slowly
        super().add(gate)

    def log(self, kind, *details, **more):
        super().log(kind, *details, **more)
        if kind == "enqueue" and self._operations < self.MOST:
            self._operations += 1
            _spend(self._enqueueing)


def slow_results(probe, function, arrays, seconds, enqueueing):
    """Call a function of the student's while everything it enqueues is slow.

    seconds: how long a result takes from when it is waited for, on device 0, 1, ...  enqueueing: how long the front
    end needs to enqueue one operation.  Reports what it returned, how long the call took in all, the results that were
    waited for (gate's label, and when the work on it began and ended), and all results in the order of their numbers:
    when each was enqueued, and its values in the end.  Times are seconds from the start of the call.
    """
    watch = _SlowWatch(probe.engine, seconds, enqueueing)
    arrays = [probe.array(values) for values in arrays]
    probe.engine.wait_all()
    student = probe.find(function)
    with probe.engine.watching(watch):
        start = perf_counter()
        returned, error = probe.attempt(student, *arrays)
        total = perf_counter() - start
    returned, results = probe.fix(returned), probe.fix(watch.results)
    watch.open_all()
    error = error or probe.attempt(probe.engine.wait_all)[1]
    result = {
        "error": error,
        "returned": None if error else returned,
        "total": total,
        "openings": [[label, began - start, ended - start] for label, began, ended in watch.openings],
        "enqueued": [moment - start for moment in watch.enqueued],
        "results": [] if error else results,
        "events": watch.report(),
    }
    probe.engine.release(watch)
    return result


_held = {}


def hold_memory(probe, mebibytes):
    """Take and touch so much more memory until the next call; 0 gives it back."""
    _held.clear()
    if mebibytes:
        _held["block"] = np.ones(mebibytes * 2**17, dtype=np.float64)


def _spend(seconds):
    """The thing that is timed: a wait that uses no CPU, so that a CPU clock shows next to nothing."""
    if seconds:
        sleep(seconds)
