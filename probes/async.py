"""Scenarios of the `async` assignment: what the judge does in the student's kernel beyond a plain call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.
"""

import time

import numpy as np
from mxnet import gluon, nd
from mxnet.gluon import nn

from probe.watch import Watch


class _BatchGate(nn.Block):
    """Passes its input on, but closes a gate on it: the batch stays unfinished until somebody waits for it."""

    def __init__(self, probe, watch):
        super().__init__()
        self._probe, self._watch, self.started = probe, watch, 0

    def forward(self, x):
        passed_on = x * 1
        if self._watch.active:
            self._probe.engine.close_gate(self._watch, passed_on, "batch %d" % self.started)
            self._watch.log("start", "batch %d" % self.started)
            self.started += 1
        return passed_on


def training(probe, function, weights, batches, learning_rate, keywords):
    """Run a training function of the student's on a small network, with a gate on every batch.

    weights: [W1 (hidden, features), b1 (hidden,), W2 (1, hidden), b2 (1,)] of Dense(relu) and Dense(1).
    batches: [(X (size, features), y (size,))], float32.
    Reports the weights afterwards, what the function returned, how often data_iter was called, the log, and the
    labels of the batches that were unfinished when it returned.
    """
    watch = Watch(patience=5.0)
    net = nn.Sequential()
    net.add(
        _BatchGate(probe, watch),
        nn.Dense(len(weights[1]), in_units=weights[0].shape[1], activation="relu"),
        nn.Dense(len(weights[3]), in_units=len(weights[1])),
    )
    net.initialize()
    parameters = [net[1].weight, net[1].bias, net[2].weight, net[2].bias]
    for parameter, values in zip(parameters, weights):
        parameter.set_data(nd.array(values))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": learning_rate})
    calls = []

    def data_iter():
        calls.append(1)

        def draw():
            for X, y in batches:
                watch.log("draw", "")
                yield nd.array(X), nd.array(y)

        return draw()

    probe.engine.wait_all()
    try:
        student = probe.find(function)
    except NameError as error:
        return {"error": probe.describe(error)}
    with probe.engine.watching(watch):
        returned, error = probe.attempt(student, net, data_iter, gluon.loss.L2Loss(), trainer, **keywords)
    unfinished = list(watch.pending)
    watch.open_all()
    error = error or probe.attempt(probe.engine.wait_all)[1]
    result = {
        "error": error,
        "unfinished": unfinished,
        "events": watch.report(),
        "data_iter_calls": len(calls),
        "returned": None if error else returned,
        "weights": [parameter.data().asnumpy() for parameter in parameters],
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
    watch = Watch(patience=5.0)
    held = nd.ones((1,))
    probe.engine.wait_all()
    try:
        make = probe.find(function)
    except NameError as error:
        return {"error": probe.describe(error)}
    probe.engine.close_gate(watch, held, "held")
    brackets = []

    class Deliberate(Exception):
        """What the body raises."""

    def block(manager_arguments, inner):
        manager = make(*manager_arguments)
        _spend(before_entry)
        before = time.perf_counter()
        index = len(brackets)
        brackets.append(None)
        try:
            with manager:
                inside = time.perf_counter()
                _spend(body)
                if inner is not None:
                    block(inner, None)
                spent = time.perf_counter() - inside
                if raises:
                    raise Deliberate()
        finally:
            brackets[index] = [spent, time.perf_counter() - before]

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


def hold_memory(probe, mebibytes):
    """Take and touch so much more memory until the next call; 0 gives it back."""
    hold_memory.held = np.ones(mebibytes * 2**17, dtype=np.float64) if mebibytes else None
    return None


def _spend(seconds):
    """The thing that is timed: a wait that uses no CPU, so that a CPU clock shows next to nothing."""
    if seconds:
        time.sleep(seconds)
