# Waits for the oldest loss after the next forward pass.
# breaks: 1
# misconception: queue-is-free
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        pending.append(l)
        if len(pending) > in_flight:
            pending.popleft().wait_to_read()
        l.backward()
        trainer.step(X.shape[0])
    npx.waitall()
