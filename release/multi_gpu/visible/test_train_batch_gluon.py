"""When train_batch_gluon first waits."""

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn
from syncpoint_check import core, first_wait, hint, saw


def step(probe):
    """One batch for a small network on two devices, whose results are held back until they are waited for."""
    ctx = [mx.cpu(1), mx.cpu(2)]
    X, y = nd.random.uniform(shape=(4, 3)), nd.array([0, 1, 1, 0])
    net = nn.Dense(2, in_units=3)
    net.initialize(ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    with probe.run() as seen:
        seen.trace.gate_results = True
        seen.call(probe.find("train_batch_gluon"), X, y, net, loss, trainer, ctx)
    return seen.report()


@core
@hint("A wait in the loop over the devices holds up all later ones. Which line needs a number?")
def test_all_devices_have_work(student):
    """All devices have their forward and backward pass before train_batch_gluon waits."""
    events = list(student.observe("step")["events"])
    first = next((place for place, event in enumerate(events) if event.opened), len(events))
    passes = sum(event.label == "backward" for event in events[:first])
    wanted = sum(event.label == "backward" for event in events)
    with saw(
        "Backward passes in the queue at the first wait ({first_wait}): {passes} of {wanted}.",
        events,
        first_wait=first_wait(events),
        passes=passes,
        wanted=wanted,
    ):
        assert wanted and passes == wanted
