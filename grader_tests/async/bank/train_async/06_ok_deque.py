# A deque that nobody waits on, then waitall; the sum is returned as a finished NDArray.
from collections import deque


def train_async(net, data_iter, loss, trainer):
    means = deque()
    for i, (X, y) in enumerate(data_iter()):
        n = X.shape[0]
        with autograd.record():
            y_hat = net(X)
            l = loss(y_hat, y)
        autograd.backward([l])
        trainer.step(n)
        means.append(l.sum() / n)
    l_sum = nd.add_n(*means) if means else nd.zeros((1,))
    nd.waitall()
    return l_sum
