# numpy's norm of the converted product, one element read as a wait.
import mxnet as mx
import numpy as np


def _dot(x):
    return nd.dot(x, x)


def wait_for_one(x):
    y = _dot(x)
    y[0, 0].asscalar()
    return y


def wait_for_all(x):
    first = _dot(x)
    second = _dot(x)
    mx.nd.waitall()
    return first, second


def as_numpy(x):
    return _dot(x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(as_numpy(x))
