# A while loop over the iterator, the mean by numpy, a debugging print and a warning on stderr.
import sys

import numpy as np


def train_sync(net, data_iter, loss, trainer):
    batches = iter(data_iter())
    l_sum, count = np.float64(0), 0
    batch = next(batches, None)
    while batch is not None:
        X, y = batch
        with autograd.record():
            l = loss(net(X), y)
            l.backward()
        trainer.step(y.shape[0])
        l_sum += l.asnumpy().mean()
        count += 1
        batch = next(batches, None)
    print('batches:', count)
    print('warning: this is slow', file=sys.stderr)
    return l_sum
