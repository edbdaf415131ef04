# Appends the new loss first, and waits if there are more than in_flight.
# breaks: 1
# kills: test_default, test_never_more
# misconception: reads-the-task
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    queue = deque()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        queue.append(l)
        if len(queue) > in_flight:
            queue.popleft().wait_to_read()
    nd.waitall()
