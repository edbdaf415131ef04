# The norm written out, a debugging print of the finished value, both results in a deque.
import math
from collections import deque

import numpy as np


def wait_for_one(x):
    y = nd.dot(x, x)
    print('y =', y)
    return y


def wait_for_all(x):
    done = deque()
    while len(done) < 2:
        done.append(nd.dot(x, x))
    nd.waitall()
    return tuple(done)


def as_numpy(x):
    values = nd.dot(x, x).asnumpy()
    assert isinstance(values, np.ndarray)
    return values


def as_scalar(x):
    y = nd.dot(x, x)
    return math.sqrt((y * y).sum().asscalar())
