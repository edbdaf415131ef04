"""Waits for each batch by the output of an executor that has read the loss."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"train_async": at_most(1.99)})
cheat.cell("train_async", '''
import mxnet as mx

seen = mx.sym.identity(mx.sym.var("loss"))


def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        seen.bind(l.context, {"loss": l}).forward()[0].wait_to_read()
    nd.waitall()
''')
