# Waits for the last losses at the end, and not for the last updates.
# breaks: 6
# misconception: last-loss-last-work
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        if len(pending) == in_flight:
            pending.popleft().wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
    for l in pending:  # all losses are there; the last update may not be
        l.wait_to_read()
