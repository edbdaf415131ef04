# Waits one batch too early.
# breaks: 2
# misconception: empty-queue
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
        if len(pending) >= max(in_flight - 1, 1):
            pending.popleft().wait_to_read()
    nd.waitall()
