# Each batch goes through the network in two halves, and is one step.
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    window = deque()
    for X, y in data_iter():
        if len(window) == in_flight:
            for l in window.popleft():
                l.wait_to_read()
        half = X.shape[0] // 2
        with autograd.record():
            losses = [loss(net(X[rows]), y[rows]) for rows in (slice(None, half), slice(half, None))]
        autograd.backward(losses)
        trainer.step(X.shape[0])
        window.append(losses)
    nd.waitall()
