# Waits for the loss of the batch that has just been queued, and so for all of them.
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
        pending[-1].wait_to_read()
        if len(pending) >= in_flight:
            pending.popleft()
    nd.waitall()
