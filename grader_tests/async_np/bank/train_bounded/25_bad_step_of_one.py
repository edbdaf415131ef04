# step(1) does not divide the gradient by the size of the batch.
# breaks: 4
# misconception: divide-once
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(1)
        pending.append(l)
        if len(pending) >= in_flight:
            pending.popleft().wait_to_read()
    npx.waitall()
