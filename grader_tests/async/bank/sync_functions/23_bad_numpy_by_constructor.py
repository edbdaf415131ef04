# np.array does not know an NDArray of MXNet 1.9: it makes an array of objects with 32 axes.
# breaks: 6
# misconception: numpy-and-the-engine
import numpy as np


def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return np.array(nd.dot(x, x))


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
