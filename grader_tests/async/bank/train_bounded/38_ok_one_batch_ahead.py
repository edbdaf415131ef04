# The next batch is drawn before the wait, and the losses are looked at once more in the end; waits for a slice.
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    source, flying, done = iter(data_iter()), deque(), []
    batch = next(source, None)
    while batch is not None:
        X, y = batch
        with autograd.record():
            l = loss(net(X), y)
            l.backward()
        trainer.step(y.shape[0])
        flying.append(l)
        batch = next(source, None)
        if len(flying) == in_flight:
            oldest = flying.popleft()
            oldest[0:1].asnumpy()
            done.append(oldest)
    done.extend(flying)
    nd.waitall()
    return [l.mean().asscalar() for l in done]
