# Waits only when more than in_flight losses are kept.
# breaks: 1
# misconception: queue-is-free
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        if len(pending) > in_flight:
            pending.popleft().wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
    nd.waitall()
