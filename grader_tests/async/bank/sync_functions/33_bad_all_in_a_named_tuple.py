# Waits for what was in the queue before, and returns its own two products in a named tuple.
# breaks: 5
# kills: test_wait_for_all_is_computed
# misconception: any-wait-will-do
import collections

Products = collections.namedtuple("Products", "y z")


def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    nd.waitall()
    return Products(y=nd.dot(x, x), z=nd.dot(x, x))


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
