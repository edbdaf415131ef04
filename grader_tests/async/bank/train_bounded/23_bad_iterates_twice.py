# Goes through the data once to count the batches and once to train.
# breaks: 7
# misconception: reads-the-task
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending, batches = deque(), len(list(data_iter()))
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
        if len(pending) >= min(in_flight, batches):
            pending.popleft().wait_to_read()
    nd.waitall()
