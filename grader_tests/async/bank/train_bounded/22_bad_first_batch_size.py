# The size of the first batch is used for all, and the last one is smaller.
# breaks: 4
# misconception: divide-once
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending, batch_size = deque(), None
    for X, y in data_iter():
        batch_size = batch_size or X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(batch_size)
        pending.append(l)
        if len(pending) >= in_flight:
            pending.popleft().wait_to_read()
    nd.waitall()
