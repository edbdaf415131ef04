# A generator gives one float for each batch; fsum adds them.
import math


def train_sync(net, data_iter, loss, trainer):
    def epoch():
        for X, y in data_iter():
            with autograd.record():
                value = loss(net(X), y).mean()
                total = value * len(X)
            total.backward()
            trainer.step(len(X))
            yield value.item()

    return math.fsum(epoch())
