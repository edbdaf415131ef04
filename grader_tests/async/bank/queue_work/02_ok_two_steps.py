# Functions instead of methods, an odd name for the argument.
import mxnet as mx


def queue_work(matrix):
    product = mx.nd.dot(lhs=matrix, rhs=matrix)
    total = mx.nd.sum(product)
    return total
