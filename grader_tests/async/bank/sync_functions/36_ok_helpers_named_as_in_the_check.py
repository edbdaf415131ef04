# Helpers have names that the visible check below gives to other things.
array = nd.array


def number(y):
    return float(y.norm().asnumpy()[0])


def both(x):
    return nd.dot(x, x), nd.dot(x, x)


def wait_for_one(x):
    one = nd.dot(x, x)
    one.wait_to_read()
    return one


def wait_for_all(x):
    y, z = both(x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(array(x), x).asnumpy()


def as_scalar(x):
    return number(nd.dot(x, x))
