# Waits for the losses that are left; the last update comes after the last loss.
# breaks: 6
# misconception: last-loss-last-work
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
        if len(pending) >= in_flight:
            pending.popleft().wait_to_read()
    while pending:
        pending.popleft().wait_to_read()
