# A named tuple is a tuple.
import collections

Products = collections.namedtuple("Products", "y z")


def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    products = Products(nd.dot(x, x), nd.dot(x, x))
    nd.waitall()
    return products


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
