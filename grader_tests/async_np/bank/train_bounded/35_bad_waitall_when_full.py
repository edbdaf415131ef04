# Waits for everything as soon as in_flight losses are queued, and begins to count again.
# breaks: 2
# misconception: empty-queue
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        if len(pending) == in_flight:
            npx.waitall()
            pending.clear()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
    npx.waitall()
