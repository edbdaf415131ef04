# A generator that trains, exhausted by a deque, and a wait in finally.
import collections


def train_async(net, data_iter, loss, trainer):
    def batches():
        for X, y in data_iter():
            with autograd.record():
                out = loss(net(X), y)
            autograd.backward(out)
            yield trainer.step(out.shape[0])

    try:
        collections.deque(batches(), maxlen=0)
    finally:
        nd.waitall()
