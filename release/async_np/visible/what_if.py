"""How each exercise is called to see what a change of its code does: every result is held back until it is needed."""

import numpy as np
from mxnet import gluon
from mxnet.gluon import nn

WAIT = "nd.waitall()"
BATCHES, ROWS, STEPS = 4, 4, 4


def _call(probe, call, prepare=lambda: None):
    """Call code while every result is held back; what it returns in a list is reported."""
    with probe.run() as seen:
        with seen.paused():
            given = prepare()
        seen.trace.gate_results = True
        seen.mark("begin")
        returned = seen.call(call, given)
        seen.mark("end")
        pending = list(seen.trace.pending)
        found = probe.fix(list(returned or ()))
    return seen.report(results=None if seen.error else found, pending=pending)


def _matrix(probe, seed):
    values = np.random.default_rng(seed).normal(size=(3, 3)).astype("float32")
    return lambda: probe.array(values)


def queue_work(probe, seed):
    """One matrix."""
    function = probe.find("queue_work")
    return _call(probe, lambda x: [function(x)], _matrix(probe, seed))


def loops(probe, seed):
    """Both loops, four steps each."""
    functions = [probe.find(name) for name in ("synchronous_loop", "asynchronous_loop")]
    return _call(probe, lambda x: [function(x, STEPS) for function in functions], _matrix(probe, seed))


def sync_functions(probe, seed):
    """The function that waits for one, the one that waits for all, and the two that give numbers."""
    one, everything, listed, number = (
        probe.find(name) for name in ("wait_for_one", "wait_for_all", "as_numpy", "as_scalar")
    )
    return _call(probe, lambda x: [one(x), *everything(x), listed(x), float(number(x))], _matrix(probe, seed))


def _training(probe, seed, name, *arguments):
    """Train a linear layer for an epoch of four batches."""
    function, rng = probe.find(name), np.random.default_rng(seed)
    values = [(rng.normal(size=(ROWS, 2)).astype("float32"), rng.normal(size=ROWS)) for _ in range(BATCHES)]
    start = rng.normal(size=(1, 2)).astype("float32"), rng.normal(size=1).astype("float32")

    def prepare():
        net = nn.Dense(1, in_units=2)
        net.initialize()
        net.weight.set_data(probe.array(start[0]))
        net.bias.set_data(probe.array(start[1]))
        net.weight.data().wait_to_read()
        net.bias.data().wait_to_read()
        batches = [(probe.array(X), probe.array(y.astype("float32"))) for X, y in values]
        return net, batches, gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})

    def call(given):
        net, batches, trainer = given
        returned = function(net, lambda: iter(batches), gluon.loss.L2Loss(), trainer, *arguments)
        return [net.weight.data(), net.bias.data(), *([] if returned is None else [returned])]

    return _call(probe, call, prepare)


def train_sync(probe, seed):
    """An epoch."""
    return _training(probe, seed, "train_sync")


def train_async(probe, seed):
    """An epoch."""
    return _training(probe, seed, "train_async")


def train_bounded(probe, seed):
    """An epoch with at most two batches in flight."""
    return _training(probe, seed, "train_bounded", 2)
