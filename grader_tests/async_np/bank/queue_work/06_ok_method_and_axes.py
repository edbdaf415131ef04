# A method for the product, the sum axis by axis, a result that keeps one axis; a warning on stderr.
import warnings


def queue_work(x):
    warnings.warn('this only queues')
    y = x.dot(x)
    y = y.sum(axis=0)
    return y.sum(axis=0, keepdims=True)
