# Each batch in a bulk of the engine.
import mxnet as mx


def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with mx.engine.bulk(10):
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
            total += float(l.mean().asscalar())
    return total
