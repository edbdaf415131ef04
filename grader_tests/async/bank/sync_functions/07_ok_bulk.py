# The orders in one bulk, the waits in it.
import mxnet as mx


def wait_for_one(x):
    with mx.engine.bulk(8):
        y = nd.dot(x, x)
        y.wait_to_read()
    return y


def wait_for_all(x):
    with mx.engine.bulk(8):
        y = nd.dot(x, x)
        z = nd.dot(x, x)
        nd.waitall()
    return y, z


def as_numpy(x):
    with mx.engine.bulk(8):
        y = nd.dot(x, x)
    return y.asnumpy()


def as_scalar(x):
    with mx.engine.bulk(8):
        y = nd.dot(x, x)
        s = (y * y).sum()
    return float(s.asscalar()) ** 0.5
