# The norm written out, a debugging print of the finished value, both results in a deque.
import math
from collections import deque


def wait_for_one(x):
    y = np.dot(x, x)
    print('y =', y)
    return y


def wait_for_all(x):
    done = deque()
    while len(done) < 2:
        done.append(np.dot(x, x))
    npx.waitall()
    return tuple(done)


def as_numpy(x):
    values = np.dot(x, x).asnumpy()
    assert isinstance(values, numpy.ndarray)
    return values


def as_scalar(x):
    y = np.dot(x, x)
    return math.sqrt((y ** 2).sum().item())
