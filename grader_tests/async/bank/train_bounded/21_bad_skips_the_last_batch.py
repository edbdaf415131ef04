# Drops a batch that is smaller than the one before.
# breaks: 4
# misconception: divide-once
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending, full = deque(), 0
    for X, y in data_iter():
        if X.shape[0] < full:
            continue
        full = X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
        if len(pending) >= in_flight:
            pending.popleft().wait_to_read()
    nd.waitall()
