# The product of an executor; it is not waited for.
# breaks: 2
# kills: test_wait_for_one_is_computed
# misconception: any-wait-will-do
import mxnet as mx
from mxnet import nd


def wait_for_one(x):
    matrix = mx.sym.var("matrix")
    program = mx.sym.dot(matrix, matrix)
    return program.bind(x.context, {"matrix": x}).forward()[0]


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
