# A copy of a parameter taken after each step is a mark for the end of that batch.
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    first = list(net.collect_params().values())[0]
    marks = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        marks.append(first.data().copy())
        if len(marks) == in_flight:
            marks.popleft().wait_to_read()
    nd.waitall()
