"""A small training whose results are held back until your loop waits for them."""

import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn

BATCHES, ROWS = 5, 4


class Network(nn.Block):
    """One layer; a recorded forward pass leaves a mark in the log: there a batch begins."""

    def __init__(self, begin):
        super().__init__()
        self.begin = begin
        self.layer = nn.Dense(1, in_units=2)

    def forward(self, x):
        """The scores of a batch."""
        if autograd.is_recording():
            self.begin(len(x))
        return self.layer(x)


def training(probe, function, arguments):
    """Run a training function for one epoch; report whether its weights were computed when it returned."""
    rng = np.random.default_rng()
    rows = [0]
    batches = [(rng.normal(size=(ROWS, 2)), rng.normal(size=ROWS)) for _ in range(BATCHES)]
    batches = [(probe.array(X.astype("float32")), probe.array(y.astype("float32"))) for X, y in batches]
    with probe.run() as seen:

        def begin(count):
            if rows[0] % ROWS == 0:  # a batch may go through in pieces
                seen.mark("start", f"batch {rows[0] // ROWS + 1}")
            rows[0] += count

        with seen.paused():
            net = Network(begin)
            net.initialize()
            net.layer.weight.data().wait_to_read()
            net.layer.bias.data().wait_to_read()
            trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        seen.trace.gate_results = True
        seen.call(probe.find(function), net, lambda: iter(batches), gluon.loss.L2Loss(), trainer, *arguments)
        done = probe.engine.is_settled(net.layer.weight.data())
    return seen.report(done=done)


def waits_by_batch(events):
    """How often the loop waited for pending work after each beginning of a batch, and before the next."""
    counts = []
    for event in events:
        if event.kind == "start":
            counts.append(0)
        elif event.opened and counts:
            counts[-1] += 1
    return counts
