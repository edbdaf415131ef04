# Waits for the X of the oldest batch, which is there long before the batch is done.
# breaks: 1
# misconception: queue-is-free
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(X)
        if len(pending) >= in_flight:
            pending.popleft().wait_to_read()
    nd.waitall()
