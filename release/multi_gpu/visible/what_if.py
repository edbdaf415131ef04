"""How each exercise is called to see what a change of its code does: on two devices, with results held back."""

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon import nn

WAIT = "nd.waitall()"
ROWS, DEVICES = 4, 2
SHAPES = [(20, 1, 3, 3), (20,), (50, 20, 5, 5), (50,), (800, 128), (128,), (128, 10), (10,)]


def _call(probe, call, prepare=lambda: None):
    """Call code while every result is held back; what it returns in a list is reported."""
    with probe.run() as seen:
        with seen.paused():
            given = prepare()
            mx.nd.waitall()
        seen.trace.gate_results = True
        seen.mark("begin")
        returned = seen.call(call, given)
        seen.mark("end")
        pending = list(seen.trace.pending)
        found = probe.fix(list(returned or ()))
    return seen.report(results=None if seen.error else found, pending=pending)


def _ctx():
    return [mx.cpu(number + 1) for number in range(DEVICES)]


def get_params(probe, seed):
    """Two parameters for the second device."""
    function, rng = probe.find("get_params"), np.random.default_rng(seed)
    values = [rng.normal(size=shape) for shape in ((3, 2), (2,))]
    return _call(probe, lambda params: function(params, mx.cpu(2)), lambda: [mx.nd.array(one) for one in values])


def allreduce(probe, seed):
    """Three arrays, each on its own device."""
    function, rng = probe.find("allreduce"), np.random.default_rng(seed)
    values = [rng.normal(size=(3, 2)) for _ in range(3)]

    def call(data):
        function(data)
        return data

    return _call(probe, call, lambda: [mx.nd.array(one, ctx=mx.cpu(place)) for place, one in enumerate(values, 1)])


def split_and_load(probe, seed):
    """Four examples for two devices."""
    function = probe.find("split_and_load")
    values = np.random.default_rng(seed).normal(size=(ROWS, 3))
    return _call(probe, lambda data: function(data, _ctx()), lambda: mx.nd.array(values))


def train_batch(probe, seed):
    """One batch of four pictures for two replicas of the LeNet."""
    function, rng = probe.find("train_batch"), np.random.default_rng(seed)
    values = [rng.normal(size=shape) * 0.1 for shape in SHAPES]
    images, labels = rng.normal(size=(ROWS, 1, 28, 28)), rng.integers(0, 10, size=ROWS)

    def prepare():
        replicas = [[mx.nd.array(one, ctx=place) for one in values] for place in _ctx()]
        for replica in replicas:
            for one in replica:
                one.attach_grad()
        return mx.nd.array(images), mx.nd.array(labels), replicas

    def call(given):
        X, y, replicas = given
        function(X, y, replicas, _ctx(), 0.1)
        return [one for replica in replicas for one in replica]

    return _call(probe, call, prepare)


def train_batch_gluon(probe, seed):
    """One batch of four examples for a small network on two devices."""
    function, rng = probe.find("train_batch_gluon"), np.random.default_rng(seed)
    weight, examples = rng.normal(size=(2, 3)), rng.normal(size=(ROWS, 3))

    def prepare():
        net = nn.Dense(2, in_units=3)
        net.initialize(ctx=_ctx())
        net.weight.set_data(mx.nd.array(weight))
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        return mx.nd.array(examples), mx.nd.array([0, 1, 1, 0]), net, trainer

    def call(given):
        X, y, net, trainer = given
        function(X, y, net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer, _ctx())
        return [*net.weight.list_data(), *net.bias.list_data()]

    return _call(probe, call, prepare)
