# asnumpy used as a wait, a list of both results, a Python float.
import mxnet as mx


def wait_for_one(matrix):
    product = mx.nd.dot(matrix, matrix)
    product.asnumpy()
    return product


def wait_for_all(matrix):
    products = [mx.nd.dot(matrix, matrix) for _ in range(2)]
    mx.nd.waitall()
    return products


def as_numpy(matrix):
    product = mx.nd.dot(matrix, matrix)
    return product.asnumpy()


def as_scalar(matrix):
    return float(mx.nd.norm(mx.nd.dot(matrix, matrix)).asscalar())
