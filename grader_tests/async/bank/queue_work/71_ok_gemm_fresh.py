# linalg.gemm2 instead of dot, and the sum of the sums of the rows, through functools.
import functools


def queue_work(x):
    steps = (lambda a: nd.linalg.gemm2(a, a), lambda a: nd.sum(a, axis=1), nd.sum)
    return functools.reduce(lambda value, step: step(value), steps, x)
