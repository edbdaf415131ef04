# The deque is right, and float() of the newest loss waits in each batch all the same.
# breaks: 2
# misconception: empty-queue
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending, total = deque(), 0.0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        total += float(l.mean())
        pending.append(l)
        if len(pending) >= in_flight:
            pending.popleft().wait_to_read()
    npx.waitall()
    return total
