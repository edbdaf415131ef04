# The oldest loss is waited for before the next forward pass, once its batch has been drawn.
import collections


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    queue = collections.deque()
    for X, y in data_iter():
        while len(queue) >= in_flight:
            queue.popleft().wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(len(X))
        queue.append(l)
    nd.waitall()
