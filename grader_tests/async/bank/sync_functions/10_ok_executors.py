# The product as a small program: an executor of MXNet runs it.
import mxnet as mx
from mxnet import nd


def product(x):
    matrix = mx.sym.var("matrix")
    program = mx.sym.dot(matrix, matrix)
    return program.bind(x.context, {"matrix": x})


def wait_for_one(x):
    (y,) = product(x).forward()
    y.wait_to_read()
    return y


def wait_for_all(x):
    first, second = product(x), product(x)
    y, z = first.forward() + second.forward()
    nd.waitall()
    return y, z


def as_numpy(x):
    return product(x).forward()[0].asnumpy()


def as_scalar(x):
    return product(x).forward()[0].norm().asscalar()
