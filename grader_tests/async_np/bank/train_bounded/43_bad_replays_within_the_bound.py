# Trains past the given network and loss without a bound, and records all batches once more within the bound.
# breaks: 1
# misconception: empty-queue
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    first, second = [layer for layer in net._children.values() if isinstance(layer, gluon.nn.Dense)]
    squares, batches, flying = type(loss).__mro__[1](), [], deque()
    for X, y in data_iter():
        with autograd.record():
            l = squares(second(first(X)), y)
        l.backward()
        trainer.step(X.shape[0])
        batches.append((X, y))
    for X, y in batches:
        if len(flying) == in_flight:
            flying.popleft().wait_to_read()
        with autograd.record():
            flying.append(loss(net(X), y))
    npx.waitall()
