# The losses are kept and read after waitall; a while loop, a helper, a print of what is known without waiting.
import mxnet as mx


def _enqueue(net, X, y, loss, trainer):
    with autograd.record():
        l = loss(net(X), y)
        l.backward()
    trainer.step(X.shape[0])
    return l.mean()


def train_async(net, data_iter, loss, trainer):
    losses, batches = [], iter(data_iter())
    while True:
        try:
            X, y = next(batches)
        except StopIteration:
            break
        losses.append(_enqueue(net, X, y, loss, trainer))
        print('enqueued batch', len(losses), 'of', X.shape[0])
    mx.nd.waitall()
    return float(sum(mean.asscalar() for mean in losses))
